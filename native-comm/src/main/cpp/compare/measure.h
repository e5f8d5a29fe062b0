// How far two arrays of elements are from each other, as fast as memory allows. The definitions are those of
// org.rankunit.golden in Java, which has the same functions for machines and types without these; results are equal to
// the last bit.

#ifndef RANKUNIT_COMPARE_MEASURE_H
#define RANKUNIT_COMPARE_MEASURE_H

#include <cstddef>
#include <cstdint>

namespace rankunit::compare {

// As Java passes them. Each element is a double without rounding.
enum Type : uint32_t {
    FLOAT32 = 0,
    FLOAT16 = 1,
    BFLOAT16 = 2,
    FLOAT64 = 3,
    INT8 = 4,
    UINT8 = 5,
    INT16 = 6,
    UINT16 = 7,
    INT32 = 8,
    UINT32 = 9,
};

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

// Some of the elements that differ, spread over all of them: every n-th one, where n doubles when there is no space
// left.
struct Samples {
    static constexpr size_t MOST = 64;
    int32_t indices[MOST] = {};
    size_t size = 0;
    size_t every = 1;
};

// How the elements that differ are spread, and what they have in common.
struct Spread {
    int64_t first = -1;
    int64_t last = -1;
    // Contiguous runs: their number, the start of the last one, the length of the first one, the distance from its
    // start to that of the second one, and whether all but the last one are as long and as far from the next.
    int64_t runs = 0;
    int64_t run_start = 0;
    int64_t run_length = 0;
    int64_t period = 0;
    bool periodic = true;
    // Whether all have the same actual number.
    bool same_actual = true;
    // Zeros for which a subnormal number was expected.
    int64_t flushed = 0;
    Extremes worst;
    Samples samples;
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

// What a comparison gives besides numbers.
struct Details {
    // The first elements that differ, in ascending order.
    int32_t *indices;
    size_t capacity;
    // Made only if more elements differ than may, or one that is not finite.
    int64_t allowed_mismatches;
    Profile profile;
};

struct Measurements {
    int64_t mismatches = 0;
    int64_t bit_differences = 0;
    int64_t non_finite = 0;
    Extremes extremes;
    Spread spread;
};

// An explanation of differing elements: each is about factor * e + offset for the expected element e.
struct Line {
    double factor;
    double offset;
};

// Elements that are no ordinary numbers, and the first of each kind; -1 without any.
struct Specials {
    struct Kind {
        int64_t count = 0;
        int64_t first = -1;
    };
    Kind actual_nans;
    Kind expected_nans;
    Kind both_nans;
    // Where the actual element is finite.
    Kind unexpected_nans;
    Kind unexpected_infinities;
    // -0.0 for 0.0, or the reverse.
    Kind other_zeros;
};

// The functions for one kind of processor.
struct Scan {
    Measurements (*measure)(Type type, const Arrays &arrays, const Limits &limits, const Details &details);
    // Writes the indices of elements that differ, from an index on, at most `capacity`; returns how many.
    size_t (*list)(Type type, const Arrays &arrays, const Limits &limits, size_t from, int32_t *indices,
                   size_t capacity);
    Specials (*specials)(Type type, const Arrays &arrays);
    // Whether an expected element in [from, to) is a number, or closer to it than `reach`.
    bool (*expects)(Type type, const Arrays &arrays, size_t from, size_t to, double number, double reach);
    // Whether a line explains every element that differs: it must be the number, as close as rounding allows, or as
    // close as the tolerance allows, and much closer than the expected one. Integers must be the number.
    bool (*explains)(Type type, const Arrays &arrays, const Limits &limits, const Line &line);
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
