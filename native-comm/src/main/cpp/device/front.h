// What the C functions of device.h and stream.h share: the handle, its checks, and the text of the last failure.
#ifndef RANKUNIT_DEVICE_FRONT_H
#define RANKUNIT_DEVICE_FRONT_H

#include <cstdint>
#include <memory>

#include "device/device.h"
#include "rankunit/device.h"
#include "record/record.h"
#include "shake/members.h"
#include "shake/shake.h"
#include "support/failure.h"
#include "support/owning_process.h"

struct DeviceHandle_ {
    std::unique_ptr<rankunit::device::Device> device;
    rankunit::OwningProcess process;
};

namespace rankunit::device {

// The text of the last failure of a function on this thread.
ErrorText &last_error();

// Runs the body of a C function and returns its status.
template <typename Body>
int guarded(Body body) noexcept {
    return rankunit::guarded(last_error(), DEVICE_OUT_OF_MEMORY, DEVICE_SYSTEM, [&] {
        const shake::InLibrary in_library;
        record::enter();
        body();
    });
}

// The same for a function by which the host acts on a device: a point of the schedule.
template <typename Body>
int acting(Body body) noexcept {
    return guarded([&] {
        const shake::Call call;
        body();
    });
}

// These throw DEVICE_INVALID_ARGUMENT.
Device &require(DeviceHandle device);
void require_pointer(const void *pointer, const char *name);
void require_in(const char *name, int64_t value, int64_t least, int64_t most);

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_FRONT_H
