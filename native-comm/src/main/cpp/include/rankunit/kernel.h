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
// A kernel that runs as several blocks, or that signals and waits, takes a KernelEnv as well:
//
//     RANKUNIT_BLOCK_KERNEL(add_one_in_blocks)(const KernelEnv *env, const uint64_t *args, int nargs) {
//         float *data = rankunit_pointer<float>(args[0]);
//         for (uint64_t i = env->block; i < args[1]; i += env->blocks) data[i] += 1.0f;
//         return 0;
//     }
//
// device_launch runs a kernel on the calling thread, as one block. stream_launch runs it on cores of the device, which
// are threads in the simulator. A kernel must not throw exceptions, and must not keep addresses after it has returned.
// It must be compiled with unwind tables, as compilers do unless told otherwise: a wait that cannot end leaves the
// kernel by unwinding its stack.
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

// The kinds of cores of a device.
enum KernelCore {
    KERNEL_CORE_VECTOR = 0,  // AIV
    KERNEL_CORE_CUBE = 1,    // AIC
};

// On-chip memory of a core, as its platform has it (bytes): on a2a3 and a5.
enum KernelMemory {
    KERNEL_MEMORY_UB = 0,   // unified buffer of a vector core: 192 KiB, 256 KiB
    KERNEL_MEMORY_L1 = 1,   // of a cube core, as the following: 512 KiB
    KERNEL_MEMORY_L0A = 2,  // 64 KiB
    KERNEL_MEMORY_L0B = 3,  // 64 KiB
    KERNEL_MEMORY_L0C = 4,  // 128 KiB, 256 KiB
};

// How KernelOps.signal changes a cell (TNOTIFY).
enum KernelSignal {
    KERNEL_SIGNAL_SET = 0,
    KERNEL_SIGNAL_ADD = 1,
};

// What KernelOps.wait waits for (TWAIT): for `cell COMPARE value`.
enum KernelCompare {
    KERNEL_EQ = 0,
    KERNEL_NE = 1,
    KERNEL_GT = 2,
    KERNEL_GE = 3,
    KERNEL_LT = 4,
    KERNEL_LE = 5,
};

// What KernelOps.transfer does with the bytes that it reads.
enum KernelTransfer {
    KERNEL_TRANSFER_COPY = 0,
    KERNEL_TRANSFER_ADD_FLOAT = 1,  // adds each float to that of the target, atomically
    KERNEL_TRANSFER_ADD_INT32 = 2,  // the same for int32; wraps around
};

// Cells of a semaphore: `rows` x `columns` int32 values, the rows `row_bytes` apart. Addresses are multiples of 4.
typedef struct KernelCells {
    uint64_t address;
    uint32_t rows;
    uint32_t columns;
    uint64_t row_bytes;
} KernelCells;

struct KernelOps;

// What a block of a kernel knows about itself. Its rank stands in the CommContext, for kernels that take one.
typedef struct KernelEnv {
    uint32_t size;       // bytes of this struct; later versions append fields
    uint32_t block;      // in [0, blocks)
    uint32_t blocks;     // of this launch
    uint32_t core_kind;  // KernelCore
    uint32_t core;       // number of the core it runs on, among those of its kind
    uint32_t sub_block;  // of a mixed kernel: number of the core among those of its kind that run this block; else 0
    const struct KernelOps *ops;
    void *state;  // the simulator's
} KernelEnv;

