// The loops of measure.h, for the processor that the including file is compiled for. It defines RANKUNIT_SCAN, the name
// of the Scan. Templates of the C++ library are not used: the linker might take a copy that was compiled for another
// processor.

#ifndef RANKUNIT_COMPARE_SCAN_LOOPS_H
#define RANKUNIT_COMPARE_SCAN_LOOPS_H

#include "compare/errors.h"
#include "compare/explain.h"
#include "compare/spread.h"

namespace rankunit::compare {
namespace {

template <size_t bytes>
struct Unsigned {
    using Type = uint16_t;
};
template <>
struct Unsigned<4> {
    using Type = uint32_t;
};
template <>
struct Unsigned<8> {
    using Type = uint64_t;
};

template <typename T>
class Comparison {
public:
    using Bits = typename T::Bits;
    using Number = typename T::Number;
    using Numbers = Block<T, BLOCK>;

    Comparison(const Arrays &arrays, const Limits &limits)
        : arrays_(arrays),
          expected_(static_cast<const Bits *>(arrays.expected)),
          actual_(static_cast<const Bits *>(arrays.actual)),
          count_(arrays.count),
          limits_(limits) {}

    Measurements measure(const Details &details) {
        const Differences<T> differences(arrays_, details);
        Errors<T> errors(arrays_, limits_, details.profile);
        Measurements found;
        const auto failed = [&] { return found.mismatches > details.allowed_mismatches || found.non_finite > 0; };
        size_t unprofiled = 0;
        size_t done = 0;
        for (; done + BLOCK <= count_; done += BLOCK) {
            const Numbers wanted(expected_ + done);
            const Numbers got(actual_ + done);
            measure_block(done, wanted, got, differences, found, failed() ? &errors : nullptr);
            if (failed() && others_are_equal_) {
                errors.add_apart(done, apart_, apart_count_);
            } else if (failed()) {
                errors.add(done, wanted, got, apart_, apart_count_);
            } else {
                unprofiled = done + BLOCK;
            }
        }
        found.bit_differences += different_bits(done, count_);
        measure_each(done, count_, differences, found);
        if (!failed()) return found;
        errors.add_each(done, count_);
        for (size_t from = 0; from < unprofiled; from += BLOCK) {
            errors.add(from, Numbers(expected_ + from), Numbers(actual_ + from), nullptr, 0);
        }
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

private:
    // The loops over a block have no branches and one kind of counter, so that the compiler makes vector instructions
    // of them.

    // Has a bit for each part of a block but those whose elements are finite, within the tolerance, and no further off
    // than others before: most are.
    uint32_t striking_parts(size_t from, const Numbers &wanted, const Numbers &got, const Extremes &extremes,
                            Errors<T> *errors) const {
        if constexpr (T::SMALLEST_NORMAL > 0) {
            if (errors == nullptr) return striking<false>(wanted, got, extremes, nullptr);
            errors->begin(from);
            return striking<true>(wanted, got, extremes, errors);
        } else {
            uint32_t parts = 0;
            for (size_t part = 0; part < BLOCK / PART; part++) {
                const size_t begin = from + part * PART;
                parts |= different_bits(begin, begin + PART) == 0 ? 0 : 1u << part;
            }
            return parts;
        }
    }

    // Bounds in float that are rounded down, so that no striking element is passed over.
    struct FloatBounds {
        float atol;
        float rtol;
        float floor;
        float absolute;
        float relative;
    };

    FloatBounds float_bounds(const Extremes &extremes) const {
        const float relative = rounded_down(extremes.relative);
        // A difference of at most half of the expected number is exact in float. A larger one may have been rounded to
        // this bound.
        const float largest = rounded_down(extremes.absolute);
        return {narrower(limits_.atol) - SUBNORMAL_ERROR, narrower(limits_.rtol), narrower(limits_.floor),
                relative <= 0.5f ? largest : largest * NARROWER_FLOAT, relative};
    }

    static RANKUNIT_INLINE uint32_t strikes(float expected, float difference, const FloatBounds &bounds) {
        const float size = fabsf(expected);
        const float within = sum_of_product(bounds.rtol, larger(size, bounds.floor), bounds.atol);
        const float bound = smaller(larger(within, 0.0f), bounds.absolute);
        uint32_t strikes = difference <= bound ? 0u : 1u;
        strikes |= is_at_most_product(difference, bounds.relative, size) ? 0u : 1u;
        return strikes;
    }

    // Every LANES-th element of a part in one of so many: to add up all lanes of each part would take longer than to
    // find what they hold.
    static constexpr size_t LANES = 8;
    template <typename Word>
    struct Lanes {
        alignas(32) Word values[LANES];
    };

    // Has a bit for each part with a lane that is 1 and not 0.
    template <typename Word>
    static uint32_t parts_of(const Lanes<Word> (&strike)[BLOCK / PART]) {
        Lanes<Word> parts = {};
        for (size_t part = 0; part < BLOCK / PART; part++) {
            for (size_t lane = 0; lane < LANES; lane++) parts.values[lane] |= strike[part].values[lane] << part;
        }
        return static_cast<uint32_t>(any_of(parts));
    }

    template <typename Word>
    static Word any_of(const Lanes<Word> &lanes) {
        Word any = 0;
        for (size_t lane = 0; lane < LANES; lane++) any |= lanes.values[lane];
        return any;
    }

    struct DoubleBounds {
        Limits limits;
        double absolute;
        double relative;
    };

    DoubleBounds double_bounds(const Extremes &extremes) const {
        return {limits_, smaller(extremes.absolute, __DBL_MAX__), extremes.relative * ROUNDED_DOWN};
    }

    static RANKUNIT_INLINE uint64_t strikes(double expected, double difference, const DoubleBounds &bounds) {
        const double size = fabs(expected);
        const double bound = smaller(smaller(allowed(size, bounds.limits), bounds.absolute), bounds.relative * size);
        return difference <= bound ? 0u : 1u;
    }

    auto bounds(const Extremes &extremes) const {
        if constexpr (sizeof(Number) == sizeof(float)) {
            return float_bounds(extremes);
        } else {
            return double_bounds(extremes);
        }
    }

    template <bool keeps>
    uint32_t striking(const Numbers &wanted, const Numbers &got, const Extremes &extremes, Errors<T> *errors) const {
        using Word = decltype(as_unsigned(typename Errors<T>::Key()));
        const auto all = bounds(extremes);
        typename Errors<T>::Key *keys = keeps ? errors->keys() : nullptr;
        Lanes<Word> strike[BLOCK / PART];
        Lanes<Word> inexact = {};
        for (size_t part = 0; part < BLOCK / PART; part++) {
            for (size_t lane = 0; lane < LANES; lane++) {
                Word rare = 0;
                for (size_t n = 0; n < PART / LANES; n++) {
                    const size_t i = part * PART + n * LANES + lane;
                    const Number difference = magnitude(got[i] - wanted[i]);
                    if constexpr (keeps) keys[i] = key_of(difference);
                    if constexpr (keeps && Errors<T>::IS_ROUNDED) {
                        inexact.values[lane] |= is_surely_exact(difference, wanted[i]) ? 0u : 1u;
                    }
                    rare |= strikes(wanted[i], difference, all);
                }
                strike[part].values[lane] = rare;
            }
        }
        if constexpr (keeps) errors->set_exact(any_of(inexact) == 0);
        return parts_of(strike);
    }

    // Has a bit for each striking element of a part.
    uint32_t striking_elements(size_t begin, const Bits *expected, const Bits *actual, const Numbers &wanted,
                               const Numbers &got, const Extremes &extremes) const {
        uint8_t strike[PART];
        if constexpr (T::SMALLEST_NORMAL > 0) {
            const auto all = bounds(extremes);
            for (size_t i = 0; i < PART; i++) {
                const Number number = wanted[begin + i];
                strike[i] = static_cast<uint8_t>(strikes(number, magnitude(got[begin + i] - number), all));
            }
        } else {
            for (size_t i = 0; i < PART; i++) strike[i] = expected[begin + i] == actual[begin + i] ? 0 : 1;
        }
        uint32_t elements = 0;
        for (size_t i = 0; i < PART; i += 8) elements |= bits_of_bytes(strike + i) << i;
        return elements;
    }

    int64_t different_bits(size_t from, size_t to) const {
        // As wide as elements are, so that none is widened; at least as wide as a block has elements.
        typename Unsigned<sizeof(Bits)>::Type bits = 0;
        for (size_t i = from; i < to; i++) bits += expected_[i] == actual_[i] ? 0 : 1;
        return static_cast<int64_t>(bits);
    }

    void measure_block(size_t from, const Numbers &wanted, const Numbers &got, const Differences<T> &differences,
                       Measurements &found, Errors<T> *errors) {
        apart_count_ = 0;
        others_are_equal_ = false;
        found.bit_differences += different_bits(from, from + BLOCK);
        const uint32_t parts = striking_parts(from, wanted, got, found.extremes, errors);
        // The elements of other parts have the same bits, if they are integers.
        others_are_equal_ = T::SMALLEST_NORMAL == 0 && __builtin_popcount(parts) <= FEW_PARTS;
        if (parts == 0) return;
        if (__builtin_popcount(parts) <= FEW_PARTS) {
            measure_parts(from, parts, wanted, got, differences, found);
            return;
        }
        const uint32_t mismatches = count(wanted, got);
        if (mismatches == 0) {
            if (exceeds(wanted, got, found.extremes)) add_extremes(from, found.extremes);
        } else if (mismatches == BLOCK) {
            differences.add_block(from, wanted, got, found);
            if (exceeds(wanted, got, found.spread.worst)) {
                add_extremes(from, found.spread.worst);
                add_extremes(from, found.extremes);
            }
        } else if (mismatches > BLOCK || exceeds(wanted, got, found.spread.worst)) {
            measure_each(from, from + BLOCK, differences, found);
        } else {
            add_differing(from, wanted, got, differences, found);
        }
    }

    // Adds the elements of a block that differ if none is further off than others.
    void add_differing(size_t from, const Numbers &wanted, const Numbers &got, const Differences<T> &differences,
                       Measurements &found) const {
        const Limits limits = limits_;
        uint8_t differs[BLOCK];
        for (size_t i = 0; i < BLOCK; i++) {
            const double expected = wanted[i];
            differs[i] = fabs(got[i] - expected) <= allowed(fabs(expected), limits) ? 0 : 1;
        }
        differences.add_some(from, wanted, got, differs, found);
    }

    // Where few elements differ, they are kept apart.
    void measure_parts(size_t from, uint32_t parts, const Numbers &wanted, const Numbers &got,
                       const Differences<T> &differences, Measurements &found) {
        for (; parts != 0; parts &= parts - 1) {
            const size_t begin = static_cast<size_t>(__builtin_ctz(parts)) * PART;
            uint32_t elements = striking_elements(begin, expected_ + from, actual_ + from, wanted, got, found.extremes);
            for (; elements != 0; elements &= elements - 1) {
                const size_t i = begin + static_cast<size_t>(__builtin_ctz(elements));
                const int64_t mismatches = found.mismatches;
                measure_each(from + i, from + i + 1, differences, found);
                if (found.mismatches > mismatches || others_are_equal_)
                    apart_[apart_count_++] = static_cast<uint32_t>(i);
            }
        }
    }

    // Counts the elements of a block that differ; more than there are if a number is not finite.
    uint32_t count(const Numbers &wanted, const Numbers &got) const {
        const Limits limits = limits_;
        uint32_t mismatches = 0;
        uint32_t odd = 0;
        for (size_t i = 0; i < BLOCK; i++) {
            const double expected = wanted[i];
            const double difference = fabs(got[i] - expected);
            mismatches += difference <= allowed(fabs(expected), limits) ? 0u : 1u;
            odd |= difference <= __DBL_MAX__ ? 0u : 1u;
        }
        return odd == 0 ? mismatches : BLOCK + 1;
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

    void measure_each(size_t from, size_t to, const Differences<T> &differences, Measurements &found) const {
        for (size_t i = from; i < to; i++) {
            const Number wanted = T::number(expected_[i]);
            const Number got = T::number(actual_[i]);
            const double expected = wanted;
            const double actual = got;
            const bool differs = !accepts(expected, actual, limits_);
            if (differs) {
                differences.add(i, wanted, got, found);
                found.non_finite += isfinite(expected) && isfinite(actual) ? 0 : 1;
            }
            if (expected_[i] != actual_[i] || differs) {
                add(found.extremes, i, fabs(actual - expected), fabs(expected));
            }
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

    // With more, the numbers of a block are counted at once.
    static constexpr int FEW_PARTS = 4;

    Arrays arrays_;
    const Bits *expected_;
    const Bits *actual_;
    size_t count_;
    Limits limits_;
    // The elements of the last block that differ, if they are few, and others that may.
    uint32_t apart_[FEW_PARTS * PART];
    size_t apart_count_ = 0;
    // Whether all but those are as expected.
    bool others_are_equal_ = false;
};

template <template <typename> class Of, typename Use>
RANKUNIT_INLINE auto as(Type type, const Arrays &arrays, const Limits &limits, Use use) {
    switch (type) {
        case FLOAT16:
            return use(Of<Float16>(arrays, limits));
        case BFLOAT16:
            return use(Of<BFloat16>(arrays, limits));
        case FLOAT64:
            return use(Of<Float64>(arrays, limits));
        case INT8:
            return use(Of<Integer<int8_t>>(arrays, limits));
        case UINT8:
            return use(Of<Integer<uint8_t>>(arrays, limits));
        case INT16:
            return use(Of<Integer<int16_t>>(arrays, limits));
        case UINT16:
            return use(Of<Integer<uint16_t>>(arrays, limits));
        case INT32:
            return use(Of<Integer<int32_t>>(arrays, limits));
        case UINT32:
            return use(Of<Integer<uint32_t>>(arrays, limits));
        default:
            return use(Of<Float32>(arrays, limits));
    }
}

Measurements measure(Type type, const Arrays &arrays, const Limits &limits, const Details &details) {
    return as<Comparison>(type, arrays, limits, [&](auto comparison) { return comparison.measure(details); });
}

size_t list(Type type, const Arrays &arrays, const Limits &limits, size_t from, int32_t *indices, size_t capacity) {
    return as<Comparison>(type, arrays, limits,
                          [=](auto comparison) { return comparison.list(from, indices, capacity); });
}

Specials specials(Type type, const Arrays &arrays) {
    return as<Explanation>(type, arrays, {}, [](auto explanation) { return explanation.specials(); });
}

bool expects(Type type, const Arrays &arrays, size_t from, size_t to, double number, double reach) {
    return as<Explanation>(type, arrays, {},
                           [=](auto explanation) { return explanation.expects(from, to, number, reach); });
}

bool explains(Type type, const Arrays &arrays, const Limits &limits, const Line &line) {
    return as<Explanation>(type, arrays, limits, [&](auto explanation) { return explanation.explains(line); });
}

}  // namespace

extern const Scan RANKUNIT_SCAN;
const Scan RANKUNIT_SCAN = {measure, list, specials, expects, explains};

}  // namespace rankunit::compare

#endif
