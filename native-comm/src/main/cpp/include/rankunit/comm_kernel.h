// For authors of kernels that move data between ranks: the simulator's form of the PTO instructions TPUT, TGET,
// TREDUCE, TGATHER, TSCATTER and TBROADCAST. Elements are float, int32_t, RankUnitFloat16 or
// RankUnitBFloat16 (rankunit/half.h).
//
//     #include <rankunit/comm_kernel.h>
//
//     // args: context, data in the own window, result, count: the root sums the data of all ranks
//     RANKUNIT_BLOCK_KERNEL(sum)(const KernelEnv *env, const uint64_t *args, int) {
//         rankunit_reduce(env, rankunit_pointer<const CommContext>(args[0]), rankunit_pointer<float>(args[2]),
//                         rankunit_pointer<const float>(args[1]), args[3], RANKUNIT_SUM);
//         return 0;
//     }
//
// An address of other ranks' memory is given as the one in the own window that corresponds to it, as for
// rankunit_remote. The other addresses lie in device memory or in a window. What a call reads and what it writes must
// not overlap, but the elements that it reads of a rank may be those that it writes there.
//
// Reduce, gather, scatter and broadcast are called by one rank alone, the root. They signal and wait for nothing: the
// other ranks must have written their data before, and must not use it until they know that the call has ended. Signals
// (rankunit_signal, rankunit_wait) tell them.
//
// Mistakes end the kernel, which fails with a text that names the call, the argument, and its bounds: a rank outside of
// [0, rankNum), an address outside of the own window, a range that leaves it.
#ifndef RANKUNIT_COMM_KERNEL_H
#define RANKUNIT_COMM_KERNEL_H

#include <stdarg.h>
#include <stdio.h>

#include <type_traits>

#include "rankunit/half.h"
#include "rankunit/kernel.h"

// What a put does with the elements of its target.
enum RankUnitStore {
    RANKUNIT_REPLACE = 0,
    RANKUNIT_ADD =
        1,  // adds to each atomically: puts of several ranks to the same target all count; float and int32_t only
};

enum RankUnitReduction {
    RANKUNIT_SUM = 0,
    RANKUNIT_MAX = 1,
    RANKUNIT_MIN = 2,
};

// A put or get that has been started.
struct RankUnitEvent {
    uint64_t transfer;  // of KernelOps.start
};

namespace rankunit_detail {

template <typename T>
struct IsHalf : std::integral_constant<bool, std::is_same<T, RankUnitFloat16>::value ||
                                                 std::is_same<T, RankUnitBFloat16>::value> {};

// One call of the functions below.
class Call {
public:
    Call(const KernelEnv *env, const CommContext *context, const char *name)
        : env_(env), context_(context), name_(name) {}

    __attribute__((format(printf, 2, 3))) void fail(const char *format, ...) const {
        char what[256];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(what, sizeof(what), format, arguments);
        va_end(arguments);
        char reason[320];
        snprintf(reason, sizeof(reason), "%s: %s", name_, what);
        env_->ops->fail(env_, reason);
    }

    void require_rank(uint32_t rank) const {
        if (rank >= context_->rankNum) fail("rank = %u is not in [0, %u)", rank, context_->rankNum);
    }

    // The bytes of `count` elements, of which there may be as many for each rank.
    template <typename T>
    uint64_t bytes(uint64_t count) const {
        static_assert(std::is_same<T, float>::value || std::is_same<T, int32_t>::value || IsHalf<T>::value,
                      "elements are float, int32_t, RankUnitFloat16 or RankUnitBFloat16");
        const uint64_t most = UINT64_MAX / COMM_MAX_RANK_NUM / sizeof(T);
        if (count > most) fail("count = %llu is not in [0, %llu]", number(count), number(most));
        return count * sizeof(T);
    }