// What a block may ask of the simulator. A call that cannot succeed ends the kernel, which then fails with the reason:
// a wrong address, a wait whose time-out passes, an aborted communicator.
typedef struct KernelOps {
    uint32_t size;  // bytes of this struct; later versions append functions
    // Changes one cell, in device memory or in any rank's window, and wakes those that wait for it. Earlier writes of
    // this block are visible to a block that has waited for it.
    void (*signal)(const KernelEnv *env, uint64_t cell, int signal, int32_t value);
    // Waits until all cells satisfy the comparison. The core stays taken, but other cores can run. Never resets a cell.
    void (*wait)(const KernelEnv *env, const KernelCells *cells, int compare, int32_t value);
    // Whether all cells satisfy the comparison now (TTEST).
    int (*test)(const KernelEnv *env, const KernelCells *cells, int compare, int32_t value);
    // Allocates on-chip memory of this core, aligned as the hardware requires; freed when the block ends. The contents
    // are undefined.
    void *(*allocate)(const KernelEnv *env, int memory, size_t bytes);
    // Copies between device memory and windows after checking both ranges (TGET, TPUT), which must not overlap unless
    // they are equal.
    void (*copy)(const KernelEnv *env, uint64_t target, uint64_t source, size_t bytes);
    // Ends the kernel with a reason. Does not return.
    void (*fail)(const KernelEnv *env, const char *reason);
    // For a task of a graph (rankunit/graph.h): the task does not complete with its blocks, but when the token that
    // this returns has been passed to `complete` or graph_complete, by whomever. A block may take several tokens.
    uint64_t (*defer)(const KernelEnv *env);
    // Completes what was deferred, once for each token; the task may be another one of this device.
    void (*complete)(const KernelEnv *env, uint64_t token);
    // As `copy`, for each KernelTransfer. See rankunit/comm_kernel.h for this and the following ones.
    void (*transfer)(const KernelEnv *env, uint64_t target, uint64_t source, size_t bytes, int how);
    // The same, but nothing moves before the number that this returns is passed to `finish`, or the kernel has returned
    // 0. A kernel that fails moves nothing.
    uint64_t (*start)(const KernelEnv *env, uint64_t target, uint64_t source, size_t bytes, int how);
    // Waits for what this block has started, once for each.
    void (*finish)(const KernelEnv *env, uint64_t transfer);
} KernelOps;

#ifdef __cplusplus
#define RANKUNIT_KERNEL extern "C" RANKUNIT_EXPORT

// Which cores the kernels of a library are for, if it is compiled for one kind: the simulator launches them on no
// others.
#if defined(RANKUNIT_CORE_AIC) || defined(RANKUNIT_CORE_AIV)
extern "C" {
RANKUNIT_EXPORT extern __attribute__((weak)) const uint32_t rankunit_core_kind;
#ifdef RANKUNIT_CORE_AIC
const uint32_t rankunit_core_kind = KERNEL_CORE_CUBE;
#else
const uint32_t rankunit_core_kind = KERNEL_CORE_VECTOR;
#endif
}
#endif

// Begins the definition of a kernel that takes a KernelEnv. The constant tells the simulator so.
#define RANKUNIT_BLOCK_KERNEL(name)                          \
    extern "C" {                                             \
    RANKUNIT_EXPORT extern const uint32_t name##_kernel_abi; \
    const uint32_t name##_kernel_abi = 2;                    \
    }                                                        \
    extern "C" RANKUNIT_EXPORT int name

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

// SIGNAL: changes a cell in the window of any rank (TNOTIFY).
inline void rankunit_signal(const KernelEnv *env, int32_t *cell, KernelSignal signal, int32_t value) {
    env->ops->signal(env, reinterpret_cast<uint64_t>(cell), signal, value);
}

// WAIT: waits until `cell compare value` holds (TWAIT).
inline void rankunit_wait(const KernelEnv *env, const int32_t *cell, KernelCompare compare, int32_t value) {
    const KernelCells one{reinterpret_cast<uint64_t>(cell), 1, 1, 4};
    env->ops->wait(env, &one, compare, value);
}

// Whether `cell compare value` holds now (TTEST).
inline bool rankunit_test(const KernelEnv *env, const int32_t *cell, KernelCompare compare, int32_t value) {
    const KernelCells one{reinterpret_cast<uint64_t>(cell), 1, 1, 4};
    return env->ops->test(env, &one, compare, value) != 0;
}
#else
#define RANKUNIT_KERNEL RANKUNIT_EXPORT
#endif

#endif  // RANKUNIT_KERNEL_H
