// Reductions of every type on every kind of processor that this machine is, against one element at a time.
#include "coll/reduce/reduce.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "harness/check.h"
#include "rankunit/half.h"

using namespace rankunit::coll;
using rankunit::test::failed;

namespace {

constexpr size_t kCount = 1'037;
constexpr CollReduction kReductions[] = {COLL_SUM, COLL_PROD, COLL_MAX, COLL_MIN};

template <typename Number>
Number reduced(CollReduction reduction, Number one, Number other) {
    switch (reduction) {
        case COLL_SUM:
            return one + other;
        case COLL_PROD:
            return one * other;
        case COLL_MAX:
            if (std::isnan(static_cast<double>(one)) || std::isnan(static_cast<double>(other))) return one + other;
            return one > other ? one : other;
        default:
            if (std::isnan(static_cast<double>(one)) || std::isnan(static_cast<double>(other))) return one + other;
            return one < other ? one : other;
    }
}

// Sums and products of 128 bits, of which the low ones count.
template <typename Element>
Element reduced_integer(CollReduction reduction, Element one, Element other) {
    if (reduction == COLL_MAX || reduction == COLL_MIN) return reduced<Element>(reduction, one, other);
    using Wide = unsigned __int128;
    return static_cast<Element>(reduced<Wide>(reduction, static_cast<Wide>(one), static_cast<Wide>(other)));
}

RankUnitFloat16 narrow(float value, RankUnitFloat16) {
    return rankunit_to_float16(value);
}

RankUnitBFloat16 narrow(float value, RankUnitBFloat16) {
    return rankunit_to_bfloat16(value);
}

template <typename Half>
Half reduced_half(CollReduction reduction, Half one, Half other) {
    return narrow(reduced(reduction, rankunit_to_float(one), rankunit_to_float(other)), Half{});
}

double number(RankUnitFloat16 half) {
    return rankunit_to_float(half);
}

double number(RankUnitBFloat16 half) {
    return rankunit_to_float(half);
}

template <typename Element>
double number(Element element) {
    return static_cast<double>(element);
}

// The same bits, or both NaN.
template <typename Element>
bool same(Element one, Element other) {
    if (std::isnan(number(one)) || std::isnan(number(other))) {
        return std::isnan(number(one)) && std::isnan(number(other));
    }
    return std::memcmp(&one, &other, sizeof(Element)) == 0;
}

struct Processor {
    const char *name;
    Reductions reductions;
};

std::vector<Processor> processors() {
    std::vector<Processor> all{{"baseline", baseline_reduction}, {"best", best_reduction}};
    return all;
}

template <typename Element, typename Expected>
void check(CollType type, const std::vector<Element> &one, const std::vector<Element> &other, Expected expected) {
    for (const Processor &processor : processors()) {
        for (const CollReduction reduction : kReductions) {
            const Combine combine = processor.reductions(type, reduction);
            // Each length of a rest; and at addresses that are no multiples of the size of an element.
            for (size_t count = kCount - 40; count <= kCount; count++) {
                std::vector<unsigned char> to(count * sizeof(Element) + 2);
                std::vector<unsigned char> from(count * sizeof(Element) + 1);
                std::memcpy(from.data() + 1, other.data(), count * sizeof(Element));
                to.back() = 0x5a;
                combine(to.data() + 1, one.data(), from.data() + 1, count);
                for (size_t i = 0; i < count; i++) {
                    Element found;
                    std::memcpy(&found, to.data() + 1 + i * sizeof(Element), sizeof(Element));
                    const Element wanted = expected(reduction, one[i], other[i]);
                    if (!same(found, wanted)) {
                        failed(__FILE__, __LINE__,
                               std::string(processor.name) + ", type " + std::to_string(type) + ", reduction " +
                                   std::to_string(reduction) + ": of " + std::to_string(number(one[i])) + " and " +
                                   std::to_string(number(other[i])) + " it makes " + std::to_string(number(found)) +
                                   ", expected " + std::to_string(number(wanted)));
                    }
                }
                CHECK_EQUAL(static_cast<int>(to.back()), 0x5a);
            }
            // In place, as most tasks are.
            std::vector<Element> target(one);
            combine(target.data(), target.data(), other.data(), kCount);
            for (size_t i = 0; i < kCount; i++) CHECK(same(target[i], expected(reduction, one[i], other[i])));
        }
    }
}

// All bit patterns are as likely; each tenth element is an end of the range.
template <typename Element>
std::vector<Element> any_bits(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Element> elements(kCount);
    for (size_t i = 0; i < kCount; i++) {
        const uint64_t bits = random() % 10 == 0 ? (random() % 2 == 0 ? 0 : ~uint64_t{0} >> random() % 2) : random();
        std::memcpy(&elements[i], &bits, sizeof(Element));
    }
    return elements;
}

template <typename Element>
void check_integer(CollType type) {
    check(type, any_bits<Element>(1), any_bits<Element>(2), reduced_integer<Element>);
}

// Numbers of usual size, with NaN, infinities, zeros and the smallest numbers among them.
template <typename Element>
std::vector<Element> floats(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<Element> elements(kCount);
    using Limits = std::numeric_limits<Element>;
    const Element special[] = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), 0,
                               -Element{0},         Limits::max(),      Limits::lowest(),    Limits::denorm_min()};
    for (Element &each : elements) {
        each = random() % 5 == 0 ? special[random() % 8] : static_cast<Element>(random() % 2'000'000) / 1'000 - 1'000;
    }
    return elements;
}

}  // namespace

TEST(signed_integers_wrap_around) {
    check_integer<int8_t>(COLL_INT8);
    check_integer<int16_t>(COLL_INT16);
    check_integer<int32_t>(COLL_INT32);
    check_integer<int64_t>(COLL_INT64);
}

TEST(unsigned_integers_wrap_around) {
    check_integer<uint8_t>(COLL_UINT8);
    check_integer<uint16_t>(COLL_UINT16);
    check_integer<uint32_t>(COLL_UINT32);
    check_integer<uint64_t>(COLL_UINT64);
}

TEST(floats_propagate_nan) {
    check(COLL_FLOAT32, floats<float>(1), floats<float>(2), reduced<float>);
    check(COLL_FLOAT64, floats<double>(3), floats<double>(4), reduced<double>);
}

TEST(halves_are_rounded_to_nearest_even) {
    for (uint64_t seed = 1; seed < 20; seed++) {
        check(COLL_FLOAT16, any_bits<RankUnitFloat16>(seed), any_bits<RankUnitFloat16>(seed + 100),
              reduced_half<RankUnitFloat16>);
        check(COLL_BFLOAT16, any_bits<RankUnitBFloat16>(seed), any_bits<RankUnitBFloat16>(seed + 100),
              reduced_half<RankUnitBFloat16>);
    }
}

TEST(of_two_zeros_the_extremes_are_that_of_the_source) {
    for (const Processor &processor : processors()) {
        for (const CollReduction reduction : {COLL_MAX, COLL_MIN}) {
            float found = 1;
            const float plus = 0.0f;
            const float minus = -0.0f;
            processor.reductions(COLL_FLOAT32, reduction)(&found, &plus, &minus, 1);
            CHECK(std::signbit(found));
            processor.reductions(COLL_FLOAT32, reduction)(&found, &minus, &plus, 1);
            CHECK(!std::signbit(found));
        }
    }
}

TEST(bytes_are_not_reduced) {
    for (const Processor &processor : processors()) CHECK(processor.reductions(COLL_BYTES, COLL_SUM) == nullptr);
}
