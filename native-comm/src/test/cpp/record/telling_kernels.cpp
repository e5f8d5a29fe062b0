// Kernels that tell their accesses (rankunit/record_accesses.cpp).
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string_view>

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

// [to, elements, stride]: from the last one to the first.
RANKUNIT_KERNEL int stride_down(const uint64_t *args, int) {
    volatile int32_t *const to = rankunit_pointer<int32_t>(args[0]);
    for (uint64_t i = args[1]; i > 0; i--) to[i * args[2]] = 1;
    return 0;
}

// [to, rows, elements of a row, columns]: the first columns of all rows, one after the other, each twice.
RANKUNIT_KERNEL int columns(const uint64_t *args, int) {
    volatile int32_t *const to = rankunit_pointer<int32_t>(args[0]);
    for (uint64_t i = 0; i < 2 * args[3]; i++) {
        for (uint64_t row = 0; row < args[1]; row++) to[row * args[2] + i / 2] = 1;
    }
    return 0;
}

// [to, elements, stride, step]: `elements`, a prime, in an order in which each comes `step` behind the one before.
RANKUNIT_KERNEL int scatter(const uint64_t *args, int) {
    volatile int32_t *const to = rankunit_pointer<int32_t>(args[0]);
    for (uint64_t i = 0; i < args[1]; i++) to[i * args[3] % args[1] * args[2]] = 1;
    return 0;
}

// [to, elements]: those at 0, 2, 6, 12 and so on.
RANKUNIT_KERNEL int growing_gaps(const uint64_t *args, int) {
    volatile int32_t *const to = rankunit_pointer<int32_t>(args[0]);
    for (uint64_t i = 0; i < args[1]; i++) to[i * i + i] = 1;
    return 0;
}

// [to, elements, a power of 2]: each second one, in an order as if by chance.
RANKUNIT_KERNEL int random_gaps(const uint64_t *args, int) {
    volatile int32_t *const to = rankunit_pointer<int32_t>(args[0]);
    for (uint64_t i = 0; i < args[1]; i++) to[i * 40'503 % args[1] * 2] = 1;
    return 0;
}

// Writes the first element of each of its arguments.
RANKUNIT_KERNEL int touch_each(const uint64_t *args, int nargs) {
    for (int i = 0; i < nargs; i++) *rankunit_pointer<volatile int32_t>(args[i]) = 1;
    return 0;
}

namespace {

struct Record {
    char bytes[200];
};

int compare_ints(const void *, const void *) {
    return 0;
}

}  // namespace

// [memory with texts at 0 and 64, which function]: one call of a function of the C library, or what becomes one.
RANKUNIT_KERNEL int call(const uint64_t *args, int) {
    static volatile int result;
    char *const text = rankunit_pointer<char>(args[0]);
    char *const other = text + 64;
    char *const to = text + 128;
    auto *const ints = reinterpret_cast<int32_t *>(text);
    int32_t *const numbers = ints + 128;
    switch (args[1]) {
        case 0:
            result = memcmp(text, other, 8) == 0;
            break;
        case 1:
            result = memcmp(text, to, 100);
            break;
        case 2:
            result = memchr(text, 'l', 64) == nullptr;
            break;
        case 3:
            result = static_cast<int>(strlen(text));
            break;
        case 4:
            result = strcmp(text, other);
            break;
        case 5:
            result = strcmp(text, "hello") == 0;
            break;
        case 6:
            strcpy(to, "ab");
            break;
        case 7:
            strcpy(to, text);
            break;
        case 8:
            strncpy(to, text, 10);
            break;
        case 9:
            std::copy(ints, ints + 100, numbers);
            break;
        case 10:
            std::copy(ints, ints + 4, numbers);
            break;
        case 11:
            std::fill(text, text + 100, 'x');
            break;
        case 12:
            result = std::equal(ints, ints + 4, ints + 16);
            break;
        case 13:
            result = std::string_view(text, 5) == "hello";
            break;
        case 14:
            qsort(numbers, 100, sizeof(int32_t), compare_ints);
            break;
        case 15:
            memset(to, 0, 32);
            break;
        case 16:
            *reinterpret_cast<Record *>(numbers) = *reinterpret_cast<Record *>(text);
            break;
        case 17:
            *reinterpret_cast<Record *>(numbers) = Record{};
            break;
        case 18:
            snprintf(to, 100, "%d", 123);
            break;
        case 19:
            memmove(text + 4, text, 200);
            break;
        case 20:
            result = strcasecmp(text, other);
            break;
        case 21:
            result = mempcpy(to, text, 6) == nullptr;
            break;
        case 22:
            std::sort(numbers, numbers + 100);
            break;
        default:
            return 1;
    }
    return 0;
}
