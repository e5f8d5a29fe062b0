// Running all blocks of a kernel.
#ifndef RANKUNIT_DEVICE_CORES_LAUNCH_H
#define RANKUNIT_DEVICE_CORES_LAUNCH_H

#include <cstdint>
#include <vector>

#include "device/cores/block_run.h"
#include "device/cores/interruption.h"
#include "device/cores/lanes.h"
#include "rankunit/stream.h"

namespace rankunit::device {

// The cores of one device, and what ends the waits on them.
struct Cores {
    explicit Cores(const CoreLayout &of_platform) : layout(of_platform), lanes(of_platform) {}

    const CoreLayout &layout;
    Lanes lanes;
    Interruption interruption;
};

// A kernel with its arguments and its shape.
struct Launch {
    const KernelFunction &kernel;
    std::vector<uint64_t> args;
    uint32_t blocks;
    StreamCores cores;
};

// Runs all blocks, on this thread and on those of Workers, and returns when they have ended. Throws the first failure
// of a block; blocks that have not started by then do not run.
void run_launch(const Launch &launch, Cores &cores);

// Throws DEVICE_INVALID_ARGUMENT or DEVICE_NOT_SUPPORTED if the kernel cannot be launched so.
void require_launch(const KernelFunction &kernel, uint32_t blocks, uint32_t cores);

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_LAUNCH_H
