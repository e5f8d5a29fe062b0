// device_activity: whether the devices of a process can go on by themselves.
#include <chrono>
#include <string>
#include <thread>

#include "harness/check.h"
#include "stream/stream_support.h"

using rankunit::test::Device;
using rankunit::test::kLong;

namespace {

struct Activity {
    uint32_t what;
    uint64_t changes;
    std::string waits;
};

Activity activity_of(const Device &device) {
    Activity found{};
    char text[2048];
    CHECK_EQUAL(device_activity(device.get(), &found.what, &found.changes, text, sizeof(text)), DEVICE_OK);
    found.waits = text;
    return found;
}

// Streams begin their work in threads of their own.
Activity becomes(const Device &device, uint32_t what) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds{kLong};
    Activity found = activity_of(device);
    while (found.what != what && std::chrono::steady_clock::now() < end) {
        std::this_thread::yield();
        found = activity_of(device);
    }
    CHECK_EQUAL(found.what, what);
    return found;
}

TEST(a_device_without_work_is_idle) {
    const Device device;
    CHECK_EQUAL(activity_of(device).what, DEVICE_IDLE);
    const uint32_t stream = device.stream();
    CHECK_EQUAL(activity_of(device).what, DEVICE_IDLE);
    const uint64_t cell = device.allocate(4);
    device.set(cell, 1);
    becomes(device, DEVICE_IDLE);
    CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_OK);
}

TEST(a_stream_that_waits_for_a_cell_waits_until_it_is_set) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint32_t stream = device.stream();
    device.hold_up(stream, cell);
    const Activity waits = becomes(device, DEVICE_WAITS);
    CHECK_CONTAINS(waits.waits, "stream 1 waits for the cell at 0x");
    CHECK_CONTAINS(waits.waits, " >= 1, which is 0");
    const Activity still = activity_of(device);
    CHECK_EQUAL(still.what, DEVICE_WAITS);
    CHECK_EQUAL(still.changes, waits.changes);
    device.set(cell, 1);
    device.synchronize(stream);
    CHECK(becomes(device, DEVICE_IDLE).changes > waits.changes);
}

TEST(the_host_waits_with_the_stream_it_synchronizes) {
    const Device device;
    const uint32_t stream = device.stream();
    const uint32_t notify = device.notify();
    CHECK_EQUAL(notify_wait(device.get(), stream, notify), DEVICE_OK);
    std::thread host([&] { device.synchronize(stream); });
    const Activity waits = becomes(device, DEVICE_HOST_WAITS);
    CHECK_CONTAINS(waits.waits, "the host waits for stream 1");
    CHECK_CONTAINS(waits.waits, "stream 1 waits for notify 1, which is not set");
    const uint32_t poster = device.stream();
    CHECK_EQUAL(notify_post(device.get(), poster, notify), DEVICE_OK);
    host.join();
    becomes(device, DEVICE_IDLE);
}

TEST(a_stream_that_waits_for_an_event_of_one_that_waits) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint32_t first = device.stream();
    const uint32_t second = device.stream();
    const uint32_t event = device.event();
    device.hold_up(first, cell);
    CHECK_EQUAL(event_record(device.get(), event, first), DEVICE_OK);
    CHECK_EQUAL(event_wait(device.get(), second, event), DEVICE_OK);
    CHECK_CONTAINS(becomes(device, DEVICE_WAITS).waits, "stream 2 waits for event 1 of stream 1");
    device.set(cell, 1);
    device.synchronize(second);
}

TEST(blocks_that_wait_for_each_other_and_for_one_that_is_missing) {
    const Device device;
    const uint64_t met = device.allocate(4);
    const uint32_t stream = device.stream();
    // two blocks that wait until three have come
    const uint64_t args[] = {met, 3};
    CHECK_EQUAL(stream_launch(device.get(), stream, device.kernel("meet_all_blocks"), args, 2, 2, STREAM_CORES_VECTOR),
                DEVICE_OK);
    CHECK_CONTAINS(becomes(device, DEVICE_WAITS).waits, "kernel \"meet_all_blocks\", block 0 of 2 on vector core");
    const uint32_t other = device.stream();
    CHECK_EQUAL(stream_signal(device.get(), other, met, KERNEL_SIGNAL_ADD, 1), DEVICE_OK);
    device.synchronize(stream);
    becomes(device, DEVICE_IDLE);
}

TEST(a_wait_with_a_short_time_out_ends_by_itself) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    CHECK_EQUAL(device_set_timeout(device.get(), 300), DEVICE_OK);
    const uint32_t stream = device.stream();
    device.hold_up(stream, cell);
    CHECK_EQUAL(activity_of(device).what, DEVICE_WORKS);
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_TIMEOUT);
}

}  // namespace
