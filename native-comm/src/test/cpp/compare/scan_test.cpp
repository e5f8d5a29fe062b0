// The loops of compare/measure.h against one element at a time, for data that comes close to every bound.
#include <algorithm>
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

    size_t size() const { return type == FLOAT64 ? 8 : type == INT8 || type == UINT8 ? 1 : is_of_32_bits() ? 4 : 2; }

    bool is_of_32_bits() const { return type == FLOAT32 || type == INT32 || type == UINT32; }

    uint64_t bits(const std::vector<uint8_t> &side, size_t i) const {
        uint64_t bits = 0;
        std::memcpy(&bits, side.data() + i * size(), size());
        return bits;
    }

    void set(std::vector<uint8_t> &side, size_t i, uint64_t bits) {
        std::memcpy(side.data() + i * size(), &bits, size());
    }

    template <typename Number>
    static double as(uint64_t stored) {
        Number value;
        std::memcpy(&value, &stored, sizeof value);
        return static_cast<double>(value);
    }

    double number(const std::vector<uint8_t> &side, size_t i) const {
        const uint64_t stored = bits(side, i);
        switch (type) {
            case FLOAT16:
                return rankunit_to_float(RankUnitFloat16{static_cast<uint16_t>(stored)});
            case BFLOAT16:
                return rankunit_to_float(RankUnitBFloat16{static_cast<uint16_t>(stored)});
            case FLOAT64:
                return as<double>(stored);
            case INT8:
                return as<int8_t>(stored);
            case INT16:
                return as<int16_t>(stored);
            case INT32:
                return as<int32_t>(stored);
            case UINT8:
            case UINT16:
            case UINT32:
                return static_cast<double>(stored);
            default:
                return as<float>(stored);
        }
    }

    double smallest_normal() const {
        switch (type) {
            case FLOAT16:
                return 0x1p-14;
            case FLOAT64:
                return DBL_MIN;
            case FLOAT32:
            case BFLOAT16:
                return FLT_MIN;
            default:
                return 0;
        }
    }

    Arrays arrays() const { return {expected.data(), actual.data(), count}; }
};

bool accepts(double expected, double actual, const Limits &limits) {
    if (expected == actual) return true;
    if (std::isnan(expected) || std::isnan(actual)) {
        return limits.nan_equals_nan && std::isnan(expected) && std::isnan(actual);
    }
    if (std::isinf(expected) || std::isinf(actual)) return false;
    const double size = std::fmax(limits.floor, std::fabs(expected));
    if (std::isinf(actual - expected)) {
        return std::fabs(actual / 2 - expected / 2) <= limits.atol / 2 + limits.rtol * (size / 2);
    }
    return std::fabs(actual - expected) <= limits.atol + limits.rtol * size;
}

void add(Extremes &extremes, size_t i, double expected, double actual) {
    const double difference = std::fabs(actual - expected);
    if (difference > extremes.absolute) {
        extremes.absolute = difference;
        extremes.absolute_index = static_cast<int64_t>(i);
    }
    const double ratio = difference / std::fabs(expected);
    if (expected != 0 && !std::isinf(expected) && ratio > extremes.relative) {
        extremes.relative = ratio;
        extremes.relative_index = static_cast<int64_t>(i);
    }
}

bool is_same(double one, double other) {
    return (std::isnan(one) && std::isnan(other)) || (one == other && std::signbit(one) == std::signbit(other));
}

