// device_leave_out: one step of a program that makes an order is left out.
#include <cstdint>

#include "harness/check.h"
#include "stream/stream_support.h"

using rankunit::test::Device;

namespace {

void leave_out(const Device &device, const char *what) {
    CHECK_EQUAL(device_leave_out(device.get(), what), DEVICE_OK);
}

TEST(one_signal_is_left_out_and_no_other) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint32_t stream = device.stream();
    leave_out(device, "signal:2");
    for (int i = 0; i < 3; i++) {
        CHECK_EQUAL(stream_signal(device.get(), stream, cell, KERNEL_SIGNAL_ADD, 10), DEVICE_OK);
    }
    device.synchronize(stream);
    CHECK_EQUAL(device.value<int32_t>(cell), 20);
    leave_out(device, "");
}

TEST(steps_are_counted_anew_in_each_test) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint32_t stream = device.stream();
    leave_out(device, "signal:1");
    for (int test = 0; test < 2; test++) {
        CHECK_EQUAL(device_record_mark(device.get(), DEVICE_MARK_TEST_BEGIN, "test"), DEVICE_OK);
        CHECK_EQUAL(stream_signal(device.get(), stream, cell, KERNEL_SIGNAL_ADD, 10), DEVICE_OK);
        CHECK_EQUAL(stream_signal(device.get(), stream, cell, KERNEL_SIGNAL_ADD, 1), DEVICE_OK);
    }
    device.synchronize(stream);
    CHECK_EQUAL(device.value<int32_t>(cell), 2);
    leave_out(device, "");
}

TEST(a_wait_that_is_left_out_holds_nothing_up) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint32_t stream = device.stream();
    const uint32_t notify = device.notify();
    leave_out(device, "cell-wait:1");
    device.hold_up(stream, cell);
    leave_out(device, "notify-wait:1");
    CHECK_EQUAL(notify_wait(device.get(), stream, notify), DEVICE_OK);
    device.synchronize(stream);
    leave_out(device, "");
}

TEST(what_is_no_step_is_refused) {
    const Device device;
    for (const char *wrong : {"signal", "signal:", "signal:0", "signal:x", "signla:1", ":1", "signal:1 "}) {
        CHECK_EQUAL(device_leave_out(device.get(), wrong), DEVICE_INVALID_ARGUMENT);
    }
    CHECK_CONTAINS(device_last_error(), "is not a kind of step and its number, such as edge:3");
}

}  // namespace
