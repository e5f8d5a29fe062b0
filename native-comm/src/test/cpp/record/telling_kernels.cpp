// Kernels that tell their accesses (rankunit/record_accesses.cpp).
#include <atomic>
#include <cstring>

#include "rankunit/kernel.h"

namespace {

int32_t ordinary = 0;

}  // namespace

// [from, to, elements]: to[i] = from[i] + 1, and the elements behind those are copied.
RANKUNIT_KERNEL int increment(const uint64_t *args, int) {
    const int32_t *const from = rankunit_pointer<int32_t>(args[0]);
    int32_t *const to = rankunit_pointer<int32_t>(args[1]);
    int32_t sums[4] = {};
    for (uint64_t i = 0; i < args[2]; i++) {
        to[i] = from[i] + 1;
        sums[i % 4] += from[i];
        ordinary = sums[i % 4];
    }
    std::memcpy(to + args[2], from + args[2], args[2] * sizeof(int32_t));
    return 0;
}

// [to, elements, stride]: every stride-th element.
RANKUNIT_KERNEL int stride(const uint64_t *args, int) {
    int32_t *const to = rankunit_pointer<int32_t>(args[0]);
    for (uint64_t i = 0; i < args[1]; i++) to[i * args[2]] = 1;
    return 0;
}

// [to, cell]: writes an element, signals, writes the next.
RANKUNIT_BLOCK_KERNEL(write_around_a_signal)(const KernelEnv *env, const uint64_t *args, int) {
    rankunit_pointer<int32_t>(args[0])[0] = 1;
    rankunit_signal(env, rankunit_pointer<int32_t>(args[1]), KERNEL_SIGNAL_SET, 1);
    rankunit_pointer<int32_t>(args[0])[1] = 2;
    return 0;
}

// [to]: each operation once, on one element.
RANKUNIT_KERNEL int count(const uint64_t *args, int) {
    auto *const to = reinterpret_cast<std::atomic<int32_t> *>(rankunit_pointer<int32_t>(args[0]));
    to->store(6);
    to->fetch_add(3);
    to->fetch_sub(1);
    int32_t expected = 8;
    return to->compare_exchange_strong(expected, 9) && to->exchange(10) == 9 && to->load() == 10 ? 0 : 1;
}
