#include "abi/bind_compare.h"

#include "compare/measure.h"

using namespace rankunit::compare;

namespace {

Limits limits_of(const double *limits) {
    return {limits[0], limits[1], limits[2], limits[3] != 0};
}

}  // namespace

void bind_compare_measure(uint32_t type, const void *expected, const void *actual, size_t count, const double *limits,
                          double *extremes_out, int64_t *counts_out) {
    const Measurements found =
        best_scan().measure(static_cast<Type>(type), {expected, actual, count}, limits_of(limits));
    extremes_out[0] = found.extremes.absolute;
    extremes_out[1] = found.extremes.relative;
    counts_out[0] = found.mismatches;
    counts_out[1] = found.bit_differences;
    counts_out[2] = found.non_finite;
    counts_out[3] = found.extremes.absolute_index;
    counts_out[4] = found.extremes.relative_index;
}

size_t bind_compare_list(uint32_t type, const void *expected, const void *actual, size_t count, const double *limits,
                         size_t from, int32_t *indices_out, size_t capacity) {
    return best_scan().list(static_cast<Type>(type), {expected, actual, count}, limits_of(limits), from, indices_out,
                            capacity);
}

void bind_compare_profile(uint32_t type, const void *expected, const void *actual, size_t count, const double *limits,
                          const double *powers, size_t power_count, int64_t *decades_out, double *largest_out,
                          size_t parts) {
    best_scan().profile(static_cast<Type>(type), {expected, actual, count}, limits_of(limits),
                        {powers, power_count, decades_out, largest_out, parts});
}