Spread spread_of(const Data &data, const std::vector<int32_t> &differing) {
    Spread spread;
    if (differing.empty()) return spread;
    std::vector<std::pair<int64_t, int64_t>> runs;
    for (const int32_t index : differing) {
        const auto i = static_cast<size_t>(index);
        const double expected = data.number(data.expected, i);
        const double actual = data.number(data.actual, i);
        if (runs.empty() || runs.back().second != index) runs.emplace_back(index, index);
        runs.back().second = index + 1;
        spread.same_actual &= is_same(actual, data.number(data.actual, static_cast<size_t>(differing[0])));
        spread.flushed += expected != 0 && std::fabs(expected) < data.smallest_normal() && actual == 0 ? 1 : 0;
        add(spread.worst, i, expected, actual);
    }
    spread.first = differing.front();
    spread.last = differing.back();
    spread.runs = static_cast<int64_t>(runs.size());
    spread.run_start = runs.back().first;
    if (runs.size() > 1) {
        spread.run_length = runs[0].second - runs[0].first;
        spread.period = runs[1].first - runs[0].first;
    }
    for (size_t n = 1; n + 1 < runs.size(); n++) {
        spread.periodic &= runs[n].second - runs[n].first == spread.run_length;
        spread.periodic &= runs[n + 1].first - runs[n].first == spread.period;
    }
    while ((differing.size() + spread.samples.every - 1) / spread.samples.every > Samples::MOST) {
        spread.samples.every *= 2;
    }
    for (size_t n = 0; n < differing.size(); n += spread.samples.every) {
        spread.samples.indices[spread.samples.size++] = differing[n];
    }
    return spread;
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
        add(found.extremes, i, expected, actual);
    }
    found.spread = spread_of(data, differing);
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

const std::vector<double> POWERS = {0,    1e-46, 1e-12, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3,
                                    1e-2, 1e-1,  1,     1e1,  1e2,  1e3,  1e10, 1e39, 1e300};

struct Distribution {
    std::vector<int64_t> decades;
    std::vector<double> largest;

    explicit Distribution(size_t parts) : decades(POWERS.size()), largest(parts) {}
};

Distribution distributed(const Data &data, const Limits &limits, size_t parts) {
    Distribution distribution(parts);
    for (size_t i = 0; i < data.count; i++) {
        const double expected = data.number(data.expected, i);
        const double actual = data.number(data.actual, i);
        double error = std::fabs(actual - expected);
        if (std::isnan(error)) error = accepts(expected, actual, limits) ? 0 : INFINITY;
        double &of_part = distribution.largest[i * parts / data.count];
        of_part = std::fmax(of_part, error);
        for (size_t k = POWERS.size(); k-- > 0 && error > 0 && std::isfinite(error);) {
            if (error >= POWERS[k]) {
                distribution.decades[k]++;
                break;
            }
        }
    }
    return distribution;
}

std::string text(const Extremes &extremes) {
    return std::to_string(extremes.absolute_index) + ", " + std::to_string(extremes.relative_index);
}

std::string text(const Measurements &of) {
    const Spread &spread = of.spread;
    std::string all = std::to_string(of.mismatches) + " differ, " + std::to_string(of.bit_differences) + " bits, " +
                      std::to_string(of.non_finite) + " not finite, at " + text(of.extremes) + "; worst " +
                      text(spread.worst) + "; in " + std::to_string(spread.runs) + " runs from " +
                      std::to_string(spread.first) + " to " + std::to_string(spread.last) + ", " +
                      std::to_string(spread.run_start) + ", " + std::to_string(spread.run_length) + " in " +
                      std::to_string(spread.period) + (spread.periodic ? ", periodic" : "") +
                      (spread.same_actual ? ", the same" : "") + ", " + std::to_string(spread.flushed) + " flushed; " +
                      std::to_string(spread.samples.every) + ":";
    for (size_t n = 0; n < spread.samples.size; n++) all += " " + std::to_string(spread.samples.indices[n]);
    return all;
}

Specials specials_of(const Data &data) {
    Specials found;
    for (size_t i = 0; i < data.count; i++) {
        const double expected = data.number(data.expected, i);
        const double actual = data.number(data.actual, i);
        const auto add_if = [i](bool is_of, Specials::Kind &kind) {
            if (is_of && kind.first < 0) kind.first = static_cast<int64_t>(i);
            kind.count += is_of ? 1 : 0;
        };
        add_if(std::isnan(actual), found.actual_nans);
        add_if(std::isnan(expected), found.expected_nans);
        add_if(std::isnan(expected) && std::isnan(actual), found.both_nans);
        add_if(std::isnan(expected) && std::isfinite(actual), found.unexpected_nans);
        add_if(std::isinf(expected) && std::isfinite(actual), found.unexpected_infinities);
        add_if(expected == actual && std::signbit(expected) != std::signbit(actual), found.other_zeros);
    }
    return found;
}

