#include "abi/bind_compare.h"

#include <initializer_list>

#include "compare/measure.h"

using namespace rankunit::compare;

namespace {

Limits limits_of(const double *limits) {
    return {limits[0], limits[1], limits[2], limits[3] != 0};
}

}  // namespace

void bind_compare_measure(uint32_t type, const void *expected, const void *actual, size_t count, const double *limits,
                          int64_t allowed, double *extremes_out, int64_t *counts_out, int32_t *indices_out,
                          size_t capacity, const double *powers, size_t power_count, int64_t *decades_out,
                          double *largest_out, size_t parts) {
    const Details details{indices_out, capacity, allowed, {powers, power_count, decades_out, largest_out, parts}};
    const Measurements found =
        best_scan().measure(static_cast<Type>(type), {expected, actual, count}, limits_of(limits), details);
    const Spread &spread = found.spread;
    for (const Extremes &extremes : {found.extremes, spread.worst}) {
        *extremes_out++ = extremes.absolute;
        *extremes_out++ = extremes.relative;
        *counts_out++ = extremes.absolute_index;
        *counts_out++ = extremes.relative_index;
    }
    for (const int64_t number :
         {found.mismatches, found.bit_differences, found.non_finite, spread.first, spread.last, spread.runs,
          spread.run_start, spread.run_length, spread.period, int64_t{spread.periodic}, int64_t{spread.same_actual},
          spread.flushed, static_cast<int64_t>(spread.samples.every), static_cast<int64_t>(spread.samples.size)}) {
        *counts_out++ = number;
    }
    for (size_t i = 0; i < spread.samples.size; i++) *counts_out++ = spread.samples.indices[i];
}

size_t bind_compare_list(uint32_t type, const void *expected, const void *actual, size_t count, const double *limits,
                         size_t from, int32_t *indices_out, size_t capacity) {
    return best_scan().list(static_cast<Type>(type), {expected, actual, count}, limits_of(limits), from, indices_out,
                            capacity);
}

void bind_compare_specials(uint32_t type, const void *expected, const void *actual, size_t count, int64_t *counts_out) {
    const Specials found = best_scan().specials(static_cast<Type>(type), {expected, actual, count});
    for (const Specials::Kind &kind : {found.actual_nans, found.expected_nans, found.both_nans, found.unexpected_nans,
                                       found.unexpected_infinities, found.other_zeros}) {
        *counts_out++ = kind.count;
        *counts_out++ = kind.first;
    }
}

int bind_compare_expects(uint32_t type, const void *expected, size_t count, size_t from, size_t to, double number,
                         double reach) {
    const Arrays arrays{expected, expected, count};
    return best_scan().expects(static_cast<Type>(type), arrays, from, to, number, reach) ? 1 : 0;
}

int bind_compare_explains(uint32_t type, const void *expected, const void *actual, size_t count, const double *limits,
                          double factor, double offset) {
    return best_scan().explains(static_cast<Type>(type), {expected, actual, count}, limits_of(limits), {factor, offset})
               ? 1
               : 0;
}
