// Moving data between memories for kernels, now or later.
#ifndef RANKUNIT_DEVICE_CORES_TRANSFERS_H
#define RANKUNIT_DEVICE_CORES_TRANSFERS_H

#include <cstddef>
#include <cstdint>
#include <map>

#include "rankunit/kernel.h"
#include "record/record.h"

namespace rankunit::device {

// Throws DEVICE_INVALID_ARGUMENT.
KernelTransfer require_transfer(int how);

// KernelOps.transfer. Both ranges are checked against the memory map. Failures are thrown.
void transfer(KernelTransfer how, uint64_t target, uint64_t source, size_t bytes);

// What one block has started: KernelOps.start. Nothing moves before the block waits for it. So a kernel that reads the
// target too early finds old data every time, and one that writes the source too early sends what it has written. On
// the device, either goes well most of the time.
class Transfers {
public:
    // Checks everything that can be checked now. Returns the transfer's number, from 1 on.
    uint64_t start(KernelTransfer how, uint64_t target, uint64_t source, size_t bytes);
    // Throws DEVICE_INVALID_ARGUMENT if there is no such transfer, or if it has been waited for.
    void finish(uint64_t number);
    // At the end of the kernel: those that were not waited for, in the order in which they were started.
    void finish_all();

private:
    struct Started {
        KernelTransfer how;
        uint64_t target;
        uint64_t source;
        size_t bytes;
        record::Here recorded;  // who does it and as which work, if anything is recorded
    };

    static void move(const Started &started);

    uint64_t last_ = 0;
    std::map<uint64_t, Started> unfinished_;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_TRANSFERS_H
