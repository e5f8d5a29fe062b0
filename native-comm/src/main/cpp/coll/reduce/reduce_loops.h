// The loops of reduce.h, for the processor that the including file is compiled for. It defines RANKUNIT_REDUCTION, the
// name of the Reductions. Templates of the C++ library are not used: the linker might take a copy that was compiled for
// another processor.

#ifndef RANKUNIT_COLL_REDUCE_REDUCE_LOOPS_H
#define RANKUNIT_COLL_REDUCE_REDUCE_LOOPS_H

#ifdef __F16C__
#include <immintrin.h>
#endif
#include <stdint.h>
#include <string.h>

#include "coll/reduce/reduce.h"

namespace rankunit::coll {
namespace {

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

// A type of elements: how they lie in memory, and as what they are computed.
template <typename Element, typename Unsigned>
struct Integer {
    using Stored = Element;
    using Number = Element;
    static RANKUNIT_INLINE Number number(Stored stored) { return stored; }
    static RANKUNIT_INLINE Stored stored(Number number) { return number; }
    // As unsigned numbers of at least 32 bits, which wrap around.
    static RANKUNIT_INLINE Number sum(Number a, Number b) {
        return static_cast<Number>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    }
    static RANKUNIT_INLINE Number product(Number a, Number b) {
        return static_cast<Number>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
    }
};

template <typename Element>
struct Floating {
    using Stored = Element;
    using Number = Element;
    static RANKUNIT_INLINE Number number(Stored stored) { return stored; }
    static RANKUNIT_INLINE Stored stored(Number number) { return number; }
    static RANKUNIT_INLINE Number sum(Number a, Number b) { return a + b; }
    static RANKUNIT_INLINE Number product(Number a, Number b) { return a * b; }
};

struct BFloat16 : Floating<float> {
    using Stored = uint16_t;
    static RANKUNIT_INLINE float number(Stored stored) { return of_bits(static_cast<uint32_t>(stored) << 16); }
    static RANKUNIT_INLINE Stored stored(float number) {
        const uint32_t bits = bits_of(number);
        const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        const uint32_t nan = 0x7fc0 | (bits >> 16 & 0x8000);
        return static_cast<Stored>(number != number ? nan : rounded);
    }
};

struct Float16 : Floating<float> {
    using Stored = uint16_t;
    // The exponent is 112 too small after the shift; the product also makes subnormal numbers normal. NaN and
    // infinities get the largest exponent.
    static RANKUNIT_INLINE float number(Stored stored) {
        const uint32_t scaled = bits_of(of_bits((stored & 0x7fffu) << 13) * 0x1p112f);
        const uint32_t special = (stored & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
        return of_bits(scaled | special | (stored & 0x8000u) << 16);
    }
    static RANKUNIT_INLINE Stored stored(float number) {
        const uint32_t magnitude = bits_of(number) & 0x7fffffff;
        // times 2^24, plus 2^23 to round in the unit of the fraction
        const uint32_t subnormal = bits_of(of_bits(magnitude) * 0x1p24f + 0x1p23f) - 0x4b000000;
        const uint32_t normal = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
        const uint32_t finite = magnitude < 0x38800000 ? subnormal : normal;
        const uint32_t special = magnitude > 0x7f800000 ? 0x7e00 : 0x7c00;
        const uint32_t bits = magnitude >= 0x47800000 ? special : finite;
        return static_cast<Stored>(bits | (bits_of(number) >> 16 & 0x8000));
    }
};

template <typename Type>
struct Sum {
    using Stored = typename Type::Stored;
    static RANKUNIT_INLINE Stored of(Stored one, Stored other) {
        return Type::stored(Type::sum(Type::number(one), Type::number(other)));
    }
};

template <typename Type>
struct Product {
    using Stored = typename Type::Stored;
    static RANKUNIT_INLINE Stored of(Stored one, Stored other) {
        return Type::stored(Type::product(Type::number(one), Type::number(other)));
    }
};

// Comparisons with NaN are false, so that a NaN in `other` is taken.
template <typename Type>
struct Largest {
    using Stored = typename Type::Stored;
    static RANKUNIT_INLINE Stored of(Stored one, Stored other) {
        const auto a = Type::number(one);
        return (a > Type::number(other)) | (a != a) ? one : other;
    }
};

template <typename Type>
struct Smallest {
    using Stored = typename Type::Stored;
    static RANKUNIT_INLINE Stored of(Stored one, Stored other) {
        const auto a = Type::number(one);
        return (a < Type::number(other)) | (a != a) ? one : other;
    }
};

template <typename Operation>
void combine(void *to, const void *one, const void *other, size_t count) {
    using Stored = typename Operation::Stored;
    typedef Stored Unaligned __attribute__((aligned(1), may_alias));
    auto *target = static_cast<Unaligned *>(to);
    const auto *a = static_cast<const Unaligned *>(one);
    const auto *b = static_cast<const Unaligned *>(other);
    for (size_t i = 0; i < count; i++) target[i] = Operation::of(a[i], b[i]);
}

#ifdef __F16C__
RANKUNIT_INLINE __m256 eight(const uint8_t *stored) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(stored)));
}

