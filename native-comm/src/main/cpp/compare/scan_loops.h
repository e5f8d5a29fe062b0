// The loops of measure.h, for the processor that the including file is compiled for. It defines RANKUNIT_SCAN, the name
// of the Scan. Templates of the C++ library are not used: the linker might take a copy that was compiled for another
// processor.

#ifndef RANKUNIT_COMPARE_SCAN_LOOPS_H
#define RANKUNIT_COMPARE_SCAN_LOOPS_H

#ifdef __F16C__
#include <immintrin.h>
#endif
#include <math.h>
#include <string.h>

#include "compare/measure.h"

namespace rankunit::compare {
namespace {

// Elements of both arrays stay in the first-level cache for a second look.
constexpr size_t BLOCK = 1024;
constexpr size_t PART = 32;
// A product is not further below the quotient that it was made of.
constexpr double ROUNDED_DOWN = 1 - 0x1p-51;
// More than the relative error of a few roundings to float, and than the absolute error of those to subnormal numbers.
constexpr double NARROWER = 1 - 0x1p-18;
constexpr float NARROWER_FLOAT = 1 - 0x1p-18f;
constexpr float SUBNORMAL_ERROR = 0x1p-148f;

#define RANKUNIT_INLINE inline __attribute__((always_inline))

RANKUNIT_INLINE float of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

RANKUNIT_INLINE uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

struct Float32 {
    using Bits = uint32_t;
    static RANKUNIT_INLINE float number(Bits bits) { return of_bits(bits); }
};

struct BFloat16 {
    using Bits = uint16_t;
    static RANKUNIT_INLINE float number(Bits bits) { return of_bits(static_cast<uint32_t>(bits) << 16); }
};

struct Float16 {
    using Bits = uint16_t;
    // The exponent is 112 too small after the shift; the product also makes subnormal numbers normal. NaN and
    // infinities get the largest exponent.
    static RANKUNIT_INLINE float number(Bits bits) {
        const uint32_t scaled = bits_of(of_bits((bits & 0x7fffu) << 13) * 0x1p112f);
        const uint32_t special = (bits & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
        return of_bits(scaled | special | (bits & 0x8000u) << 16);
    }
};

// The numbers of a block, so that each is widened once. Different bits are different numbers, except that a NaN may
// lose its payload.
template <typename T, size_t elements>
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

template <size_t elements>
class Block<Float32, elements> {
public:
    Block(const uint32_t *from) : from_(from) {}
    RANKUNIT_INLINE float operator[](size_t i) const { return of_bits(from_[i]); }

private:
    const uint32_t *from_;
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
    return fabs(actual - expected) <= allowed(fabs(expected), limits);
}

void add(Extremes &extremes, size_t index, double difference, double expected_magnitude) {
    if (difference > extremes.absolute) {
        extremes.absolute = difference;
        extremes.absolute_index = static_cast<int64_t>(index);
    }
    if (expected_magnitude == 0 || isinf(expected_magnitude)) return;
    const double ratio = difference / expected_magnitude;
    if (ratio > extremes.relative) {
        extremes.relative = ratio;
        extremes.relative_index = static_cast<int64_t>(index);
    }
}

template <typename T>
class Comparison {
public:
    using Bits = typename T::Bits;
    using Numbers = Block<T, BLOCK>;

    Comparison(const Arrays &arrays, const Limits &limits)
        : expected_(static_cast<const Bits *>(arrays.expected)),
          actual_(static_cast<const Bits *>(arrays.actual)),
          count_(arrays.count),
          limits_(limits) {}

    Measurements measure() const {
        Measurements found;
        size_t done = 0;
        for (; done + BLOCK <= count_; done += BLOCK) measure_block(done, found);
        measure_each(done, count_, found);
        return found;
    }

