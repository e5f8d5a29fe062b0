// The functions of compare/measure.h as Java calls them. Addresses are those of the first elements, little endian;
// `limits` is {rtol, atol, floor, 1 if NaN equals NaN, else 0}.
#ifndef RANKUNIT_ABI_BIND_COMPARE_H
#define RANKUNIT_ABI_BIND_COMPARE_H

#include <cstddef>
#include <cstdint>

#include "rankunit/comm.h"

extern "C" {

// Stores {largest difference, largest relative difference} in `extremes_out`, and {mismatches, different bits,
// mismatches that are not finite, index of the largest difference, index of the largest relative difference} in
// `counts_out`.
RANKUNIT_EXPORT void bind_compare_measure(uint32_t type, const void *expected, const void *actual, size_t count,
                                          const double *limits, double *extremes_out, int64_t *counts_out);

// Stores the indices of elements that differ, from `from` on, at most `capacity`; returns how many.
RANKUNIT_EXPORT size_t bind_compare_list(uint32_t type, const void *expected, const void *actual, size_t count,
                                         const double *limits, size_t from, int32_t *indices_out, size_t capacity);

// Counts errors in [powers[i], powers[i + 1]) in `decades_out[i]`, and stores the largest error of each of `parts`
// equal parts.
RANKUNIT_EXPORT void bind_compare_profile(uint32_t type, const void *expected, const void *actual, size_t count,
                                          const double *limits, const double *powers, size_t power_count,
                                          int64_t *decades_out, double *largest_out, size_t parts);

}  // extern "C"

#endif
