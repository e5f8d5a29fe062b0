#include "abi/bind_compare.h"

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

int bind_compare_explains(uint32_t type, const void *expected, const void *actual, size_t count, const double *limits,
                          double factor, double offset) {
    return best_scan().explains(static_cast<Type>(type), {expected, actual, count}, limits_of(limits), {factor, offset})
               ? 1
               : 0;
}