    size_t list(size_t from, int32_t *indices, size_t capacity) const {
        size_t listed = 0;
        for (size_t block = from; block < count_ && listed < capacity; block += BLOCK) {
            const size_t end = smaller(block + BLOCK, count_);
            if (end - block == BLOCK && !may_differ<BLOCK>(block)) continue;
            for (size_t part = block; part < end && listed < capacity; part += PART) {
                const size_t part_end = smaller(part + PART, end);
                if (part_end - part == PART && !may_differ<PART>(part)) continue;
                for (size_t i = part; i < part_end && listed < capacity; i++) {
                    if (!accepts(T::number(expected_[i]), T::number(actual_[i]), limits_)) {
                        indices[listed++] = static_cast<int32_t>(i);
                    }
                }
            }
        }
        return listed;
    }

    void profile(const Profile &profile) const {
        size_t decade = 0;
        for (size_t part = 0; part < profile.parts; part++) {
            // The part of element i is i * parts / count, rounded down.
            const size_t end = ((part + 1) * count_ + profile.parts - 1) / profile.parts;
            double largest = 0;
            for (size_t i = (part * count_ + profile.parts - 1) / profile.parts; i < end; i++) {
                if (expected_[i] == actual_[i] && isfinite(T::number(expected_[i]))) continue;
                const double error = error_at(i);
                if (error == 0) continue;
                largest = error > largest ? error : largest;
                if (isinf(error)) continue;
                // Neighbours are often of one decade.
                while (decade > 0 && error < profile.powers[decade]) decade--;
                while (decade + 1 < profile.power_count && error >= profile.powers[decade + 1]) decade++;
                profile.decades[decade]++;
            }
            profile.largest[part] = largest;
        }
    }

private:
    double error_at(size_t i) const {
        const double expected = T::number(expected_[i]);
        const double actual = T::number(actual_[i]);
        const double error = fabs(actual - expected);
        if (!isnan(error)) return error;
        return accepts(expected, actual, limits_) ? 0 : INFINITY;
    }

    // The loops over a block have no branches and one kind of counter, so that the compiler makes vector instructions
    // of them.

    // Passes over a block whose elements are finite, within the tolerance, and no further off than others before: most
    // are. It computes in float with bounds that are rounded down, so that it never passes over any other.
    bool pass_over(const Numbers &wanted, const Numbers &got, Measurements &found) const {
        const float atol = narrower(limits_.atol) - SUBNORMAL_ERROR;
        const float rtol = narrower(limits_.rtol);
        const float floor = narrower(limits_.floor);
        const float relative = rounded_down(found.extremes.relative);
        // A difference of at most half of the expected number is exact in float. A larger one may have been rounded to
        // this bound.
        const float largest = rounded_down(found.extremes.absolute);
        const float absolute = relative <= 0.5f ? largest : largest * NARROWER_FLOAT;
        uint32_t bits = 0;
        uint32_t rare = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            const float expected = wanted[i];
            const float actual = got[i];
            const float difference = fabsf(actual - expected);
            const float size = fabsf(expected);
            const float bound = smaller(larger(sum_of_product(rtol, larger(size, floor), atol), 0.0f), absolute);
            bits += bits_of(expected) == bits_of(actual) ? 0u : 1u;
            rare |= difference <= bound ? 0u : 1u;
            rare |= is_at_most_product(difference, relative, size) ? 0u : 1u;
        }
        if (rare == 0) found.bit_differences += bits;
        return rare == 0;
    }

    void measure_block(size_t from, Measurements &found) const {
        const Numbers wanted(expected_ + from);
        const Numbers got(actual_ + from);
        if (pass_over(wanted, got, found)) return;
        if (!count(wanted, got, found)) {
            measure_each(from, from + BLOCK, found);
        } else if (exceeds(wanted, got, found.extremes)) {
            add_extremes(from, found.extremes);
        }
    }

    // Counts the elements of a block that differ, unless a number is not finite.
    bool count(const Numbers &wanted, const Numbers &got, Measurements &found) const {
        const Limits limits = limits_;
        uint32_t mismatches = 0;
        uint32_t bits = 0;
        uint32_t odd = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            const double expected = wanted[i];
            const double difference = fabs(got[i] - expected);
            mismatches += difference <= allowed(fabs(expected), limits) ? 0u : 1u;
            bits += bits_of(wanted[i]) == bits_of(got[i]) ? 0u : 1u;
            odd |= difference <= __DBL_MAX__ ? 0u : 1u;
        }
        if (odd != 0) return false;
        found.mismatches += mismatches;
        found.bit_differences += bits;
        return true;
    }

