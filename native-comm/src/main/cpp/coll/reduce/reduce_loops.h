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
#include "support/float_bits.h"

namespace rankunit::coll {
namespace {

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

// In the upper half of a word, the lower half of which is 0. So it is in any NaN that a sum or product of such numbers
// makes, which rounding then leaves as it is.
struct BFloat16 : Floating<float> {
    using Stored = uint32_t;
    static RANKUNIT_INLINE float number(Stored stored) { return of_bits(stored); }
    static RANKUNIT_INLINE Stored stored(float number) {
        const uint32_t bits = bits_of(number);
        return (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    }
};

struct Float16 : Floating<float> {
    using Stored = uint16_t;
#ifdef __aarch64__
    static RANKUNIT_INLINE float number(Stored stored) {
        __fp16 half;
        memcpy(&half, &stored, sizeof half);
        return half;
    }
    static RANKUNIT_INLINE Stored stored(float number) {
        const __fp16 half = static_cast<__fp16>(number);
        Stored stored;
        memcpy(&stored, &half, sizeof stored);
        return stored;
    }
#else
    static RANKUNIT_INLINE float number(Stored stored) { return float_of_half(stored); }
    // Comparisons of signed numbers, which all processors have for vectors.
    static RANKUNIT_INLINE Stored stored(float number) {
        const auto magnitude = static_cast<int32_t>(bits_of(number) & 0x7fffffff);
        // plus 1/2, whose unit of the fraction is that of subnormal numbers
        const auto subnormal =
            static_cast<int32_t>(bits_of(of_bits(static_cast<uint32_t>(magnitude)) + 0.5f)) - 0x3f000000;
        const int32_t normal = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
        const int32_t finite = magnitude < 0x38800000 ? subnormal : normal;
        const int32_t special = magnitude > 0x7f800000 ? 0x7e00 : 0x7c00;
        const int32_t bits = magnitude >= 0x47800000 ? special : finite;
        return static_cast<Stored>(bits | (bits_of(number) >> 16 & 0x8000));
    }
#endif
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

// At any address.
template <typename Stored>
struct __attribute__((packed, may_alias)) Unaligned {
    Stored value;
};

template <typename Operation>
void combine(void *to, const void *one, const void *other, size_t count) {
    using Element = Unaligned<typename Operation::Stored>;
    auto *target = static_cast<Element *>(to);
    const auto *a = static_cast<const Element *>(one);
    const auto *b = static_cast<const Element *>(other);
    for (size_t i = 0; i < count; i++) target[i].value = Operation::of(a[i].value, b[i].value);
}

// Two elements in a word, so that the compiler needs no instructions that widen and narrow them.
template <typename Operation>
void combine_bfloat16(void *to, const void *one, const void *other, size_t count) {
    using Pair = Unaligned<uint32_t>;
    auto *target = static_cast<Pair *>(to);
    const auto *a = static_cast<const Pair *>(one);
    const auto *b = static_cast<const Pair *>(other);
    const size_t pairs = count / 2;
    for (size_t i = 0; i < pairs; i++) {
        const uint32_t x = a[i].value;
        const uint32_t y = b[i].value;
        const uint32_t upper = Operation::of(x & 0xffff0000, y & 0xffff0000);
        target[i].value = upper | Operation::of(x << 16, y << 16) >> 16;
    }
    if (count % 2 == 0) return;
    using Half = Unaligned<uint16_t>;
    const uint32_t x = reinterpret_cast<const Half *>(a + pairs)->value;
    const uint32_t y = reinterpret_cast<const Half *>(b + pairs)->value;
    reinterpret_cast<Half *>(target + pairs)->value = static_cast<uint16_t>(Operation::of(x << 16, y << 16) >> 16);
}

#ifdef __F16C__
// Eight float16 at once, by the operation on these as they are stored and as numbers.
template <typename Operation, __m128i (*vector)(__m128i, __m128i, __m256, __m256)>
void combine_float16(void *to, const void *one, const void *other, size_t count) {
    auto *target = static_cast<uint8_t *>(to);
    const auto *a = static_cast<const uint8_t *>(one);
    const auto *b = static_cast<const uint8_t *>(other);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i *>(a + 2 * i));
        const __m128i y = _mm_loadu_si128(reinterpret_cast<const __m128i *>(b + 2 * i));
        _mm_storeu_si128(reinterpret_cast<__m128i *>(target + 2 * i),
                         vector(x, y, _mm256_cvtph_ps(x), _mm256_cvtph_ps(y)));
    }
    combine<Operation>(target + 2 * i, a + 2 * i, b + 2 * i, count - i);
}

RANKUNIT_INLINE __m128i rounded(__m256 numbers) {
    return _mm256_cvtps_ph(numbers, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

RANKUNIT_INLINE __m128i sums(__m128i, __m128i, __m256 a, __m256 b) {
    return rounded(_mm256_add_ps(a, b));
}

RANKUNIT_INLINE __m128i products(__m128i, __m128i, __m256 a, __m256 b) {
    return rounded(_mm256_mul_ps(a, b));
}

// Those of `x` where a comparison holds or they are NaN, else those of `y`.
RANKUNIT_INLINE __m128i chosen(__m256 holds, __m128i x, __m128i y, __m256 a) {
    const __m256i takes = _mm256_castps_si256(_mm256_or_ps(holds, _mm256_cmp_ps(a, a, _CMP_UNORD_Q)));
    const __m128i halves = _mm_packs_epi32(_mm256_castsi256_si128(takes), _mm256_extracti128_si256(takes, 1));
    return _mm_blendv_epi8(y, x, halves);
}

RANKUNIT_INLINE __m128i largest(__m128i x, __m128i y, __m256 a, __m256 b) {
    return chosen(_mm256_cmp_ps(a, b, _CMP_GT_OQ), x, y, a);
}

RANKUNIT_INLINE __m128i smallest(__m128i x, __m128i y, __m256 a, __m256 b) {
    return chosen(_mm256_cmp_ps(a, b, _CMP_LT_OQ), x, y, a);
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

Combine of_bfloat16(CollReduction reduction) {
    switch (reduction) {
        case COLL_SUM:
            return combine_bfloat16<Sum<BFloat16>>;
        case COLL_PROD:
            return combine_bfloat16<Product<BFloat16>>;
        case COLL_MAX:
            return combine_bfloat16<Largest<BFloat16>>;
        default:
            return combine_bfloat16<Smallest<BFloat16>>;
    }
}

Combine of_float16(CollReduction reduction) {
#ifdef __F16C__
    switch (reduction) {
        case COLL_SUM:
            return combine_float16<Sum<Float16>, sums>;
        case COLL_PROD:
            return combine_float16<Product<Float16>, products>;
        case COLL_MAX:
            return combine_float16<Largest<Float16>, largest>;
        default:
            return combine_float16<Smallest<Float16>, smallest>;
    }
#else
    return of_type<Float16>(reduction);
#endif
}

}  // namespace

Combine RANKUNIT_REDUCTION(CollType type, CollReduction reduction) {
    switch (type) {
        case COLL_FLOAT32:
            return of_type<Floating<float>>(reduction);
        case COLL_FLOAT16:
            return of_float16(reduction);
        case COLL_BFLOAT16:
            return of_bfloat16(reduction);
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
