// The loops of compare/measure.h against one element at a time, for data that comes close to every bound.
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "compare/measure.h"
#include "harness/check.h"
#include "rankunit/half.h"

using namespace rankunit::compare;

namespace {

struct Data {
    Type type;
    size_t count;
    std::vector<uint8_t> expected;
    std::vector<uint8_t> actual;

    Data(Type of, size_t elements)
        : type(of), count(elements), expected(elements * size()), actual(elements * size()) {}

    size_t size() const { return type == FLOAT32 ? sizeof(float) : sizeof(uint16_t); }

    uint32_t bits(const std::vector<uint8_t> &side, size_t i) const {
        uint32_t bits = 0;
        std::memcpy(&bits, side.data() + i * size(), size());
        return bits;
    }

    void set(std::vector<uint8_t> &side, size_t i, uint32_t bits) {
        std::memcpy(side.data() + i * size(), &bits, size());
    }

    double number(const std::vector<uint8_t> &side, size_t i) const {
        const uint32_t stored = bits(side, i);
        if (type == FLOAT16) return rankunit_to_float(RankUnitFloat16{static_cast<uint16_t>(stored)});
        if (type == BFLOAT16) return rankunit_to_float(RankUnitBFloat16{static_cast<uint16_t>(stored)});
        float value;
        std::memcpy(&value, &stored, sizeof value);
        return value;
    }

    Arrays arrays() const { return {expected.data(), actual.data(), count}; }
};

bool accepts(double expected, double actual, const Limits &limits) {
    if (expected == actual) return true;
    if (std::isnan(expected) || std::isnan(actual)) {
        return limits.nan_equals_nan && std::isnan(expected) && std::isnan(actual);
    }
    if (std::isinf(expected) || std::isinf(actual)) return false;
    return std::fabs(actual - expected) <= limits.atol + limits.rtol * std::fmax(limits.floor, std::fabs(expected));
}

Measurements measured(const Data &data, const Limits &limits, std::vector<int32_t> &differing) {
    Measurements found;
    for (size_t i = 0; i < data.count; i++) {
        const double expected = data.number(data.expected, i);
        const double actual = data.number(data.actual, i);
        if (data.bits(data.expected, i) != data.bits(data.actual, i)) found.bit_differences++;
        if (!accepts(expected, actual, limits)) {
            found.mismatches++;
            if (!std::isfinite(expected) || !std::isfinite(actual)) found.non_finite++;
            differing.push_back(static_cast<int32_t>(i));
        }
        const double difference = std::fabs(actual - expected);
        if (difference > found.extremes.absolute) {
            found.extremes.absolute = difference;
            found.extremes.absolute_index = static_cast<int64_t>(i);
        }
        const double ratio = difference / std::fabs(expected);
        if (expected != 0 && !std::isinf(expected) && ratio > found.extremes.relative) {
            found.extremes.relative = ratio;
            found.extremes.relative_index = static_cast<int64_t>(i);
        }
    }
    return found;
}

std::vector<int32_t> listed(const Scan &scan, const Data &data, const Limits &limits, size_t capacity) {
    std::vector<int32_t> all;
    std::vector<int32_t> part(capacity);
    size_t from = 0;
    for (;;) {
        const size_t found = scan.list(data.type, data.arrays(), limits, from, part.data(), capacity);
        all.insert(all.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(found));
        if (found < capacity) return all;
        from = static_cast<size_t>(all.back()) + 1;
    }
}

void check_profile(const Scan &scan, const Data &data, const Limits &limits, size_t parts) {
    const std::vector<double> powers = {1e-46, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e39};
    std::vector<int64_t> decades(powers.size());
    std::vector<int64_t> expected_decades(powers.size());
    std::vector<double> largest(parts);
    std::vector<double> expected_largest(parts);
    for (size_t i = 0; i < data.count; i++) {
        const double expected = data.number(data.expected, i);
        const double actual = data.number(data.actual, i);
        double error = std::fabs(actual - expected);
        if (std::isnan(error)) error = accepts(expected, actual, limits) ? 0 : INFINITY;
        double &of_part = expected_largest[i * parts / data.count];
        of_part = std::fmax(of_part, error);
        for (size_t k = powers.size(); k-- > 0 && error > 0 && std::isfinite(error);) {
            if (error >= powers[k]) {
                expected_decades[k]++;
                break;
            }
        }
    }
    scan.profile(data.type, data.arrays(), limits,
                 {powers.data(), powers.size(), decades.data(), largest.data(), parts});
    CHECK(decades == expected_decades);
    CHECK(largest == expected_largest);
}

void check_scan(const Scan &scan, const Data &data, const Limits &limits, const std::string &what) {
    std::vector<int32_t> differing;
    const Measurements expected = measured(data, limits, differing);
    const Measurements found = scan.measure(data.type, data.arrays(), limits);
    const auto numbers = [&](const Measurements &of) {
        return what + ": " + std::to_string(of.mismatches) + " differ, " + std::to_string(of.bit_differences) +
               " bits, " + std::to_string(of.non_finite) + " not finite, at " +
               std::to_string(of.extremes.absolute_index) + ", " + std::to_string(of.extremes.relative_index);
    };
    CHECK_EQUAL(numbers(found), numbers(expected));
    CHECK_EQUAL(found.extremes.absolute, expected.extremes.absolute);
    CHECK_EQUAL(found.extremes.relative, expected.extremes.relative);
    CHECK(listed(scan, data, limits, 7) == differing);
    CHECK(listed(scan, data, limits, 1 << 16) == differing);
    for (const size_t parts : {size_t{1}, size_t{3}, size_t{64}}) {
        if (data.count >= parts) check_profile(scan, data, limits, parts);
    }
}

void check(const Data &data, const Limits &limits, const std::string &what) {
    check_scan(baseline_scan, data, limits, "baseline, " + what);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        check_scan(avx2_scan, data, limits, "AVX2, " + what);
#endif
}

const Limits CLOSE = {1.3e-6, 1e-5, 0, false};
const Type TYPES[] = {FLOAT32, FLOAT16, BFLOAT16};

// Elements that are equal but for a few steps, and now and then anything at all.
Data noisy(Type type, size_t count, std::mt19937 &random, unsigned wild_every) {
    Data data(type, count);
    const uint32_t mask = type == FLOAT32 ? 0xffffffff : 0xffff;
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = random() & mask;
        data.set(data.expected, i, bits);
        data.set(data.actual, i, random() % 2 == 0 ? bits : (bits + random() % 3) & mask);
        if (wild_every > 0 && random() % wild_every == 0) data.set(data.actual, i, random() & mask);
    }
    return data;
}

}  // namespace

