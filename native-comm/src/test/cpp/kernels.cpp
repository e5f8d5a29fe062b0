// Kernels for the tests of the device functions.
#include <ctime>

#include "rankunit/kernel.h"

// What the vendor's compiler puts into a kernel's binary: an entry of type 1 with 4 bytes, the kind of its cores.
struct KernelMeta {
    uint16_t type;
    uint16_t length;
    uint32_t cores;
};
#define FOR_CORES(kernel, cores) \
    __attribute__((used, section(".ascend.meta." #kernel))) static const KernelMeta kernel##_meta{1, 4, cores};
#define FOR_VECTOR_CORES(kernel) FOR_CORES(kernel, 3)

// args: context, result (uint64 per rank): the first word of each rank's window.
RANKUNIT_KERNEL int gather_first_words(const uint64_t *args, int nargs) {
    if (nargs != 2) return 1;
    const auto *context = rankunit_pointer<const CommContext>(args[0]);
    auto *result = rankunit_pointer<uint64_t>(args[1]);
    const auto *own = rankunit_pointer<const uint64_t>(context->windowsIn[context->rankId]);
    for (uint32_t pe = 0; pe < context->rankNum; pe++) result[pe] = *rankunit_remote(context, pe, own);
    return 0;
}

// args: data (float), count
RANKUNIT_KERNEL int add_one(const uint64_t *args, int nargs) {
    if (nargs != 2) return 1;
    auto *data = rankunit_pointer<float>(args[0]);
    for (uint64_t i = 0; i < args[1]; i++) data[i] += 1.0f;
    return 0;
}

RANKUNIT_KERNEL int fail_with_first_argument(const uint64_t *args, int nargs) {
    return nargs > 0 ? static_cast<int>(args[0]) : 1;
}

// args: a word (uint64) that ends the kernel once it is not 0
RANKUNIT_KERNEL int wait_for_word(const uint64_t *args, int nargs) {
    if (nargs != 1) return 1;
    const auto *word = rankunit_pointer<const volatile uint64_t>(args[0]);
    while (*word == 0) {
    }
    return 0;
}

RANKUNIT_KERNEL int count_arguments(const uint64_t *, int nargs) {
    return nargs;
}

// args: a word (uint64) that is written after a while, and its value
RANKUNIT_KERNEL int write_late(const uint64_t *args, int nargs) {
    if (nargs != 2) return 1;
    const timespec while_others_go_on{0, 100'000'000};
    nanosleep(&while_others_go_on, nullptr);
    *rankunit_pointer<uint64_t>(args[0]) = args[1];
    return 0;
}

// args: words (uint64) of the layout of CommContext
RANKUNIT_KERNEL int tell_layout(const uint64_t *args, int nargs) {
    if (nargs != 1) return 1;
    auto *words = rankunit_pointer<uint64_t>(args[0]);
    words[0] = sizeof(CommContext);
    words[1] = offsetof(CommContext, rankId);
    words[2] = offsetof(CommContext, rankNum);
    words[3] = offsetof(CommContext, winSize);
    words[4] = offsetof(CommContext, windowsIn);
    words[5] = offsetof(CommContext, windowsOut);
    return 0;
}

FOR_VECTOR_CORES(gather_first_words)
FOR_VECTOR_CORES(add_one)
FOR_VECTOR_CORES(fail_with_first_argument)
FOR_VECTOR_CORES(wait_for_word)
FOR_VECTOR_CORES(count_arguments)
FOR_VECTOR_CORES(write_late)
FOR_VECTOR_CORES(tell_layout)

// Two that have no such section: one that says nothing, one whose name does.
RANKUNIT_KERNEL int say_nothing_of_cores(const uint64_t *args, int nargs) {
    return add_one(args, nargs);
}

RANKUNIT_KERNEL int tell_cores_by_name_mix_aiv(const uint64_t *args, int nargs) {
    return add_one(args, nargs);
}

// For cube cores, for those of both kinds, and for what nobody knows.
RANKUNIT_KERNEL int run_on_cube_cores(const uint64_t *, int) {
    return 0;
}

RANKUNIT_KERNEL int run_on_mixed_cores(const uint64_t *, int) {
    return 0;
}

RANKUNIT_KERNEL int run_on_unknown_cores(const uint64_t *, int) {
    return 0;
}

RANKUNIT_KERNEL int tell_mixed_cores_by_name_mix_aic(const uint64_t *, int) {
    return 0;
}

RANKUNIT_KERNEL int tell_mixed_cores_by_name_mix_aiv(const uint64_t *, int) {
    return 0;
}

// Further entries of kernels for both: how many cores of cube and of vector a block has.
struct RatioMeta {
    KernelMeta kind;
    uint16_t type;
    uint16_t length;
    uint16_t cube;
    uint16_t vector;
};
#define FOR_RATIO(kernel, kind, cube, vector)                                                     \
    __attribute__((used, section(".ascend.meta." #kernel))) static const RatioMeta kernel##_meta{ \
        {1, 4, kind}, 3, 4, cube, vector};
FOR_RATIO(run_on_two_to_one, 4, 1, 2)
FOR_RATIO(run_on_cube_of_mixed, 4, 1, 0)
FOR_RATIO(run_on_vector_of_mixed, 5, 0, 1)

FOR_CORES(run_on_cube_cores, 2)
FOR_CORES(run_on_mixed_cores, 4)
FOR_CORES(run_on_unknown_cores, 77)

// args: counts (uint32 per block), number of blocks expected
RANKUNIT_BLOCK_KERNEL(count_blocks)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 2 || env->blocks != args[1]) return 1;
    rankunit_pointer<uint32_t>(args[0])[env->block]++;
    return 0;
}

// args: a cell that counts the blocks; with a second argument, no block gets further
RANKUNIT_BLOCK_KERNEL(meet_all_blocks)(const KernelEnv *env, const uint64_t *args, int nargs) {
    auto *cell = rankunit_pointer<int32_t>(args[0]);
    rankunit_signal(env, cell, KERNEL_SIGNAL_ADD, 1);
    rankunit_wait(env, cell, KERNEL_GE, static_cast<int32_t>(env->blocks) + nargs - 1);
    return 0;
}

// args: for each block three cells: how many of its cores have come, the sum of its cube cores, that of its vector
// cores
RANKUNIT_BLOCK_KERNEL(meet_in_mixed_block)(const KernelEnv *env, const uint64_t *args, int) {
    auto *cells = rankunit_pointer<int32_t>(args[0]) + 3 * env->block;
    if (env->core_kind == KERNEL_CORE_CUBE) {
        rankunit_signal(env, cells + 1, KERNEL_SIGNAL_ADD, 1);
    } else {
        rankunit_signal(env, cells + 2, KERNEL_SIGNAL_ADD, env->sub_block == 0 ? 1 : 10);
    }
    rankunit_signal(env, cells, KERNEL_SIGNAL_ADD, 1);
    rankunit_wait(env, cells, KERNEL_EQ, 3);
    return 0;
}

// args: a cell that ends the kernel once it is not 0; it spins, as kernels do that were not written for the simulator
RANKUNIT_KERNEL int spin_on_cell(const uint64_t *args, int) {
    const auto *cell = rankunit_pointer<const int32_t>(args[0]);
    while (__atomic_load_n(cell, __ATOMIC_ACQUIRE) == 0) {
    }
    return 0;
}

FOR_VECTOR_CORES(spin_on_cell)

// args: KernelMemory, bytes, result (uint64): the bytes that were written
RANKUNIT_BLOCK_KERNEL(use_on_chip_memory)(const KernelEnv *env, const uint64_t *args, int) {
    auto *memory = static_cast<char *>(env->ops->allocate(env, static_cast<int>(args[0]), args[1]));
    uint64_t written = 0;
    for (; written < args[1]; written++) memory[written] = 1;
    *rankunit_pointer<uint64_t>(args[2]) = written;
    return 0;
}

RANKUNIT_BLOCK_KERNEL(fail_with_reason)(const KernelEnv *env, const uint64_t *, int) {
    env->ops->fail(env, "the tile does not fit");
    return 0;
}

// args: context, round: all blocks of all ranks meet in the first cell of rank 0's window
RANKUNIT_BLOCK_KERNEL(meet_all_ranks)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 2) return 1;
    const auto *context = rankunit_pointer<const CommContext>(args[0]);
    auto *cell = rankunit_pointer<int32_t>(context->windowsIn[0]);
    const auto all = static_cast<int32_t>(env->blocks * context->rankNum);
    rankunit_signal(env, cell, KERNEL_SIGNAL_ADD, 1);
    rankunit_wait(env, cell, KERNEL_GE, all * static_cast<int32_t>(args[1]));
    return 0;
}

// args: a cell that a destructor sets to 7 when the kernel is left
RANKUNIT_BLOCK_KERNEL(fail_with_destructor)(const KernelEnv *env, const uint64_t *args, int) {
    struct Guard {
        int32_t *cell;
        ~Guard() { *cell = 7; }
    };
    const Guard guard{rankunit_pointer<int32_t>(args[0])};
    env->ops->fail(env, "with something to destroy");
    return 0;
}