template <typename Operation, __m256 (*vector)(__m256, __m256)>
void combine_float16(void *to, const void *one, const void *other, size_t count) {
    auto *target = static_cast<uint8_t *>(to);
    const auto *a = static_cast<const uint8_t *>(one);
    const auto *b = static_cast<const uint8_t *>(other);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256 result = vector(eight(a + 2 * i), eight(b + 2 * i));
        _mm_storeu_si128(reinterpret_cast<__m128i *>(target + 2 * i),
                         _mm256_cvtps_ph(result, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    }
    combine<Operation>(target + 2 * i, a + 2 * i, b + 2 * i, count - i);
}

RANKUNIT_INLINE __m256 sums(__m256 one, __m256 other) {
    return _mm256_add_ps(one, other);
}

RANKUNIT_INLINE __m256 products(__m256 one, __m256 other) {
    return _mm256_mul_ps(one, other);
}
#endif

template <typename Type>
Combine of_type(CollReduction reduction) {
    switch (reduction) {
        case COLL_SUM:
            return combine<Sum<Type>>;
        case COLL_PROD:
            return combine<Product<Type>>;
        case COLL_MAX:
            return combine<Largest<Type>>;
        default:
            return combine<Smallest<Type>>;
    }
}

Combine of_float16(CollReduction reduction) {
#ifdef __F16C__
    if (reduction == COLL_SUM) return combine_float16<Sum<Float16>, sums>;
    if (reduction == COLL_PROD) return combine_float16<Product<Float16>, products>;
#endif
    return of_type<Float16>(reduction);
}

}  // namespace

Combine RANKUNIT_REDUCTION(CollType type, CollReduction reduction) {
    switch (type) {
        case COLL_FLOAT32:
            return of_type<Floating<float>>(reduction);
        case COLL_FLOAT16:
            return of_float16(reduction);
        case COLL_BFLOAT16:
            return of_type<BFloat16>(reduction);
        case COLL_FLOAT64:
            return of_type<Floating<double>>(reduction);
        case COLL_INT8:
            return of_type<Integer<int8_t, uint32_t>>(reduction);
        case COLL_INT16:
            return of_type<Integer<int16_t, uint32_t>>(reduction);
        case COLL_INT32:
            return of_type<Integer<int32_t, uint32_t>>(reduction);
        case COLL_INT64:
            return of_type<Integer<int64_t, uint64_t>>(reduction);
        case COLL_UINT8:
            return of_type<Integer<uint8_t, uint32_t>>(reduction);
        case COLL_UINT16:
            return of_type<Integer<uint16_t, uint32_t>>(reduction);
        case COLL_UINT32:
            return of_type<Integer<uint32_t, uint32_t>>(reduction);
        case COLL_UINT64:
            return of_type<Integer<uint64_t, uint64_t>>(reduction);
        default:
            return nullptr;
    }
}

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_REDUCE_REDUCE_LOOPS_H
