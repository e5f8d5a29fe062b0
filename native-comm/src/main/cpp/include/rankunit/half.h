// For authors of kernels: float16 (IEEE 754 binary16) and bfloat16 (the upper half of a float) as bits, for compilers
// without types for them. They are for storage: compute with floats.
//
// Every value becomes a float exactly. A float is rounded to nearest, ties to even; what is too large becomes an
// infinity. A NaN becomes the quiet NaN of the same sign without a payload, 0x7e00 or 0x7fc0.
#ifndef RANKUNIT_HALF_H
#define RANKUNIT_HALF_H

#include <stdint.h>
#include <string.h>

struct RankUnitFloat16 {
    uint16_t bits;
};

struct RankUnitBFloat16 {
    uint16_t bits;
};

namespace rankunit_detail {

inline float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

inline uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// The bits of a float16 for those of a float without its sign.
inline uint32_t float16_magnitude(uint32_t magnitude) {
    if (magnitude > 0x7f800000) return 0x7e00;   // NaN
    if (magnitude >= 0x47800000) return 0x7c00;  // 2^16 or more, or infinite
    if (magnitude < 0x38800000) {                // below 2^-14: subnormal
        // times 2^24, plus 2^23 to round in the unit of the fraction
        return bits_of_float(float_of_bits(magnitude) * 16777216.0f + 8388608.0f) - 0x4b000000;
    }
    const uint32_t odd = (magnitude >> 13) & 1;
    return (magnitude - 0x38000000 + 0xfff + odd) >> 13;
}

inline uint32_t bfloat16_magnitude(uint32_t magnitude) {
    if (magnitude > 0x7f800000) return 0x7fc0;  // NaN
    const uint32_t odd = (magnitude >> 16) & 1;
    return (magnitude + 0x7fff + odd) >> 16;
}

}  // namespace rankunit_detail

inline float rankunit_to_float(RankUnitFloat16 half) {
    const uint32_t sign = static_cast<uint32_t>(half.bits & 0x8000) << 16;
    const uint32_t exponent = (half.bits >> 10) & 0x1f;
    const uint32_t fraction = half.bits & 0x3ff;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) / 16777216.0f;  // 2^24: zero and subnormals
        return sign == 0 ? magnitude : -magnitude;
    }
    return rankunit_detail::float_of_bits(sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) |
                                          fraction << 13);
}

inline float rankunit_to_float(RankUnitBFloat16 half) {
    return rankunit_detail::float_of_bits(static_cast<uint32_t>(half.bits) << 16);
}

inline RankUnitFloat16 rankunit_to_float16(float value) {
    const uint32_t bits = rankunit_detail::bits_of_float(value);
    return {static_cast<uint16_t>((bits >> 16 & 0x8000) | rankunit_detail::float16_magnitude(bits & 0x7fffffff))};
}

inline RankUnitBFloat16 rankunit_to_bfloat16(float value) {
    const uint32_t bits = rankunit_detail::bits_of_float(value);
    return {static_cast<uint16_t>((bits >> 16 & 0x8000) | rankunit_detail::bfloat16_magnitude(bits & 0x7fffffff))};
}

#endif  // RANKUNIT_HALF_H