    // The address in the window of `rank` that corresponds to `local` in the own window.
    template <typename T>
    uint64_t remote(uint32_t rank, const char *argument, const T *local, uint64_t bytes) const {
        const uint64_t address = reinterpret_cast<uint64_t>(local);
        const uint64_t start = context_->windowsIn[context_->rankId];
        const uint64_t offset = address - start;  // wraps around below the start, and then is too large
        if (offset > context_->winSize || bytes > context_->winSize - offset) {
            fail("%s = 0x%llx with %llu bytes is not within the own window, [0x%llx, 0x%llx)", argument,
                 number(address), number(bytes), number(start), number(start + context_->winSize));
        }
        if (offset % sizeof(T) != 0) {
            fail("%s = 0x%llx is not a multiple of %zu", argument, number(address), sizeof(T));
        }
        return context_->windowsIn[rank] + offset;
    }

    template <typename T>
    int how(int store) const {
        static_assert(!IsHalf<T>::value,
                      "float16 and bfloat16 cannot be added atomically: leave `how` away, or put floats");
        if (store != RANKUNIT_REPLACE && store != RANKUNIT_ADD) fail("how = %d is not in [0, 1]", store);
        if (store == RANKUNIT_REPLACE) return KERNEL_TRANSFER_COPY;
        return std::is_same<T, float>::value ? KERNEL_TRANSFER_ADD_FLOAT : KERNEL_TRANSFER_ADD_INT32;
    }

    // A simulator that is older than this header has only the first functions of KernelOps.
    void require_transfers() const {
        if (env_->ops->size >= offsetof(KernelOps, finish) + sizeof(env_->ops->finish)) return;
        fail("this simulator is older than the kernel and cannot do that; use the one that comes with this header");
    }

    // Bytes that are read must not lie in those that are written, or the order in which they move would matter.
    // `same`: where they may lie nevertheless, since each byte is replaced by itself or by what is computed of it.
    void require_apart(uint64_t target, uint64_t target_bytes, uint64_t source, uint64_t source_bytes,
                       bool same) const {
        if (same || target >= source + source_bytes || source >= target + target_bytes) return;
        fail("target = [0x%llx, 0x%llx) and source = [0x%llx, 0x%llx) overlap; use other memory for one of them",
             number(target), number(target + target_bytes), number(source), number(source + source_bytes));
    }

    void require_apart(uint64_t target, uint64_t source, uint64_t bytes) const {
        require_apart(target, bytes, source, bytes, target == source);
    }

    void copy(uint64_t target, uint64_t source, uint64_t bytes) const {
        require_apart(target, source, bytes);
        env_->ops->copy(env_, target, source, bytes);
    }

private:
    static unsigned long long number(uint64_t value) { return value; }

    const KernelEnv *const env_;
    const CommContext *const context_;
    const char *const name_;
};

template <typename T>
inline uint64_t address_of(const T *pointer) {
    return reinterpret_cast<uint64_t>(pointer);
}

// Sums of int32_t wrap around, as on the hardware.
template <typename T>
inline T combine(RankUnitReduction reduction, T a, T b) {
    if (reduction == RANKUNIT_MAX) return a < b ? b : a;
    if (reduction == RANKUNIT_MIN) return b < a ? b : a;
    using Sum = typename std::conditional<std::is_same<T, int32_t>::value, uint32_t, T>::type;
    return static_cast<T>(static_cast<Sum>(a) + static_cast<Sum>(b));
}

// The float that a half stands for, and other elements as they are: what a reduction computes with.
template <typename T>
inline T wide(T value) {
    return value;
}
inline float wide(RankUnitFloat16 value) {
    return rankunit_to_float(value);
}
inline float wide(RankUnitBFloat16 value) {
    return rankunit_to_float(value);
}

template <typename T>
inline void store(T *target, T value) {
    *target = value;
}
inline void store(RankUnitFloat16 *target, float value) {
    *target = rankunit_to_float16(value);
}
inline void store(RankUnitBFloat16 *target, float value) {
    *target = rankunit_to_bfloat16(value);
}

}  // namespace rankunit_detail

