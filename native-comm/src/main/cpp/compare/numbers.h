// Elements as numbers, and when two of them are equal. Part of scan_loops.h.

#ifndef RANKUNIT_COMPARE_NUMBERS_H
#define RANKUNIT_COMPARE_NUMBERS_H

#ifdef __F16C__
#include <immintrin.h>
#endif
#include <math.h>
#include <string.h>

#include "compare/measure.h"
#include "support/float_bits.h"

namespace rankunit::compare {
namespace {

// Elements of both arrays stay in the first-level cache for a second look, and the processor fetches the next ones
// meanwhile.
constexpr size_t BLOCK = 512;
constexpr size_t PART = 32;
// A product is not further below the quotient that it was made of.
constexpr double ROUNDED_DOWN = 1 - 0x1p-51;
// More than the relative error of a few roundings to float, and than the absolute error of those to subnormal numbers.
constexpr double NARROWER = 1 - 0x1p-18;
constexpr float NARROWER_FLOAT = 1 - 0x1p-18f;
constexpr float SUBNORMAL_ERROR = 0x1p-148f;

RANKUNIT_INLINE float magnitude(float number) {
    return fabsf(number);
}

RANKUNIT_INLINE double magnitude(double number) {
    return fabs(number);
}

// A difference of two numbers that is not rounded, as none of at most half of one of them is (Sterbenz). With a margin,
// because a larger one may have been rounded to half.
template <typename Number>
RANKUNIT_INLINE bool is_surely_exact(Number difference, Number expected) {
    return difference <= magnitude(expected) * Number(0.4375);
}

// The lowest bits of 8 bytes.
RANKUNIT_INLINE uint32_t bits_of_bytes(const uint8_t *from) {
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    // Moves the lowest bit of each byte to the highest byte.
    return static_cast<uint32_t>(bytes * 0x0102040810204080 >> 56);
}

struct Float32 {
    using Bits = uint32_t;
    using Number = float;
    static constexpr double SMALLEST_NORMAL = 0x1p-126;
    // The distance of neighbours, relative to the power of two below them.
    static constexpr double STEP = 0x1p-23;
    static RANKUNIT_INLINE float number(Bits bits) { return of_bits(bits); }
};

struct BFloat16 {
    using Bits = uint16_t;
    using Number = float;
    static constexpr double SMALLEST_NORMAL = 0x1p-126;
    // The distance of neighbours, relative to the power of two below them.
    static constexpr double STEP = 0x1p-7;
    static RANKUNIT_INLINE float number(Bits bits) { return of_bits(static_cast<uint32_t>(bits) << 16); }
};

struct Float16 {
    using Bits = uint16_t;
    using Number = float;
    static constexpr double SMALLEST_NORMAL = 0x1p-14;
    // The distance of neighbours, relative to the power of two below them.
    static constexpr double STEP = 0x1p-10;
    static RANKUNIT_INLINE float number(Bits bits) { return float_of_half(bits); }
};

struct Float64 {
    using Bits = uint64_t;
    using Number = double;
    static constexpr double SMALLEST_NORMAL = 0x1p-1022;
    // The distance of neighbours, relative to the power of two below them.
    static constexpr double STEP = 0x1p-52;
    static RANKUNIT_INLINE double number(Bits bits) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
};

// An integer of at most 32 bits.
template <typename Int>
struct Integer {
    using Bits = Int;
    using Number = double;
    static constexpr double SMALLEST_NORMAL = 0;
    // The distance of neighbours, relative to the power of two below them.
    static constexpr double STEP = 0x1p-0;
    static RANKUNIT_INLINE double number(Bits bits) { return static_cast<double>(bits); }
};

// The numbers of a block, so that each is widened once. Different bits are different numbers, except that a NaN may
// lose its payload.
template <typename T, size_t elements, bool halves = sizeof(typename T::Bits) == 2 && sizeof(typename T::Number) == 4>
class Block {
public:
    Block(const typename T::Bits *from) { widen<T>(from, widened_); }
    RANKUNIT_INLINE float operator[](size_t i) const { return widened_[i]; }

private:
    template <typename Wide>
    static RANKUNIT_INLINE void widen(const typename Wide::Bits *from, float *to) {
        size_t i = 0;
#ifdef __F16C__
        if constexpr (__is_same(Wide, Float16)) {
            for (; i < elements; i += 8) {
                _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i))));
            }
        }
#endif
        for (; i < elements; i++) to[i] = Wide::number(from[i]);
    }

    alignas(64) float widened_[elements];
};

template <typename T, size_t elements>
class Block<T, elements, false> {
public:
    Block(const typename T::Bits *from) : from_(from) {}
    RANKUNIT_INLINE typename T::Number operator[](size_t i) const { return T::number(from_[i]); }

private:
    const typename T::Bits *from_;
};

template <typename Number>
RANKUNIT_INLINE Number smaller(Number one, Number other) {
    return one < other ? one : other;
}

template <typename Number>
RANKUNIT_INLINE Number larger(Number one, Number other) {
    return one > other ? one : other;
}

float narrower(double bound) {
    return static_cast<float>(smaller<double>(bound * NARROWER, __FLT_MAX__));
}

float rounded_down(double bound) {
    const float nearest = static_cast<float>(smaller<double>(bound, __FLT_MAX__));
    return static_cast<double>(nearest) <= bound ? nearest : nextafterf(nearest, 0);
}

// Fused where that is fast: the sign of the result is then that of the exact one.
RANKUNIT_INLINE float sum_of_product(float factor, float size, float summand) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return __builtin_fmaf(factor, size, summand);
#else
    return factor * NARROWER_FLOAT * size + summand;
#endif
}

// Whether a difference is certainly at most a product; NaN is not.
RANKUNIT_INLINE bool is_at_most_product(float difference, float factor, float size) {
    return (sum_of_product(factor, size, -(difference + SUBNORMAL_ERROR)) >= 0) | (difference == 0);
}

RANKUNIT_INLINE double allowed(double expected_magnitude, const Limits &limits) {
    return limits.atol + limits.rtol * larger(expected_magnitude, limits.floor);
}

bool accepts(double expected, double actual, const Limits &limits) {
    if (expected == actual) return true;
    if (isnan(expected) || isnan(actual)) return limits.nan_equals_nan && isnan(expected) && isnan(actual);
    if (isinf(expected) || isinf(actual)) return false;
    const double difference = fabs(actual - expected);
    if (difference <= __DBL_MAX__) return difference <= allowed(fabs(expected), limits);
    // The difference of two finite numbers is too large for a number; half of each side of the comparison is not.
    const double half = fabs(actual / 2 - expected / 2);
    return half <= limits.atol / 2 + limits.rtol * (larger(fabs(expected), limits.floor) / 2);
}

}  // namespace
}  // namespace rankunit::compare

#endif