std::string text(const Specials &specials) {
    std::string all;
    for (const Specials::Kind &kind :
         {specials.actual_nans, specials.expected_nans, specials.both_nans, specials.unexpected_nans,
          specials.unexpected_infinities, specials.other_zeros}) {
        all += std::to_string(kind.count) + " from " + std::to_string(kind.first) + ", ";
    }
    return all;
}

// What scans are to find.
struct Reference {
    static constexpr size_t PARTS[] = {3, 64};

    std::vector<int32_t> differing;
    Measurements measurements;
    Specials specials;
    std::vector<Distribution> distributions;  // for each number of parts

    Reference(const Data &data, const Limits &limits, int64_t allowed)
        : measurements(measured(data, limits, differing)), specials(specials_of(data)) {
        const bool fails = measurements.mismatches > allowed || measurements.non_finite > 0;
        for (const size_t parts : PARTS) {
            distributions.push_back(fails ? distributed(data, limits, parts) : Distribution(parts));
        }
    }
};

void check_scan(const Scan &scan, const Data &data, const Limits &limits, int64_t allowed, const Reference &reference,
                const std::string &what) {
    const Measurements &expected = reference.measurements;
    const std::vector<int32_t> &differing = reference.differing;
    for (const Distribution &distribution : reference.distributions) {
        const size_t parts = distribution.largest.size();
        if (data.count < parts && parts > 3) continue;
        std::vector<int32_t> indices(parts == 3 ? data.count / 2 : 10);
        Distribution found_distribution(parts);
        const Details details{indices.data(),
                              indices.size(),
                              allowed,
                              {POWERS.data(), POWERS.size(), found_distribution.decades.data(),
                               found_distribution.largest.data(), parts}};
        const Measurements found = scan.measure(data.type, data.arrays(), limits, details);
        CHECK_EQUAL(what + ": " + text(found), what + ": " + text(expected));
        CHECK_EQUAL(found.extremes.absolute, expected.extremes.absolute);
        CHECK_EQUAL(found.extremes.relative, expected.extremes.relative);
        CHECK_EQUAL(found.spread.worst.absolute, expected.spread.worst.absolute);
        CHECK_EQUAL(found.spread.worst.relative, expected.spread.worst.relative);
        for (size_t n = 0; n < differing.size() && n < indices.size(); n++) CHECK_EQUAL(indices[n], differing[n]);
        CHECK(found_distribution.decades == distribution.decades);
        CHECK(found_distribution.largest == distribution.largest);
    }
    CHECK_EQUAL(what + ": " + text(scan.specials(data.type, data.arrays())), what + ": " + text(reference.specials));
    CHECK(listed(scan, data, limits, 7) == differing);
    CHECK(listed(scan, data, limits, 1 << 16) == differing);
}

void check(const Data &data, const Limits &limits, const std::string &what, int64_t allowed = 0) {
    const Reference reference(data, limits, allowed);
    check_scan(baseline_scan, data, limits, allowed, reference, "baseline, " + what);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        check_scan(avx2_scan, data, limits, allowed, reference, "AVX2, " + what);
#endif
}

Measurements best(const Data &data, const Limits &limits) {
    return best_scan().measure(data.type, data.arrays(), limits, {nullptr, 0, INT64_MAX, {}});
}

const Limits CLOSE = {1.3e-6, 1e-5, 0, false};
const Type TYPES[] = {FLOAT32, FLOAT16, BFLOAT16, FLOAT64, INT8, UINT8, INT16, UINT16, INT32, UINT32};

// Elements that are equal but for a few steps, and now and then anything at all.
Data noisy(Type type, size_t count, std::mt19937_64 &random, unsigned wild_every) {
    Data data(type, count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t bits = random();
        data.set(data.expected, i, bits);
        data.set(data.actual, i, random() % 2 == 0 ? bits : bits + random() % 3);
        if (wild_every > 0 && random() % wild_every == 0) data.set(data.actual, i, random());
    }
    return data;
}

}  // namespace

