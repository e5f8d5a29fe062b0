// For authors of kernels: the entry point of a kernel in the simulator, and the context that describes its peers.
//
// A kernel is a function in a shared library, found by its name:
//
//     #include <rankunit/kernel.h>
//
//     RANKUNIT_KERNEL int add_one(const uint64_t *args, int nargs) {
//         if (nargs != 2) return 1;                        // not zero: the launch fails and names this code
//         float *data = rankunit_pointer<float>(args[0]);  // a device address: of device memory or of a window
//         for (uint64_t i = 0; i < args[1]; i++) data[i] += 1.0f;
//         return 0;
//     }
//
// The simulator runs it synchronously on the launching thread. A kernel must not throw exceptions, and must not keep
// addresses after it has returned.
#ifndef RANKUNIT_KERNEL_H
#define RANKUNIT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "rankunit/export.h"

#define COMM_MAX_RANK_NUM 64

// What a rank's device knows about its communicator. The layout is fixed: kernels built elsewhere use it.
struct CommContext {
    uint64_t workSpace;      // 0 in the simulator
    uint64_t workSpaceSize;  // 0 in the simulator
    uint32_t rankId;
    uint32_t rankNum;
    uint64_t winSize;                        // bytes of each window
    uint64_t windowsIn[COMM_MAX_RANK_NUM];   // address of each rank's window, as this rank sees it
    uint64_t windowsOut[COMM_MAX_RANK_NUM];  // the same addresses in the simulator
};

#ifdef __cplusplus
#define RANKUNIT_KERNEL extern "C" RANKUNIT_EXPORT

static_assert(offsetof(CommContext, workSpace) == 0, "the context's layout is fixed");
static_assert(offsetof(CommContext, workSpaceSize) == 8, "the context's layout is fixed");
static_assert(offsetof(CommContext, rankId) == 16, "the context's layout is fixed");
static_assert(offsetof(CommContext, rankNum) == 20, "the context's layout is fixed");
static_assert(offsetof(CommContext, winSize) == 24, "the context's layout is fixed");
static_assert(offsetof(CommContext, windowsIn) == 32, "the context's layout is fixed");
static_assert(offsetof(CommContext, windowsOut) == 544, "the context's layout is fixed");
static_assert(sizeof(CommContext) == 1056, "the context's layout is fixed");

// Returns the object at a device address that was passed to the kernel as an argument.
template <typename T>
inline T *rankunit_pointer(uint64_t device_address) {
    return reinterpret_cast<T *>(device_address);
}

// Returns the address in rank `pe`'s window that corresponds to `local` in this rank's own window.
template <typename T>
inline T *rankunit_remote(const CommContext *context, uint32_t pe, T *local) {
    const uint64_t offset = reinterpret_cast<uint64_t>(local) - context->windowsIn[context->rankId];
    return reinterpret_cast<T *>(context->windowsIn[pe] + offset);
}
#else
#define RANKUNIT_KERNEL RANKUNIT_EXPORT
#endif

#endif  // RANKUNIT_KERNEL_H
