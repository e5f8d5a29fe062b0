// Kernels for the tests of task graphs. Words are uint64 in device memory.
#include <atomic>
#include <stdexcept>

#include "rankunit/kernel.h"

namespace {

std::atomic<uint64_t> &word(uint64_t address) {
    return *rankunit_pointer<std::atomic<uint64_t>>(address);
}

void spin_for(uint64_t rounds) {
    for (volatile uint64_t i = 0; i < rounds; i = i + 1) {
    }
}

}  // namespace

RANKUNIT_KERNEL int do_nothing(const uint64_t *, int) {
    return 0;
}

// args: clock, begin, end, runs: each moment is a tick of the clock
RANKUNIT_KERNEL int stamp(const uint64_t *args, int nargs) {
    if (nargs < 4) return 1;
    word(args[1]) = word(args[0])++;
    word(args[3])++;
    spin_for(100);
    word(args[2]) = word(args[0])++;
    return 0;
}

// args: word, value
RANKUNIT_KERNEL int put(const uint64_t *args, int nargs) {
    if (nargs != 2) return 1;
    *rankunit_pointer<uint64_t>(args[0]) = args[1];
    return 0;
}

// args: target, source, added
RANKUNIT_KERNEL int add(const uint64_t *args, int nargs) {
    if (nargs != 3) return 1;
    spin_for(1000);
    *rankunit_pointer<uint64_t>(args[0]) = *rankunit_pointer<const uint64_t>(args[1]) + args[2];
    return 0;
}

// args: target, times: target = target * times + 1, so that the order of two shows
RANKUNIT_KERNEL int scale_and_add_one(const uint64_t *args, int nargs) {
    if (nargs != 2) return 1;
    auto *target = rankunit_pointer<uint64_t>(args[0]);
    const uint64_t before = *target;
    spin_for(1000);
    *target = before * args[1] + 1;
    return 0;
}

// args: target, first, second
RANKUNIT_KERNEL int sum(const uint64_t *args, int nargs) {
    if (nargs != 3) return 1;
    *rankunit_pointer<uint64_t>(args[0]) =
        *rankunit_pointer<const uint64_t>(args[1]) + *rankunit_pointer<const uint64_t>(args[2]);
    return 0;
}

// args: target, its words, source, its words: each word of the target = 31 * itself + the sum of the source
RANKUNIT_KERNEL int mix(const uint64_t *args, int nargs) {
    if (nargs != 4) return 1;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < args[3]; i++) sum += rankunit_pointer<const uint64_t>(args[2])[i];
    spin_for(200);
    for (uint64_t i = 0; i < args[1]; i++) {
        auto &word = rankunit_pointer<uint64_t>(args[0])[i];
        word = word * 31 + sum;
    }
    return 0;
}

RANKUNIT_KERNEL int return_seven(const uint64_t *, int) {
    return 7;
}

RANKUNIT_KERNEL int throw_exception(const uint64_t *, int) {
    throw std::runtime_error("out of luck");
}

// args: any; fails in block 2
RANKUNIT_BLOCK_KERNEL(fail_in_block_two)(const KernelEnv *env, const uint64_t *, int) {
    if (env->block == 2) env->ops->fail(env, "block two does not like it");
    return 0;
}

// args: word that is set by a destructor
RANKUNIT_BLOCK_KERNEL(fail_with_a_destructor)(const KernelEnv *env, const uint64_t *args, int) {
    struct Sets {
        uint64_t address;
        ~Sets() { word(address) = 1; }
    };
    const Sets at_the_end{args[0]};
    env->ops->fail(env, "after the destructor");
    return 0;
}

// args: words, one for each block, which get 1 + the number of blocks; a counter of runs
RANKUNIT_BLOCK_KERNEL(mark_blocks)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 2) return 1;
    word(args[0] + env->block * sizeof(uint64_t)) = 1 + env->blocks;
    word(args[1])++;
    return 0;
}

// args: cell, value
RANKUNIT_BLOCK_KERNEL(signal_cell)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 2) return 1;
    rankunit_signal(env, rankunit_pointer<int32_t>(args[0]), KERNEL_SIGNAL_ADD, static_cast<int32_t>(args[1]));
    return 0;
}

// args: cell, value
RANKUNIT_BLOCK_KERNEL(wait_for_cell)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 2) return 1;
    rankunit_wait(env, rankunit_pointer<int32_t>(args[0]), KERNEL_GE, static_cast<int32_t>(args[1]));
    return 0;
}

// args: target, source: copies 8 bytes by two transfers, and waits for the first one.
RANKUNIT_BLOCK_KERNEL(start_two)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 2) return 1;
    const uint64_t first = env->ops->start(env, args[0], args[1], 8, KERNEL_TRANSFER_COPY);
    env->ops->start(env, args[0] + 8, args[1], 8, KERNEL_TRANSFER_COPY);
    env->ops->finish(env, first);
    return 0;
}

// args: cell: all blocks meet
RANKUNIT_BLOCK_KERNEL(meet_blocks)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 1) return 1;
    auto *cell = rankunit_pointer<int32_t>(args[0]);
    rankunit_signal(env, cell, KERNEL_SIGNAL_ADD, 1);
    rankunit_wait(env, cell, KERNEL_GE, static_cast<int32_t>(env->blocks));
    return 0;
}

// args: cell, counters of parts: cube, first vector, second vector. The parts of a block meet.
RANKUNIT_BLOCK_KERNEL(meet_parts)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 4) return 1;
    auto *cell = rankunit_pointer<int32_t>(args[0]) + env->block;
    const size_t part = env->core_kind == KERNEL_CORE_CUBE ? 0 : 1 + env->sub_block;
    word(args[1 + part])++;
    rankunit_signal(env, cell, KERNEL_SIGNAL_ADD, 1);
    rankunit_wait(env, cell, KERNEL_GE, 3);
    return 0;
}

// args: word that gets the token
RANKUNIT_BLOCK_KERNEL(defer)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 1) return 1;
    word(args[0]) = env->ops->defer(env);
    return 0;
}

// args: word with a token
RANKUNIT_BLOCK_KERNEL(complete_other)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 1) return 1;
    env->ops->complete(env, word(args[0]));
    return 0;
}

// args: a word that ends it when it is not 0
RANKUNIT_KERNEL int spin_on_word(const uint64_t *args, int nargs) {
    if (nargs != 1) return 1;
    while (word(args[0]) == 0) {
    }
    return 0;
}