TEST(any_bits_are_measured_like_one_element_at_a_time) {
    std::mt19937 random(1);
    for (const Type type : TYPES) {
        for (const size_t count : {0, 1, 31, 1023, 1024, 1025, 2048, 5000}) {
            for (const unsigned wild_every : {0u, 1u, 7u, 900u}) {
                const Data data = noisy(type, count, random, wild_every);
                const std::string what = std::to_string(type) + " x " + std::to_string(count);
                check(data, CLOSE, what);
                check(data, {1e-3, 0, 1, true}, what + " with a floor");
                check(data, {0, 0, 0, true}, what + " exactly");
                check(data, {DBL_MAX, DBL_MAX, DBL_MAX, false}, what + " with any difference");
            }
        }
    }
}

// Most differences are exactly the largest one so far, or one step beside the tolerance, or tiny.
TEST(differences_at_a_bound_are_told_apart) {
    std::mt19937 random(2);
    const float sizes[] = {0, 1, 3, 64, 99, 1e-30f, FLT_MIN, 0x1p-149f, 0x1.8p-148f, 0x1p-100f, 1e30f, FLT_MAX};
    for (int round = 0; round < 60; round++) {
        Data data(FLOAT32, 4096);
        const double rtol = round % 3 == 0 ? 0 : std::ldexp(1.0 + random() * 0x1p-31, -static_cast<int>(random() % 30));
        const double atol = round % 4 == 0 ? 0 : std::ldexp(1.0 + random() % 5, -static_cast<int>(random() % 152));
        for (size_t i = 0; i < data.count; i++) {
            const float expected = sizes[random() % (round < 30 ? 12 : 5)] * (random() % 2 == 0 ? 1.0f : -1.0f);
            const double bound = atol + rtol * std::fabs(static_cast<double>(expected));
            float actual = static_cast<float>(expected + (random() % 2 == 0 ? bound : -bound));
            for (unsigned step = random() % 3; step > 0; step--) actual = std::nextafter(actual, expected);
            if (random() % 2 == 0) actual = expected;
            if (random() % 500 == 0) actual = std::nextafter(actual, INFINITY);
            std::memcpy(data.expected.data() + i * sizeof expected, &expected, sizeof expected);
            std::memcpy(data.actual.data() + i * sizeof actual, &actual, sizeof actual);
        }
        check(data, {rtol, atol, 0, false}, "round " + std::to_string(round));
    }
}

