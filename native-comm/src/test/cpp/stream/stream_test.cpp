// Streams, events, notifies and semaphores of the simulated device.
#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "rankunit/graph.h"
#include "stream_support.h"

using namespace rankunit::test;

TEST(work_on_a_stream_runs_in_order) {
    const Device device;
    const uint64_t data = device.allocate(4 * sizeof(float));
    const uint64_t copy = device.allocate(4 * sizeof(float));
    const float ones[4] = {1, 2, 3, 4};
    float result[4] = {};
    const uint32_t stream = device.stream();
    CHECK_EQUAL(stream_copy_in(device.get(), stream, data, ones, sizeof(ones)), DEVICE_OK);
    for (int i = 0; i < 10; i++) launch(device, stream, "add_one", {data, 4});
    CHECK_EQUAL(stream_copy(device.get(), stream, copy, data, sizeof(ones)), DEVICE_OK);
    CHECK_EQUAL(stream_zero(device.get(), stream, data, sizeof(ones)), DEVICE_OK);
    CHECK_EQUAL(stream_copy_out(device.get(), stream, result, copy, sizeof(ones)), DEVICE_OK);
    device.synchronize(stream);
    CHECK_EQUAL(result[0], 11.0f);
    CHECK_EQUAL(result[3], 14.0f);
    CHECK_EQUAL(device.value<float>(data), 0.0f);
    CHECK(done(device, stream));
    CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_OK);
}

TEST(a_call_returns_before_its_work_is_done) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint64_t data = device.allocate(sizeof(float));
    const uint32_t stream = device.stream();
    device.hold_up(stream, cell);
    launch(device, stream, "add_one", {data, 1});
    CHECK(!done(device, stream));
    CHECK_EQUAL(device.value<float>(data), 0.0f);
    const uint32_t other = device.stream();
    CHECK_EQUAL(stream_signal(device.get(), other, cell, KERNEL_SIGNAL_SET, 1), DEVICE_OK);
    device.synchronize(stream);
    CHECK_EQUAL(device.value<float>(data), 1.0f);
}

TEST(a_stream_waits_for_an_event_of_another) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint64_t data = device.allocate(sizeof(float));
    const uint32_t first = device.stream();
    const uint32_t second = device.stream();
    const uint32_t event = device.event();
    device.hold_up(first, cell);
    CHECK_EQUAL(event_record(device.get(), event, first), DEVICE_OK);
    CHECK_EQUAL(event_wait(device.get(), second, event), DEVICE_OK);
    launch(device, second, "add_one", {data, 1});
    uint32_t event_done = 7;
    CHECK_EQUAL(event_query(device.get(), event, &event_done), DEVICE_OK);
    CHECK_EQUAL(event_done, 0u);
    CHECK(!done(device, second));
    device.set(cell, 1);
    CHECK_EQUAL(event_synchronize(device.get(), event, kLong), DEVICE_OK);
    device.synchronize(second);
    CHECK_EQUAL(device.value<float>(data), 1.0f);
}

TEST(an_event_that_is_recorded_again_means_the_later_record_for_later_waits) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint32_t first = device.stream();
    const uint32_t second = device.stream();
    const uint32_t event = device.event();
    CHECK_EQUAL(event_record(device.get(), event, first), DEVICE_OK);
    CHECK_EQUAL(event_wait(device.get(), second, event), DEVICE_OK);
    device.hold_up(first, cell);
    CHECK_EQUAL(event_record(device.get(), event, first), DEVICE_OK);
    device.synchronize(second);
    CHECK_EQUAL(event_wait(device.get(), second, event), DEVICE_OK);
    CHECK(!done(device, second));
    device.set(cell, 1);
    device.synchronize(second);
}

TEST(a_wait_for_an_event_that_was_never_recorded_is_an_error) {
    const Device device;
    const uint32_t event = device.event();
    CHECK_EQUAL(event_wait(device.get(), device.stream(), event), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "event 1 was never recorded");
}

TEST(one_wait_consumes_one_post_and_posting_a_set_notify_changes_nothing) {
    const Device device;
    const uint32_t poster = device.stream();
    const uint32_t waiter = device.stream();
    const uint32_t notify = device.notify();
    CHECK_EQUAL(notify_post(device.get(), poster, notify), DEVICE_OK);
    CHECK_EQUAL(notify_post(device.get(), poster, notify), DEVICE_OK);
    device.synchronize(poster);
    CHECK_EQUAL(notify_wait(device.get(), waiter, notify), DEVICE_OK);
    device.synchronize(waiter);
    CHECK_EQUAL(notify_wait(device.get(), waiter, notify), DEVICE_OK);
    CHECK_EQUAL(stream_synchronize(device.get(), waiter, 50), DEVICE_TIMEOUT);
    CHECK_CONTAINS(device_last_error(), "stream 2 was not done after 50 ms: work 2 of 2 is a wait for notify 1");
    CHECK_EQUAL(notify_post(device.get(), poster, notify), DEVICE_OK);
    device.synchronize(waiter);
}

