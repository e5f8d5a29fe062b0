// How far two arrays of floating-point elements are from each other, as fast as memory allows. The definitions are
// those of org.rankunit.golden.compare in Java, which has the same functions for machines and types without these;
// results are equal to the last bit.

#ifndef RANKUNIT_COMPARE_MEASURE_H
#define RANKUNIT_COMPARE_MEASURE_H

#include <cstddef>
#include <cstdint>

namespace rankunit::compare {

// As Java passes them.
enum Type : uint32_t { FLOAT32 = 0, FLOAT16 = 1, BFLOAT16 = 2 };

// An element a equals the expected one e if |a - e| <= atol + rtol * max(floor, |e|); the same infinities are equal.
struct Limits {
    double rtol;
    double atol;
    double floor;
    bool nan_equals_nan;
};

struct Arrays {
    const void *expected;
    const void *actual;
    size_t count;
};

// The largest differences so far and the first elements that have them; -1 without any.
struct Extremes {
    double absolute = 0;
    double relative = 0;
    int64_t absolute_index = -1;
    int64_t relative_index = -1;
};

struct Measurements {
    int64_t mismatches = 0;
    int64_t bit_differences = 0;
    int64_t non_finite = 0;
    Extremes extremes;
};

// How errors are distributed. An error is infinite if NaN or an infinity stands on one side only.
struct Profile {
    // Ascending; an error in [powers[i], powers[i + 1]) is counted in decades[i].
    const double *powers;
    size_t power_count;
    int64_t *decades;
    // The largest error in each of as many equal parts.
    double *largest;
    size_t parts;
};

// The functions for one kind of processor.
struct Scan {
    Measurements (*measure)(Type type, const Arrays &arrays, const Limits &limits);
    // Writes the indices of elements that differ, from an index on, at most `capacity`; returns how many.
    size_t (*list)(Type type, const Arrays &arrays, const Limits &limits, size_t from, int32_t *indices,
                   size_t capacity);
    void (*profile)(Type type, const Arrays &arrays, const Limits &limits, const Profile &profile);
};

// For every processor of the architecture.
extern const Scan baseline_scan;
#ifdef __x86_64__
// For those with AVX2 and FMA.
extern const Scan avx2_scan;
#endif

// The fastest one that runs on this machine.
const Scan &best_scan();

}  // namespace rankunit::compare

#endif