// TPUT: writes `count` elements to the window of `rank`, where `target` corresponds to.
template <typename T>
inline void rankunit_put(const KernelEnv *env, const CommContext *context, uint32_t rank, T *target, const T *source,
                         uint64_t count, RankUnitStore how) {
    const rankunit_detail::Call call(env, context, "rankunit_put");
    call.require_rank(rank);
    const uint64_t bytes = call.bytes<T>(count);
    const uint64_t there = call.remote(rank, "target", target, bytes);
    const int transfer = call.how<T>(how);
    if (transfer == KERNEL_TRANSFER_COPY) {
        call.copy(there, rankunit_detail::address_of(source), bytes);
    } else {
        call.require_transfers();
        call.require_apart(there, rankunit_detail::address_of(source), bytes);
        env->ops->transfer(env, there, rankunit_detail::address_of(source), bytes, transfer);
    }
}

template <typename T>
inline void rankunit_put(const KernelEnv *env, const CommContext *context, uint32_t rank, T *target, const T *source,
                         uint64_t count) {
    const rankunit_detail::Call call(env, context, "rankunit_put");
    call.require_rank(rank);
    const uint64_t bytes = call.bytes<T>(count);
    call.copy(call.remote(rank, "target", target, bytes), rankunit_detail::address_of(source), bytes);
}

// TGET: reads `count` elements from the window of `rank`, where `source` corresponds to.
template <typename T>
inline void rankunit_get(const KernelEnv *env, const CommContext *context, uint32_t rank, T *target, const T *source,
                         uint64_t count) {
    const rankunit_detail::Call call(env, context, "rankunit_get");
    call.require_rank(rank);
    const uint64_t bytes = call.bytes<T>(count);
    call.copy(rankunit_detail::address_of(target), call.remote(rank, "source", source, bytes), bytes);
}

// The asynchronous forms of TPUT and TGET return before the data has moved. rankunit_finish waits for that. Until then,
// the target must not be read and the source must not be written.
//
// The simulator moves the data as late as that allows: in rankunit_finish, or when the kernel returns 0 without having
// called it. A kernel that forgets to wait, or that signals before it waits, shows old data to those who read the
// target then, every time.
template <typename T>
[[nodiscard]] inline RankUnitEvent rankunit_put_async(const KernelEnv *env, const CommContext *context, uint32_t rank,
                                                      T *target, const T *source, uint64_t count, RankUnitStore how) {
    const rankunit_detail::Call call(env, context, "rankunit_put_async");
    call.require_transfers();
    call.require_rank(rank);
    const uint64_t bytes = call.bytes<T>(count);
    const uint64_t there = call.remote(rank, "target", target, bytes);
    call.require_apart(there, rankunit_detail::address_of(source), bytes);
    return {env->ops->start(env, there, rankunit_detail::address_of(source), bytes, call.how<T>(how))};
}

template <typename T>
[[nodiscard]] inline RankUnitEvent rankunit_put_async(const KernelEnv *env, const CommContext *context, uint32_t rank,
                                                      T *target, const T *source, uint64_t count) {
    const rankunit_detail::Call call(env, context, "rankunit_put_async");
    call.require_transfers();
    call.require_rank(rank);
    const uint64_t bytes = call.bytes<T>(count);
    const uint64_t there = call.remote(rank, "target", target, bytes);
    call.require_apart(there, rankunit_detail::address_of(source), bytes);
    return {env->ops->start(env, there, rankunit_detail::address_of(source), bytes, KERNEL_TRANSFER_COPY)};
}

template <typename T>
[[nodiscard]] inline RankUnitEvent rankunit_get_async(const KernelEnv *env, const CommContext *context, uint32_t rank,
                                                      T *target, const T *source, uint64_t count) {
    const rankunit_detail::Call call(env, context, "rankunit_get_async");
    call.require_transfers();
    call.require_rank(rank);
    const uint64_t bytes = call.bytes<T>(count);
    const uint64_t there = call.remote(rank, "source", source, bytes);
    call.require_apart(rankunit_detail::address_of(target), there, bytes);
    return {env->ops->start(env, rankunit_detail::address_of(target), there, bytes, KERNEL_TRANSFER_COPY)};
}

// Waits for a put or get of this block, once for each.
inline void rankunit_finish(const KernelEnv *env, RankUnitEvent event) {
    rankunit_detail::Call(env, nullptr, "rankunit_finish").require_transfers();
    env->ops->finish(env, event.transfer);
}

