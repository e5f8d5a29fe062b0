// The functions of compare/measure.h as Java calls them. Addresses are those of the first elements, little endian;
// `limits` is {rtol, atol, floor, 1 if NaN equals NaN, else 0}.
#ifndef RANKUNIT_ABI_BIND_COMPARE_H
#define RANKUNIT_ABI_BIND_COMPARE_H

#include <cstddef>
#include <cstdint>

#include "rankunit/comm.h"

extern "C" {

// Stores {largest difference, largest relative difference, those of the elements that differ} in `extremes_out`, the
// indices of these four, the other numbers of Measurements and Spread and the samples in `counts_out`, the indices of
// the first `capacity` elements that differ in `indices_out`, and, if more than `allowed` ones do or one is not finite,
// a Profile. bind_compare.cpp and ArrayScan.java have the order.
RANKUNIT_EXPORT void bind_compare_measure(uint32_t type, const void *expected, const void *actual, size_t count,
                                          const double *limits, int64_t allowed, double *extremes_out,
                                          int64_t *counts_out, int32_t *indices_out, size_t capacity,
                                          const double *powers, size_t power_count, int64_t *decades_out,
                                          double *largest_out, size_t parts);

// Stores the indices of elements that differ, from `from` on, at most `capacity`; returns how many.
RANKUNIT_EXPORT size_t bind_compare_list(uint32_t type, const void *expected, const void *actual, size_t count,
                                         const double *limits, size_t from, int32_t *indices_out, size_t capacity);

// Stores the count and the first index of each kind of Specials, in their order.
RANKUNIT_EXPORT void bind_compare_specials(uint32_t type, const void *expected, const void *actual, size_t count,
                                           int64_t *counts_out);

// Returns 1 if an expected element in [from, to) is `number`, or closer to it than `reach`; else 0.
RANKUNIT_EXPORT int bind_compare_expects(uint32_t type, const void *expected, size_t count, size_t from, size_t to,
                                         double number, double reach);

// Returns 1 if factor * e + offset explains every element that differs, e being the expected one; else 0.
RANKUNIT_EXPORT int bind_compare_explains(uint32_t type, const void *expected, const void *actual, size_t count,
                                          const double *limits, double factor, double offset);

}  // extern "C"

#endif
