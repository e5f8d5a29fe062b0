// Kernels for the tests of rankunit/comm_kernel.h. The first argument is the context.
#include "rankunit/comm_kernel.h"

namespace {

const CommContext *context_of(const uint64_t *args) {
    return rankunit_pointer<const CommContext>(args[0]);
}

// For signals: the last two cells of a rank's window.
int32_t *cell_of(const CommContext *context, uint32_t rank, uint64_t number) {
    return rankunit_pointer<int32_t>(context->windowsIn[rank] + context->winSize) - 2 + number;
}

}  // namespace

// args: context, rank, target, source, count, RankUnitStore, how often
RANKUNIT_BLOCK_KERNEL(put_floats)(const KernelEnv *env, const uint64_t *args, int) {
    for (uint64_t i = 0; i < args[6]; i++) {
        rankunit_put(env, context_of(args), static_cast<uint32_t>(args[1]), rankunit_pointer<float>(args[2]),
                     rankunit_pointer<float>(args[3]), args[4], static_cast<RankUnitStore>(args[5]));
    }
    return 0;
}

// The same for int32.
RANKUNIT_BLOCK_KERNEL(put_ints)(const KernelEnv *env, const uint64_t *args, int) {
    for (uint64_t i = 0; i < args[6]; i++) {
        rankunit_put(env, context_of(args), static_cast<uint32_t>(args[1]), rankunit_pointer<int32_t>(args[2]),
                     rankunit_pointer<int32_t>(args[3]), args[4], static_cast<RankUnitStore>(args[5]));
    }
    return 0;
}

// args: context, rank, target, source, count
RANKUNIT_BLOCK_KERNEL(get_floats)(const KernelEnv *env, const uint64_t *args, int) {
    rankunit_get(env, context_of(args), static_cast<uint32_t>(args[1]), rankunit_pointer<float>(args[2]),
                 rankunit_pointer<float>(args[3]), args[4]);
    return 0;
}

// args: context, target, source: rank 0 puts one float to rank 1, which stores what it sees at target + 1 and + 2: when
// the put has been started, and when it has ended
RANKUNIT_BLOCK_KERNEL(put_and_be_seen)(const KernelEnv *env, const uint64_t *args, int) {
    const CommContext *const context = context_of(args);
    auto *target = rankunit_pointer<float>(args[1]);
    if (context->rankId == 0) {
        const RankUnitEvent event = rankunit_put_async(env, context, 1, target, rankunit_pointer<float>(args[2]), 1);
        rankunit_signal(env, cell_of(context, 1, 0), KERNEL_SIGNAL_ADD, 1);
        rankunit_wait(env, cell_of(context, 0, 0), KERNEL_EQ, 1);
        rankunit_finish(env, event);
        rankunit_signal(env, cell_of(context, 1, 0), KERNEL_SIGNAL_ADD, 1);
    } else {
        for (int seen = 1; seen <= 2; seen++) {
            rankunit_wait(env, cell_of(context, 1, 0), KERNEL_EQ, seen);
            target[seen] = target[0];
            rankunit_signal(env, cell_of(context, 0, 0), KERNEL_SIGNAL_ADD, 1);
        }
    }
    return 0;
}

// args: context, target, source, what it returns: gets a float from each rank and waits for none; adds up what it sees
// at target + rankNum
RANKUNIT_BLOCK_KERNEL(get_without_waiting)(const KernelEnv *env, const uint64_t *args, int) {
    const CommContext *const context = context_of(args);
    auto *target = rankunit_pointer<float>(args[1]);
    for (uint32_t rank = 0; rank < context->rankNum; rank++) {
        (void)rankunit_get_async(env, context, rank, target + rank, rankunit_pointer<float>(args[2]), 1);
    }
    for (uint32_t rank = 0; rank < context->rankNum; rank++) target[context->rankNum] += target[rank];
    return static_cast<int>(args[3]);
}

// args: context, target, source: two additions whose source changes between start and wait
RANKUNIT_BLOCK_KERNEL(add_later)(const KernelEnv *env, const uint64_t *args, int) {
    auto *source = rankunit_pointer<int32_t>(args[2]);
    auto *target = rankunit_pointer<int32_t>(args[1]);
    const CommContext *const context = context_of(args);
    const RankUnitEvent first = rankunit_put_async(env, context, 0, target, source, 1, RANKUNIT_ADD);
    const RankUnitEvent second = rankunit_put_async(env, context, 0, target, source, 1, RANKUNIT_ADD);
    rankunit_finish(env, second);
    *source *= 10;
    rankunit_finish(env, first);
    return 0;
}

// args: context, target, source, bytes, which of the functions of KernelOps
RANKUNIT_BLOCK_KERNEL(move_bytes)(const KernelEnv *env, const uint64_t *args, int) {
    if (args[4] == 0) env->ops->copy(env, args[1], args[2], args[3]);
    if (args[4] == 1) env->ops->transfer(env, args[1], args[2], args[3], KERNEL_TRANSFER_ADD_INT32);
    if (args[4] == 2) env->ops->start(env, args[1], args[2], args[3], KERNEL_TRANSFER_COPY);
    return 0;
}