TEST(any_bits_are_measured_like_one_element_at_a_time) {
    std::mt19937_64 random(1);
    for (const Type type : TYPES) {
        for (const size_t count : {0, 1, 31, 1023, 1024, 1025, 2048, 5000}) {
            for (const unsigned wild_every : {0u, 1u, 7u, 900u}) {
                const Data data = noisy(type, count, random, wild_every);
                const std::string what = std::to_string(type) + " x " + std::to_string(count);
                check(data, CLOSE, what);
                check(data, {1e-3, 0, 1, true}, what + " with a floor");
                check(data, {0, 0, 0, true}, what + " exactly");
                check(data, {0, 0, 0, true}, what + " with some allowed", static_cast<int64_t>(count / 3));
                check(data, {DBL_MAX, DBL_MAX, DBL_MAX, false}, what + " with any difference");
            }
        }
    }
}

namespace {

void set(Data &data, std::vector<uint8_t> &side, size_t i, double number) {
    if (data.type == FLOAT64) {
        std::memcpy(side.data() + i * sizeof number, &number, sizeof number);
    } else if (data.type == FLOAT16) {
        data.set(side, i, rankunit_to_float16(static_cast<float>(number)).bits);
    } else if (data.type == INT32) {
        data.set(side, i, static_cast<uint64_t>(static_cast<int64_t>(number)));
    } else {
        const auto rounded = static_cast<float>(number);
        uint32_t bits;
        std::memcpy(&bits, &rounded, sizeof bits);
        data.set(side, i, data.type == BFLOAT16 ? bits >> 16 : bits);
    }
}

}  // namespace

// Blocks in which no element differs, few do, and all do; errors are next to powers of ten.
TEST(errors_of_many_kinds_in_blocks_of_many_kinds) {
    std::mt19937_64 random(3);
    for (const Type type : {FLOAT32, FLOAT16, BFLOAT16, FLOAT64, INT32}) {
        for (int round = 0; round < 40; round++) {
            Data data(type, 12 * 1024 + 77);
            const bool one_actual = round % 5 == 0;
            const double power = std::pow(10.0, static_cast<double>(random() % 9) - 6);
            unsigned wrong_every = 0;
            for (size_t i = 0; i < data.count; i++) {
                if (i % 1024 == 0) wrong_every = std::vector<unsigned>{0, 700, 1, 1, 2}[random() % 5];
                double expected = 1 + 99 * static_cast<double>(random()) * 0x1p-64;
                if (round % 7 == 0 && random() % 16 == 0) expected = data.smallest_normal() / 2;
                const bool wrong = wrong_every > 0 && random() % wrong_every == 0;
                set(data, data.expected, i, expected);
                expected = data.number(data.expected, i);
                double actual = expected + (wrong ? power * static_cast<double>(1 + random() % 2) : 0);
                if (wrong && one_actual) actual = round % 2 == 0 ? 0 : NAN;
                set(data, data.actual, i, type == INT32 && std::isnan(actual) ? 0 : actual);
                if (!wrong && random() % (round % 4 == 0 ? 2000 : 3) == 0)
                    data.set(data.actual, i, data.bits(data.expected, i) + 1);
            }
            const std::string what = std::to_string(type) + " in round " + std::to_string(round);
            check(data, {1.3e-6, 1e-5, 0, false}, what);
            check(data, {0, 1, 0, false}, what + " up to 1");
            check(data, {0, 0, 0, false}, what + " exactly", 5000);
        }
    }
}

