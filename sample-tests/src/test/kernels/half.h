// float16 as bits, for compilers without a type for it.
#ifndef HALF_H
#define HALF_H

#include <stdint.h>
#include <string.h>

inline float half_to_float(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
    const uint32_t exponent = (half >> 10) & 0x1f;
    const uint32_t fraction = half & 0x3ff;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(fraction) / 16777216.0f;  // 2^24: zero and subnormals
        return sign == 0 ? magnitude : -magnitude;
    }
    const uint32_t bits =
        sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | static_cast<uint32_t>(fraction) << 13;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// Rounds to nearest, ties to even.
inline uint16_t float_to_half(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
    const uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return sign | 0x7e00;   // NaN
    if (magnitude >= 0x47800000) return sign | 0x7c00;  // 2^16 or more, or infinite
    if (magnitude < 0x38800000) {                       // below 2^-14: subnormal
        float scaled;
        memcpy(&scaled, &magnitude, sizeof(scaled));
        scaled = scaled * 16777216.0f + 8388608.0f;  // 2^24, and 2^23 to round in the unit of the fraction
        uint32_t rounded;
        memcpy(&rounded, &scaled, sizeof(rounded));
        return sign | static_cast<uint16_t>(rounded - 0x4b000000);
    }
    const uint32_t odd = (magnitude >> 13) & 1;
    return sign | static_cast<uint16_t>((magnitude - 0x38000000 + 0xfff + odd) >> 13);
}

#endif  // HALF_H