TEST(a_wait_that_nobody_ends_fails_with_what_it_waited_for) {
    const Device device;
    CHECK_EQUAL(device_set_timeout(device.get(), 60), DEVICE_OK);
    const uint64_t cells = device.allocate(64);
    const uint32_t stream = device.stream();
    CHECK_EQUAL(notify_wait(device.get(), stream, device.notify()), DEVICE_OK);
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_TIMEOUT);
    CHECK_CONTAINS(device_last_error(), "stream 1, work 1 (a wait for notify 1): it waited ");
    CHECK_CONTAINS(device_last_error(), "was never posted");
    const uint32_t other = device.stream();
    CHECK_EQUAL(stream_wait(device.get(), other, cells, 2, 3, 32, KERNEL_GT, 4), DEVICE_OK);
    CHECK_EQUAL(stream_synchronize(device.get(), other, kLong), DEVICE_TIMEOUT);
    CHECK_CONTAINS(device_last_error(), "2 x 3 cells at 0x");
    CHECK_CONTAINS(device_last_error(), " > 4; the cell at 0x");
}

TEST(a_wait_for_a_matrix_needs_all_cells) {
    const Device device;
    const uint64_t cells = device.allocate(64);
    const uint32_t waiter = device.stream();
    const uint32_t signaller = device.stream();
    CHECK_EQUAL(stream_wait(device.get(), waiter, cells, 2, 2, 32, KERNEL_EQ, 3), DEVICE_OK);
    for (const uint64_t offset : {0, 4, 32}) {
        CHECK_EQUAL(stream_signal(device.get(), signaller, cells + offset, KERNEL_SIGNAL_SET, 3), DEVICE_OK);
    }
    device.synchronize(signaller);
    CHECK(!done(device, waiter));
    for (int i = 0; i < 3; i++) {
        CHECK_EQUAL(stream_signal(device.get(), signaller, cells + 36, KERNEL_SIGNAL_ADD, 1), DEVICE_OK);
    }
    device.synchronize(waiter);
    CHECK_EQUAL(device.value<int32_t>(cells + 36), 3);
}

TEST(comparisons_are_those_of_their_names) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint32_t stream = device.stream();
    device.set(cell, 5);
    for (const auto &[compare, value] : std::vector<std::pair<uint32_t, int32_t>>{
             {KERNEL_EQ, 5}, {KERNEL_NE, 4}, {KERNEL_GT, 4}, {KERNEL_GE, 5}, {KERNEL_LT, 6}, {KERNEL_LE, 5}}) {
        CHECK_EQUAL(stream_wait(device.get(), stream, cell, 1, 1, 4, compare, value), DEVICE_OK);
    }
    device.synchronize(stream);
    for (const auto &[compare, value] : std::vector<std::pair<uint32_t, int32_t>>{
             {KERNEL_EQ, 4}, {KERNEL_NE, 5}, {KERNEL_GT, 5}, {KERNEL_GE, 6}, {KERNEL_LT, 5}, {KERNEL_LE, 4}}) {
        const uint32_t held_up = device.stream();
        CHECK_EQUAL(stream_wait(device.get(), held_up, cell, 1, 1, 4, compare, value), DEVICE_OK);
        CHECK_EQUAL(stream_synchronize(device.get(), held_up, 30), DEVICE_TIMEOUT);
    }
}

TEST(a_failure_ends_its_stream_and_what_waits_for_it_but_no_other) {
    const Device device;
    const uint32_t stream = device.stream();
    const uint32_t waiter = device.stream();
    const uint32_t other = device.stream();
    const uint64_t data = device.allocate(sizeof(float));
    const uint64_t cell = device.allocate(4);
    const uint32_t event = device.event();
    device.hold_up(stream, cell);
    launch(device, stream, "fail_with_first_argument", {42});
    launch(device, stream, "add_one", {data, 1});
    CHECK_EQUAL(event_record(device.get(), event, stream), DEVICE_OK);
    CHECK_EQUAL(event_wait(device.get(), waiter, event), DEVICE_OK);
    device.set(cell, 1);
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(device_last_error(),
                   "stream 1, work 2 (the launch of kernel \"fail_with_first_argument\"): kernel "
                   "\"fail_with_first_argument\" returned 42");
    CHECK_EQUAL(device.value<float>(data), 0.0f);
    CHECK_EQUAL(stream_synchronize(device.get(), waiter, kLong), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(device_last_error(), "event 1 of stream 1, which will not happen: stream 1, work 2");
    CHECK_EQUAL(event_synchronize(device.get(), event, kLong), DEVICE_KERNEL_FAILED);
    CHECK_EQUAL(stream_zero(device.get(), stream, data, 4), DEVICE_KERNEL_FAILED);
    launch(device, other, "add_one", {data, 1});
    device.synchronize(other);
    CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_OK);
}