    // Whether an element of the block, whose differences are all finite, is further off than one before.
    bool exceeds(const Numbers &wanted, const Numbers &got, const Extremes &extremes) const {
        const double absolute = extremes.absolute;
        const double relative = extremes.relative;
        const double product = relative * ROUNDED_DOWN;
        uint32_t further = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            const double expected = wanted[i];
            const double difference = fabs(got[i] - expected);
            further |= difference <= absolute ? 0u : 1u;
            further |= difference <= product * fabs(expected) ? 0u : 1u;
        }
        if (further == 0) return false;
        further = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            const double expected = wanted[i];
            const double difference = fabs(got[i] - expected);
            const double size = fabs(expected);
            // Without a size there is no relative difference.
            const double ratio = (size == 0 ? 0 : difference) / (size == 0 ? 1 : size);
            further |= difference > absolute ? 1u : 0u;
            further |= ratio > relative ? 1u : 0u;
        }
        return further != 0;
    }

    void add_extremes(size_t from, Extremes &extremes) const {
        for (size_t i = from; i < from + BLOCK; i++) {
            const double expected = T::number(expected_[i]);
            add(extremes, i, fabs(T::number(actual_[i]) - expected), fabs(expected));
        }
    }

    void measure_each(size_t from, size_t to, Measurements &found) const {
        for (size_t i = from; i < to; i++) {
            const double expected = T::number(expected_[i]);
            const double actual = T::number(actual_[i]);
            const bool same_bits = expected_[i] == actual_[i];
            const bool differs = !accepts(expected, actual, limits_);
            if (same_bits && !differs) continue;
            found.bit_differences += same_bits ? 0 : 1;
            if (differs) {
                found.mismatches++;
                found.non_finite += isfinite(expected) && isfinite(actual) ? 0 : 1;
            }
            add(found.extremes, i, fabs(actual - expected), fabs(expected));
        }
    }

    // Whether one of `elements` may differ: equal infinities and NaN are looked at more closely by the caller.
    template <size_t elements>
    bool may_differ(size_t from) const {
        const Limits limits = limits_;
        const Block<T, elements> wanted(expected_ + from);
        const Block<T, elements> got(actual_ + from);
        uint32_t mismatches = 0;
        for (size_t i = 0; i < elements; i++) {
            const double expected = wanted[i];
            const double difference = fabs(got[i] - expected);
            mismatches |= difference <= allowed(fabs(expected), limits) ? 0u : 1u;
            mismatches |= difference <= __DBL_MAX__ ? 0u : 1u;
        }
        return mismatches != 0;
    }

    const Bits *expected_;
    const Bits *actual_;
    size_t count_;
    Limits limits_;
};

template <typename Use>
RANKUNIT_INLINE auto as(Type type, const Arrays &arrays, const Limits &limits, Use use) {
    switch (type) {
        case FLOAT16:
            return use(Comparison<Float16>(arrays, limits));
        case BFLOAT16:
            return use(Comparison<BFloat16>(arrays, limits));
        default:
            return use(Comparison<Float32>(arrays, limits));
    }
}

Measurements measure(Type type, const Arrays &arrays, const Limits &limits) {
    return as(type, arrays, limits, [](auto comparison) { return comparison.measure(); });
}

size_t list(Type type, const Arrays &arrays, const Limits &limits, size_t from, int32_t *indices, size_t capacity) {
    return as(type, arrays, limits, [=](auto comparison) { return comparison.list(from, indices, capacity); });
}

void profile(Type type, const Arrays &arrays, const Limits &limits, const Profile &profile) {
    as(type, arrays, limits, [&](auto comparison) { comparison.profile(profile); });
}

}  // namespace

extern const Scan RANKUNIT_SCAN;
const Scan RANKUNIT_SCAN = {measure, list, profile};

}  // namespace rankunit::compare

#endif