// args: context, rank, target, source, count, which
RANKUNIT_BLOCK_KERNEL(move_later)(const KernelEnv *env, const uint64_t *args, int) {
    const CommContext *const context = context_of(args);
    const auto rank = static_cast<uint32_t>(args[1]);
    auto *target = rankunit_pointer<int32_t>(args[2]);
    auto *source = rankunit_pointer<int32_t>(args[3]);
    if (args[5] == 0) (void)rankunit_put_async(env, context, rank, target, source, args[4]);
    if (args[5] == 1) (void)rankunit_put_async(env, context, rank, target, source, args[4], RANKUNIT_ADD);
    if (args[5] == 2) (void)rankunit_get_async(env, context, rank, target, source, args[4]);
    return 0;
}

// args: context, target, source, count, RankUnitReduction
RANKUNIT_BLOCK_KERNEL(reduce_floats)(const KernelEnv *env, const uint64_t *args, int) {
    rankunit_reduce(env, context_of(args), rankunit_pointer<float>(args[1]), rankunit_pointer<float>(args[2]), args[3],
                    static_cast<RankUnitReduction>(args[4]));
    return 0;
}

// The same for int32.
RANKUNIT_BLOCK_KERNEL(reduce_ints)(const KernelEnv *env, const uint64_t *args, int) {
    rankunit_reduce(env, context_of(args), rankunit_pointer<int32_t>(args[1]), rankunit_pointer<int32_t>(args[2]),
                    args[3], static_cast<RankUnitReduction>(args[4]));
    return 0;
}

// args: context, target, source, count
RANKUNIT_BLOCK_KERNEL(gather_ints)(const KernelEnv *env, const uint64_t *args, int) {
    rankunit_gather(env, context_of(args), rankunit_pointer<int32_t>(args[1]), rankunit_pointer<int32_t>(args[2]),
                    args[3]);
    return 0;
}

// args: context, target, source, count
RANKUNIT_BLOCK_KERNEL(scatter_ints)(const KernelEnv *env, const uint64_t *args, int) {
    rankunit_scatter(env, context_of(args), rankunit_pointer<int32_t>(args[1]), rankunit_pointer<int32_t>(args[2]),
                     args[3]);
    return 0;
}

// args: context, target, source, count
RANKUNIT_BLOCK_KERNEL(broadcast_ints)(const KernelEnv *env, const uint64_t *args, int) {
    rankunit_broadcast(env, context_of(args), rankunit_pointer<int32_t>(args[1]), rankunit_pointer<int32_t>(args[2]),
                       args[3]);
    return 0;
}

// args: context, target, source, what to do wrong
RANKUNIT_BLOCK_KERNEL(misuse_events)(const KernelEnv *env, const uint64_t *args, int) {
    const CommContext *const context = context_of(args);
    auto *target = rankunit_pointer<float>(args[1]);
    auto *source = rankunit_pointer<float>(args[2]);
    if (args[3] == 0) {
        const RankUnitEvent event = rankunit_put_async(env, context, 0, target, source, 1);
        rankunit_finish(env, event);
        rankunit_finish(env, event);
    } else if (args[3] == 1) {
        rankunit_finish(env, RankUnitEvent{7});
    } else {
        KernelOps old = *env->ops;  // of a simulator that ends before `transfer`
        old.size = offsetof(KernelOps, transfer);
        KernelEnv of_old = *env;
        of_old.ops = &old;
        rankunit_put(&of_old, context, 0, target, source, 1);
        rankunit_put(&of_old, context, 0, target, source, 1, RANKUNIT_ADD);
    }
    return 0;
}

namespace {

template <typename T>
void reduce_and_send_round(const KernelEnv *env, const uint64_t *args) {
    const CommContext *const context = context_of(args);
    auto *target = rankunit_pointer<T>(args[1]);
    const auto *source = rankunit_pointer<const T>(args[2]);
    rankunit_reduce(env, context, target, source, args[3], static_cast<RankUnitReduction>(args[4]));
    auto *in_window = rankunit_pointer<T>(args[2]) + args[3];
    rankunit_broadcast(env, context, in_window, target, args[3]);
    auto *back = target + args[3];
    rankunit_get(env, context, context->rankNum - 1, back, in_window, args[3]);
    rankunit_put(env, context, 1, in_window + args[3], back, args[3]);
    rankunit_finish(env, rankunit_put_async(env, context, 1, in_window + 2 * args[3], back, args[3]));
}

}  // namespace

// args: context, target (2 * count), data in the own window (4 * count), count, RankUnitReduction: the root reduces,
// broadcasts the result behind the data, gets it back from the last rank and puts it twice to rank 1, behind the others
RANKUNIT_BLOCK_KERNEL(round_of_float16)(const KernelEnv *env, const uint64_t *args, int) {
    reduce_and_send_round<RankUnitFloat16>(env, args);
    return 0;
}

RANKUNIT_BLOCK_KERNEL(round_of_bfloat16)(const KernelEnv *env, const uint64_t *args, int) {
    reduce_and_send_round<RankUnitBFloat16>(env, args);
    return 0;
}