TEST(an_abort_ends_waits_now_and_later) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint64_t met = device.allocate(4);
    const uint32_t stream = device.stream();
    const uint32_t kernels = device.stream();
    device.hold_up(stream, cell);
    launch(device, kernels, "meet_all_blocks", {met, 1}, 1);
    CHECK_EQUAL(device_abort(device.get(), "rank 3 failed"), DEVICE_OK);
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_ABORTED);
    CHECK_CONTAINS(device_last_error(), "(a wait for the cell at 0x");
    CHECK_CONTAINS(device_last_error(), "aborted: rank 3 failed");
    CHECK_EQUAL(stream_synchronize(device.get(), kernels, kLong), DEVICE_ABORTED);
    const uint32_t later = device.stream();
    device.hold_up(later, cell);
    CHECK_EQUAL(stream_synchronize(device.get(), later, kLong), DEVICE_ABORTED);
}

TEST(closing_a_device_ends_the_waits_of_its_streams) {
    DeviceHandle device = nullptr;
    CHECK_EQUAL(device_open(0, &device), DEVICE_OK);
    uint32_t stream = 0;
    uint32_t notify = 0;
    CHECK_EQUAL(stream_create(device, &stream), DEVICE_OK);
    CHECK_EQUAL(notify_create(device, &notify), DEVICE_OK);
    CHECK_EQUAL(notify_wait(device, stream, notify), DEVICE_OK);
    CHECK_EQUAL(device_close(device), DEVICE_OK);
}

TEST(memory_that_is_freed_before_the_work_runs_is_an_error_and_no_crash) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint64_t data = device.allocate(64);
    const uint32_t stream = device.stream();
    device.hold_up(stream, cell);
    CHECK_EQUAL(stream_zero(device.get(), stream, data, 64), DEVICE_OK);
    CHECK_EQUAL(device_free(device.get(), data), DEVICE_OK);
    device.set(cell, 1);
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(device_last_error(), "stream 1, work 2 (zeroing 64 bytes at 0x");
}