TEST(infinities_and_nan_in_otherwise_equal_blocks) {
    const float infinity = std::numeric_limits<float>::infinity();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float special[] = {infinity, -infinity, nan, FLT_MAX, -FLT_MAX, 0.0f, -0.0f, 1.0f};
    for (const float expected : special) {
        for (const float actual : special) {
            Data data(FLOAT32, 4096);
            std::memcpy(data.expected.data() + 1500 * sizeof expected, &expected, sizeof expected);
            std::memcpy(data.actual.data() + 1500 * sizeof actual, &actual, sizeof actual);
            // An infinite difference before makes every bound on differences infinite.
            for (const float first : {0.0f, infinity}) {
                std::memcpy(data.actual.data(), &first, sizeof first);
                for (const Limits &limits : {CLOSE, Limits{1, 0, 0, true}, Limits{DBL_MAX, 0, 0, false}}) {
                    check(data, limits, std::to_string(expected) + " and " + std::to_string(actual));
                }
            }
        }
    }
}

namespace {

// Zeros that are equal, but for a few pairs of numbers.
Data with(const std::vector<std::pair<size_t, std::pair<float, float>>> &pairs) {
    Data data(FLOAT32, 2048);
    for (const auto &[index, numbers] : pairs) {
        std::memcpy(data.expected.data() + index * sizeof(float), &numbers.first, sizeof(float));
        std::memcpy(data.actual.data() + index * sizeof(float), &numbers.second, sizeof(float));
    }
    return data;
}

}  // namespace

TEST(a_difference_that_is_rounded_to_the_largest_one_is_larger) {
    const Data data = with({{0, {1e-30f, 1}}, {1, {1, 16777216}}, {1500, {-0.3f, 16777215}}});
    check(data, {0, 1e9, 0, false}, "rounded difference");
    CHECK_EQUAL(best_scan().measure(FLOAT32, data.arrays(), {0, 1e9, 0, false}).extremes.absolute_index, 1500);
}

TEST(a_difference_that_is_rounded_to_the_bound_is_outside) {
    const Data data = with({{0, {1, 3}}, {1, {1e9f, 1.1e9f}}, {1500, {16777215, 3355442.75f}}});
    check(data, {0.8, 0, 0, false}, "rounded to the bound");
    CHECK_EQUAL(best_scan().measure(FLOAT32, data.arrays(), {0.8, 0, 0, false}).mismatches, 2);
}

TEST(a_bound_below_the_smallest_number_is_not_rounded_up_to_it) {
    const Data bound = with({{0, {1, 3}}, {1500, {0x1p-149f, 0x1p-148f}}});
    check(bound, {0.6, 0, 0, false}, "tiny bound");
    CHECK_EQUAL(best_scan().measure(FLOAT32, bound.arrays(), {0.6, 0, 0, false}).mismatches, 2);
    const Data relative = with({{0, {1, 1.75f}}, {1500, {0x1p-149f, 0x1p-148f}}});
    check(relative, {0, 10, 0, false}, "tiny relative difference");
    CHECK_EQUAL(best_scan().measure(FLOAT32, relative.arrays(), {0, 10, 0, false}).extremes.relative_index, 1500);
}

TEST(relative_differences_that_are_the_same_float_are_told_apart) {
    const Data data = with({{0, {10164586, 12705732}}, {1, {1e9f, 1.1e9f}}, {1500, {10942098, 13677622}}});
    check(data, {0, 1e9, 0, false}, "ratios");
    CHECK_EQUAL(best_scan().measure(FLOAT32, data.arrays(), {0, 1e9, 0, false}).extremes.relative_index, 1500);
}
