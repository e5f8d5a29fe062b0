// Kernels for the tests of the device functions.
#include <ctime>

#include "rankunit/kernel.h"

// What the vendor's compiler puts into a kernel's binary: an entry of type 1 with 4 bytes, the kind of its cores.
struct KernelMeta {
    uint16_t type;
    uint16_t length;
    uint32_t cores;
};
#define FOR_VECTOR_CORES(kernel) \
    __attribute__((used, section(".ascend.meta." #kernel))) static const KernelMeta kernel##_meta{1, 4, 3};

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