TEST(a_kernel_does_not_run_with_an_address_that_has_been_freed) {
    const Device device;
    CHECK_EQUAL(device_record_mark(device.get(), DEVICE_MARK_TEST_BEGIN, "a test"), DEVICE_OK);
    const uint64_t cell = device.allocate(4);
    const uint64_t args[] = {device.allocate(64), 1};
    const uint32_t stream = device.stream();
    device.hold_up(stream, cell);
    CHECK_EQUAL(stream_launch(device.get(), stream, device.kernel("add_one"), args, 2, 1, 0), DEVICE_OK);
    CHECK_EQUAL(device_free(device.get(), args[0]), DEVICE_OK);
    CHECK_EQUAL(stream_launch(device.get(), stream, device.kernel("add_one"), args, 2, 1, 0), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(device_last_error(), "argument 0: address 0x");
    CHECK_CONTAINS(device_last_error(), "it is 0 bytes into the 64 of allocation 2 in this test, which was freed");
    const uint64_t declared[] = {GRAPH_IN, args[0], 4, GRAPH_SCALAR, 1, 0};
    CHECK_EQUAL(stream_launch_declared(device.get(), stream, device.kernel("add_one"), declared, 2, 1, 0),
                DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(device_last_error(), "allocation 2 in this test, which was freed");
    device.set(cell, 1);
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_BAD_ADDRESS);
    CHECK_CONTAINS(device_last_error(), "kernel \"add_one\"): kernel \"add_one\": argument 0");
}

TEST(wrong_arguments_are_refused_by_the_call) {
    const Device device;
    const uint64_t data = device.allocate(64);
    const uint32_t stream = device.stream();
    const KernelHandle plain = device.kernel("add_one");
    const KernelHandle in_blocks = device.kernel("count_blocks");
    const uint64_t args[1] = {data};
    CHECK_EQUAL(stream_launch(device.get(), stream, plain, args, 1, 2, 0), DEVICE_NOT_SUPPORTED);
    CHECK_CONTAINS(device_last_error(), "declare it with RANKUNIT_BLOCK_KERNEL");
    CHECK_EQUAL(stream_launch(device.get(), stream, in_blocks, args, 1, 0, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(stream_launch(device.get(), stream, in_blocks, args, 1, 1, 3), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(stream_launch(device.get(), stream, nullptr, args, 1, 1, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(stream_launch(device.get(), 99, plain, args, 1, 1, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "this device has no stream 99");
    CHECK_EQUAL(stream_copy(device.get(), stream, data + 60, data, 8), DEVICE_BAD_ADDRESS);
    CHECK_EQUAL(stream_wait(device.get(), stream, data + 2, 1, 1, 4, 0, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(stream_wait(device.get(), stream, data, 2, 3, 8, 0, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "row_bytes = 8 is not a multiple of 4 that holds 3 columns");
    CHECK_EQUAL(stream_wait(device.get(), stream, data, 1, 1, 4, 6, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(stream_signal(device.get(), stream, data, 2, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(stream_synchronize(device.get(), stream, 0), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_OK);
    CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "stream 1 has been destroyed");
}

TEST(a_copy_onto_a_part_of_its_source_is_refused_by_the_call) {
    const Device device;
    const uint64_t data = device.allocate(64);
    const uint32_t stream = device.stream();
    CHECK_EQUAL(stream_copy(device.get(), stream, data + 8, data, 9), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "of 9 bytes overlap by 1 bytes");
    CHECK_EQUAL(stream_copy(device.get(), stream, data, data + 8, 9), DEVICE_INVALID_ARGUMENT);
    CHECK_EQUAL(stream_copy(device.get(), stream, data, data + 8, 8), DEVICE_OK);
    CHECK_EQUAL(stream_copy(device.get(), stream, data, data, 64), DEVICE_OK);
    device.synchronize(stream);
}

TEST(a_stream_with_work_is_not_destroyed) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint32_t stream = device.stream();
    device.hold_up(stream, cell);
    CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_BUSY);
    CHECK_CONTAINS(device_last_error(), "stream 1: work 1 of 1 is a wait for the cell at 0x");
    device.set(cell, 1);
    device.synchronize(stream);
    CHECK_EQUAL(stream_destroy(device.get(), stream), DEVICE_OK);
}

TEST(the_keys_of_notifies_are_checked) {
    const Device device;
    const uint32_t notify = device.notify();
    char key[STREAM_NOTIFY_KEY_BYTES];
    CHECK_EQUAL(notify_export(device.get(), notify, key, sizeof(key)), DEVICE_OK);
    CHECK_EQUAL(notify_export(device.get(), notify, key, 10), DEVICE_INVALID_ARGUMENT);
    uint32_t imported = 0;
    CHECK_EQUAL(notify_import(device.get(), "rankunit-notify-1 12", &imported), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "is not the key of a notify");
    CHECK_EQUAL(notify_import(device.get(), key, &imported), DEVICE_OK);
    CHECK_EQUAL(notify_wait(device.get(), device.stream(), imported), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "only the device that created it may wait for it");
    CHECK_EQUAL(notify_destroy(device.get(), notify), DEVICE_OK);
    uint32_t again = 0;
    CHECK_EQUAL(notify_import(device.get(), key, &again), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "has been destroyed");
    const uint32_t stream = device.stream();
    CHECK_EQUAL(notify_post(device.get(), stream, imported), DEVICE_OK);
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "has been destroyed by the device that created it");
}

TEST(two_devices_hand_work_to_each_other_by_notifies) {
    const Device one;
    const Device two;
    const uint64_t data = one.allocate(sizeof(float));
    const auto imported_by = [](const Device &device, const Device &owner, uint32_t notify) {
        char key[STREAM_NOTIFY_KEY_BYTES];
        CHECK_EQUAL(notify_export(owner.get(), notify, key, sizeof(key)), DEVICE_OK);
        uint32_t imported = 0;
        CHECK_EQUAL(notify_import(device.get(), key, &imported), DEVICE_OK);
        return imported;
    };
    const uint32_t to_one = one.notify();
    const uint32_t to_two = two.notify();
    const uint32_t one_posts = imported_by(one, two, to_two);
    const uint32_t two_posts = imported_by(two, one, to_one);
    const uint32_t of_one = one.stream();
    const uint32_t of_two = two.stream();
    for (int round = 0; round < 200; round++) {
        launch(one, of_one, "add_one", {data, 1});
        CHECK_EQUAL(notify_post(one.get(), of_one, one_posts), DEVICE_OK);
        CHECK_EQUAL(notify_wait(one.get(), of_one, to_one), DEVICE_OK);
        CHECK_EQUAL(notify_wait(two.get(), of_two, to_two), DEVICE_OK);
        launch(two, of_two, "add_one", {data, 1});
        CHECK_EQUAL(notify_post(two.get(), of_two, two_posts), DEVICE_OK);
    }
    one.synchronize(of_one);
    two.synchronize(of_two);
    CHECK_EQUAL(one.value<float>(data), 400.0f);
}
