// Running one block of a kernel on one core.
#ifndef RANKUNIT_DEVICE_CORES_BLOCK_RUN_H
#define RANKUNIT_DEVICE_CORES_BLOCK_RUN_H

#include <cstdint>
#include <optional>
#include <string>

#include "device/cores/interruption.h"
#include "device/cores/lanes.h"
#include "device/cores/running.h"
#include "rankunit/kernel.h"
#include "shake/shake.h"

namespace rankunit::device {

// A kernel of either form; the other pointer is null.
struct KernelFunction {
    std::string name;
    int (*plain)(const uint64_t *args, int nargs);
    int (*in_blocks)(const KernelEnv *env, const uint64_t *args, int nargs);
    std::optional<CoreKind> only{};  // the cores that it is compiled for
    bool tells = false;              // its accesses through pointers
};

// Which block, and where it runs.
struct BlockPlace {
    uint32_t block = 0;
    uint32_t blocks = 1;
    uint32_t sub_block = 0;
    CoreKind kind = CoreKind::kVector;
    uint32_t core = 0;
};

// What a block belongs to: a task of a graph. Called by the block's thread; failures are thrown, and end the kernel.
class BlockOwner {
public:
    virtual ~BlockOwner() = default;
    // Around a wait that is not satisfied at once.
    virtual void wait_begins() = 0;
    virtual void wait_ends() noexcept = 0;
    // KernelOps.defer and KernelOps.complete
    virtual uint64_t defer() = 0;
    virtual void complete(uint64_t token) = 0;
    // The task, for the note of what runs.
    virtual RunningTask running() const noexcept = 0;
    // Its name in the schedule. Called while that is shaken.
    virtual shake::Here shaken() const noexcept = 0;
};

// Runs the block on this thread. Throws DEVICE_KERNEL_FAILED if the kernel returns a value other than 0 or calls
// KernelOps.fail, and what its waits and copies throw; the text names kernel, block and core. `has_turn`: whether this
// thread has a turn of Workers, which it gives up while the kernel waits. Without an owner, the kernel cannot defer.
void run_block(const KernelFunction &kernel, const uint64_t *args, int nargs, const BlockPlace &place,
               const CoreLayout &layout, const Interruption &interruption, bool has_turn, BlockOwner *owner = nullptr);

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_BLOCK_RUN_H
