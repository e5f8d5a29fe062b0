// The conversions of rankunit/half.h, compared with arithmetic on doubles.
#include "rankunit/half.h"

#include <cmath>
#include <limits>

#include "harness/check.h"

using namespace rankunit::test;

namespace {

// The value of a format's bits by its definition: sign, exponent and fraction.
double value_of(uint32_t bits, int fraction_bits, int bias) {
    const int exponent = static_cast<int>((bits & 0x7fff) >> fraction_bits);
    const auto fraction = static_cast<double>(bits & ((1u << fraction_bits) - 1));
    const double one = std::ldexp(1.0, fraction_bits);
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction / one, 1 - bias) : std::ldexp(1 + fraction / one, exponent - bias);
    return (bits & 0x8000) == 0 ? magnitude : -magnitude;
}

// All bits to float and back, and the floats at and beside the middle between two neighbours. A value behind the
// largest finite one, where the infinity stands, is what the format would have with one more exponent.
template <typename ToFloat, typename ToHalf>
void check_all(int fraction_bits, int bias, ToFloat to_float, ToHalf to_half) {
    const uint32_t infinity = 0x7fff >> fraction_bits << fraction_bits;
    for (uint32_t bits = 0; bits <= 0xffff; bits++) {
        const uint32_t magnitude = bits & 0x7fff;
        const float value = to_float(static_cast<uint16_t>(bits));
        CHECK_EQUAL(std::signbit(value), bits >> 15 != 0);
        if (magnitude > infinity) {
            CHECK(std::isnan(value));
            const uint32_t quiet = (bits & 0x8000) | infinity | 1u << (fraction_bits - 1);
            CHECK_EQUAL(static_cast<uint32_t>(to_half(value)), quiet);
            continue;
        }
        CHECK_EQUAL(static_cast<uint32_t>(to_half(value)), bits);
        if (magnitude == infinity) {
            CHECK(std::isinf(value));
            continue;
        }
        const double here = value_of(bits, fraction_bits, bias);
        CHECK_EQUAL(static_cast<double>(value), here);
        const double next = value_of(bits + 1, fraction_bits, bias);
        const auto middle = static_cast<float>((here + next) / 2);
        CHECK_EQUAL(static_cast<uint32_t>(to_half(middle)), bits % 2 == 0 ? bits : bits + 1);
        CHECK_EQUAL(static_cast<uint32_t>(to_half(std::nextafter(middle, static_cast<float>(here)))), bits);
        const float away = std::copysign(std::numeric_limits<float>::infinity(), value);
        CHECK_EQUAL(static_cast<uint32_t>(to_half(std::nextafter(middle, away))), bits + 1);
    }
}

}  // namespace

TEST(every_float16_is_exact_as_a_float_and_floats_round_to_nearest_even) {
    check_all(
        10, 15, [](uint16_t bits) { return rankunit_to_float(RankUnitFloat16{bits}); },
        [](float value) { return rankunit_to_float16(value).bits; });
}

TEST(every_bfloat16_is_exact_as_a_float_and_floats_round_to_nearest_even) {
    check_all(
        7, 127, [](uint16_t bits) { return rankunit_to_float(RankUnitBFloat16{bits}); },
        [](float value) { return rankunit_to_bfloat16(value).bits; });
}
