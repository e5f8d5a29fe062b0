// What becomes of work that nobody has waited for when its stream is destroyed, or a test ends.
#include <string>
#include <thread>

#include "stream_support.h"

using namespace rankunit::test;

namespace {

constexpr const char *kFailure = "stream 1, work 1 (the launch of kernel \"fail_with_first_argument\"): kernel ";
constexpr const char *kHeldUpFailure = "stream 1, work 2 (the launch of kernel \"fail_with_first_argument\"): kernel ";

// A stream whose work fails before the event that it records. The record must be there before the failure, after which
// a stream takes no more work.
uint32_t failing_stream(const Device &device, uint32_t event) {
    const uint32_t stream = device.stream();
    const uint64_t cell = device.allocate(4);
    device.hold_up(stream, cell);
    launch(device, stream, "fail_with_first_argument", {42});
    CHECK_EQUAL(event_record(device.get(), event, stream), DEVICE_OK);
    device.set(cell, 1);
    return stream;
}

}  // namespace

TEST(settling_waits_for_all_work_of_all_streams) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint64_t data = device.allocate(2 * sizeof(float));
    const uint32_t first = device.stream();
    const uint32_t second = device.stream();
    device.hold_up(first, cell);
    launch(device, first, "add_one", {data, 1});
    device.hold_up(second, cell);
    launch(device, second, "add_one", {data + sizeof(float), 1});
    std::thread signaller([&] { device.set(cell, 1); });
    CHECK_EQUAL(device_settle(device.get(), kLong), DEVICE_OK);
    signaller.join();
    CHECK_EQUAL(device.value<float>(data), 1.0f);
    CHECK_EQUAL(device.value<float>(data + sizeof(float)), 1.0f);
    CHECK(done(device, first));
    CHECK(done(device, second));
}

TEST(settling_without_streams_or_work_does_nothing) {
    const Device device;
    CHECK_EQUAL(device_settle(device.get(), kLong), DEVICE_OK);
    device.stream();
    CHECK_EQUAL(device_settle(device.get(), kLong), DEVICE_OK);
    CHECK_EQUAL(device_settle(device.get(), 0), DEVICE_INVALID_ARGUMENT);
}

TEST(settling_tells_of_a_failure_that_nobody_was_told_of_and_tells_it_once) {
    const Device device;
    launch(device, device.stream(), "fail_with_first_argument", {42});
    launch(device, device.stream(), "fail_with_first_argument", {7});
    CHECK_EQUAL(device_settle(device.get(), kLong), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(device_last_error(), kFailure);
    CHECK_CONTAINS(device_last_error(), "returned 42\nstream 2, work 1 (the launch of kernel ");
    CHECK_CONTAINS(device_last_error(), "returned 7");
    CHECK_EQUAL(device_settle(device.get(), kLong), DEVICE_OK);
}

TEST(settling_names_what_has_not_ended_and_waits_once_for_all_streams) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    device.hold_up(device.stream(), cell);
    const uint32_t second = device.stream();
    device.hold_up(second, cell);
    launch(device, second, "fail_with_first_argument", {1});
    CHECK_EQUAL(device_settle(device.get(), 50), DEVICE_TIMEOUT);
    CHECK_CONTAINS(device_last_error(), "stream 1 was not done after 50 ms: work 1 of 1 is a wait for the cell at 0x");
    CHECK_CONTAINS(device_last_error(),
                   "\nstream 2 was not done after 50 ms: work 1 of 2 is a wait for the cell at 0x");
    device.set(cell, 1);
    CHECK_EQUAL(device_settle(device.get(), kLong), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(device_last_error(), "stream 2, work 2 (the launch of kernel ");
}

TEST(whoever_synchronizes_asks_or_puts_work_was_told) {
    const Device device;
    const uint32_t synchronized = device.stream();
    launch(device, synchronized, "fail_with_first_argument", {1});
    CHECK_EQUAL(stream_synchronize(device.get(), synchronized, kLong), DEVICE_KERNEL_FAILED);
    const uint32_t asked = device.stream();
    launch(device, asked, "fail_with_first_argument", {1});
    uint32_t is_done = 0;
    while (stream_query(device.get(), asked, &is_done) == DEVICE_OK) std::this_thread::yield();
    const uint32_t used = device.stream();
    launch(device, used, "fail_with_first_argument", {1});
    const uint64_t data = device.allocate(4);
    while (stream_zero(device.get(), used, data, 4) == DEVICE_OK) std::this_thread::yield();
    CHECK_EQUAL(device_settle(device.get(), kLong), DEVICE_OK);
    CHECK_EQUAL(stream_destroy(device.get(), synchronized), DEVICE_OK);
    CHECK_EQUAL(stream_destroy(device.get(), asked), DEVICE_OK);
    CHECK_EQUAL(stream_destroy(device.get(), used), DEVICE_OK);
}

TEST(whoever_waits_for_an_event_of_a_failed_stream_was_told) {
    const Device device;
    const uint32_t event = device.event();
    const uint32_t stream = failing_stream(device, event);
    CHECK_EQUAL(event_synchronize(device.get(), event, kLong), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(device_last_error(), kHeldUpFailure);
    CHECK_EQUAL(device_settle(device.get(), kLong), DEVICE_OK);
    CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_OK);
}

TEST(what_a_failure_has_failed_as_well_is_told_with_its_text) {
    const Device device;
    const uint32_t event = device.event();
    failing_stream(device, event);
    const uint32_t waiter = device.stream();
    CHECK_EQUAL(event_wait(device.get(), waiter, event), DEVICE_OK);
    CHECK_EQUAL(device_settle(device.get(), kLong), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(device_last_error(), kHeldUpFailure);
    CHECK_CONTAINS(device_last_error(), "returned 42");
    CHECK_EQUAL(stream_destroy(device.get(), waiter), DEVICE_OK);
}

TEST(destroying_a_stream_tells_of_its_failure_and_destroys_it) {
    const Device device;
    const uint32_t stream = device.stream();
    launch(device, stream, "fail_with_first_argument", {42});
    int status = DEVICE_BUSY;
    while (status == DEVICE_BUSY) {
        status = stream_destroy(device.get(), stream);
        std::this_thread::yield();
    }
    CHECK_EQUAL(status, DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(device_last_error(), kFailure);
    CHECK_CONTAINS(device_last_error(), "returned 42");
    CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "stream 1 has been destroyed");
    CHECK_EQUAL(device_settle(device.get(), kLong), DEVICE_OK);
}