// TREDUCE: combines the `count` elements at `source` of all ranks, those of the root first, then those of the others in
// ascending order. The order matters for sums of floats.
// Sums of halves are computed with floats and rounded once, at the end.
//
// Of the maximum and the minimum of floats and halves: a NaN of the root makes the result NaN, a NaN of another rank is
// ignored, and of equal values (-0 and +0) the first is kept. A half NaN loses its payload.
template <typename T>
inline void rankunit_reduce(const KernelEnv *env, const CommContext *context, T *target, const T *source,
                            uint64_t count, RankUnitReduction reduction) {
    const rankunit_detail::Call call(env, context, "rankunit_reduce");
    if (reduction < RANKUNIT_SUM || reduction > RANKUNIT_MIN) {
        call.fail("reduction = %d is not in [0, 2]", static_cast<int>(reduction));
    }
    const uint64_t bytes = call.bytes<T>(count);
    const uint64_t own = call.remote(context->rankId, "source", source, bytes);
    call.copy(rankunit_detail::address_of(target), own, bytes);
    // From here on, target and sources have been checked, and are read and written directly.
    const T *others[COMM_MAX_RANK_NUM];
    uint32_t number = 0;
    for (uint32_t rank = 0; rank < context->rankNum; rank++) {
        if (rank == context->rankId) continue;
        const uint64_t there = call.remote(rank, "source", source, bytes);
        call.require_apart(rankunit_detail::address_of(target), bytes, there, bytes, false);
        others[number++] = rankunit_pointer<const T>(there);
    }
    for (uint64_t i = 0; i < count; i++) {
        auto all = rankunit_detail::wide(target[i]);
        for (uint32_t other = 0; other < number; other++) {
            all = rankunit_detail::combine(reduction, all, rankunit_detail::wide(others[other][i]));
        }
        rankunit_detail::store(target + i, all);
    }
}

// TGATHER: puts the `count` elements at `source` of all ranks one behind the other: `target` gets rankNum * count.
template <typename T>
inline void rankunit_gather(const KernelEnv *env, const CommContext *context, T *target, const T *source,
                            uint64_t count) {
    const rankunit_detail::Call call(env, context, "rankunit_gather");
    const uint64_t bytes = call.bytes<T>(count);
    const uint64_t all = rankunit_detail::address_of(target);
    for (uint32_t rank = 0; rank < context->rankNum; rank++) {
        const uint64_t there = call.remote(rank, "source", source, bytes);
        call.require_apart(all, context->rankNum * bytes, there, bytes, all + rank * bytes == there);
    }
    for (uint32_t rank = 0; rank < context->rankNum; rank++) {
        call.copy(all + rank * bytes, call.remote(rank, "source", source, bytes), bytes);
    }
}

// TSCATTER: the reverse of a gather: each rank gets its `count` elements of the rankNum * count at `source`.
template <typename T>
inline void rankunit_scatter(const KernelEnv *env, const CommContext *context, T *target, const T *source,
                             uint64_t count) {
    const rankunit_detail::Call call(env, context, "rankunit_scatter");
    const uint64_t bytes = call.bytes<T>(count);
    const uint64_t all = rankunit_detail::address_of(source);
    for (uint32_t rank = 0; rank < context->rankNum; rank++) {
        const uint64_t there = call.remote(rank, "target", target, bytes);
        call.require_apart(there, bytes, all, context->rankNum * bytes, there == all + rank * bytes);
    }
    for (uint32_t rank = 0; rank < context->rankNum; rank++) {
        call.copy(call.remote(rank, "target", target, bytes), all + rank * bytes, bytes);
    }
}

// TBROADCAST: all ranks get the `count` elements at `source`.
template <typename T>
inline void rankunit_broadcast(const KernelEnv *env, const CommContext *context, T *target, const T *source,
                               uint64_t count) {
    const rankunit_detail::Call call(env, context, "rankunit_broadcast");
    const uint64_t bytes = call.bytes<T>(count);
    for (uint32_t rank = 0; rank < context->rankNum; rank++) {
        call.copy(call.remote(rank, "target", target, bytes), rankunit_detail::address_of(source), bytes);
    }
}

#endif  // RANKUNIT_COMM_KERNEL_H
