// Numbers as bits, for loops that are compiled once for each kind of processor: a source that includes this gets
// functions of its own, which the linker cannot mix up with those for another processor.

#ifndef RANKUNIT_SUPPORT_FLOAT_BITS_H
#define RANKUNIT_SUPPORT_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

#define RANKUNIT_INLINE inline __attribute__((always_inline))

namespace rankunit {
namespace {

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

RANKUNIT_INLINE uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The exponent is 112 too small after the shift; the product also makes subnormal numbers normal. NaN and infinities
// get the largest exponent.
RANKUNIT_INLINE float float_of_half(uint32_t half) {
    const uint32_t scaled = bits_of(of_bits((half & 0x7fffu) << 13) * 0x1p112f);
    const uint32_t special = (half & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
    return of_bits(scaled | special | (half & 0x8000u) << 16);
}

}  // namespace
}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_FLOAT_BITS_H