namespace {

bool is_explained(const Data &data, const Limits &limits, const Line &line) {
    const int fraction = data.type == FLOAT32 ? 23 : data.type == FLOAT64 ? 52 : data.type == FLOAT16 ? 10 : 7;
    for (size_t i = 0; i < data.count; i++) {
        const double expected = data.number(data.expected, i);
        const double actual = data.number(data.actual, i);
        const double predicted = line.factor * expected + line.offset;
        if (accepts(expected, actual, limits) || actual == predicted) continue;
        const double residual = std::fabs(actual - predicted);
        const double difference = std::fabs(actual - expected);
        const double size = std::fmax(std::fabs(predicted), std::fabs(expected));
        const double step = std::ldexp(1, std::max(std::ilogb(size), std::ilogb(data.smallest_normal())) - fraction);
        const bool close = 64 * residual < difference && residual <= limits.atol + limits.rtol * std::fabs(predicted);
        const bool is_number = data.smallest_normal() > 0;
        if (!is_number || !(8 * residual < difference) || !(residual <= 2 * step || close)) return false;
    }
    return true;
}

void check_line(const Data &data, const Limits &limits, const Line &line, const std::string &what) {
    const bool expected = is_explained(data, limits, line);
    CHECK_EQUAL(what + std::to_string(baseline_scan.explains(data.type, data.arrays(), limits, line)),
                what + std::to_string(expected));
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        CHECK_EQUAL(what + std::to_string(avx2_scan.explains(data.type, data.arrays(), limits, line)),
                    what + std::to_string(expected));
    }
#endif
}

}  // namespace

TEST(lines_explain_what_they_explain_one_element_at_a_time) {
    std::mt19937_64 random(4);
    for (const Type type : {FLOAT32, FLOAT16, BFLOAT16, FLOAT64, INT32}) {
        for (int round = 0; round < 60; round++) {
            const Line line = round % 2 == 0 ? Line{1, std::ldexp(1.0 + random() % 3, -static_cast<int>(random() % 8))}
                                             : Line{1.0 + random() % 3, 0};
            Data data(type, 3 * 1024 + 5);
            for (size_t i = 0; i < data.count; i++) {
                set(data, data.expected, i,
                    std::ldexp(static_cast<double>(random() % 5000), -static_cast<int>(random() % 4)));
                const double expected = data.number(data.expected, i);
                set(data, data.actual, i, random() % 9 == 0 ? expected : line.factor * expected + line.offset);
                // Some are steps further off, which the rest of the rule decides.
                if (round % 3 == 0 && random() % 50 == 0)
                    data.set(data.actual, i, data.bits(data.actual, i) + random() % 4);
            }
            check_line(data, CLOSE, line, std::to_string(type) + " in round " + std::to_string(round) + ": ");
            check_line(data, CLOSE, {1, 0.3}, std::to_string(type) + " and another line: ");
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
    CHECK_EQUAL(best(data, {0, 1e9, 0, false}).extremes.absolute_index, 1500);
}

TEST(a_difference_that_is_rounded_to_the_bound_is_outside) {
    const Data data = with({{0, {1, 3}}, {1, {1e9f, 1.1e9f}}, {1500, {16777215, 3355442.75f}}});
    check(data, {0.8, 0, 0, false}, "rounded to the bound");
    CHECK_EQUAL(best(data, {0.8, 0, 0, false}).mismatches, 2);
}

TEST(a_bound_below_the_smallest_number_is_not_rounded_up_to_it) {
    const Data bound = with({{0, {1, 3}}, {1500, {0x1p-149f, 0x1p-148f}}});
    check(bound, {0.6, 0, 0, false}, "tiny bound");
    CHECK_EQUAL(best(bound, {0.6, 0, 0, false}).mismatches, 2);
    const Data relative = with({{0, {1, 1.75f}}, {1500, {0x1p-149f, 0x1p-148f}}});
    check(relative, {0, 10, 0, false}, "tiny relative difference");
    CHECK_EQUAL(best(relative, {0, 10, 0, false}).extremes.relative_index, 1500);
}

TEST(relative_differences_that_are_the_same_float_are_told_apart) {
    const Data data = with({{0, {10164586, 12705732}}, {1, {1e9f, 1.1e9f}}, {1500, {10942098, 13677622}}});
    check(data, {0, 1e9, 0, false}, "ratios");
    CHECK_EQUAL(best(data, {0, 1e9, 0, false}).extremes.relative_index, 1500);
}
