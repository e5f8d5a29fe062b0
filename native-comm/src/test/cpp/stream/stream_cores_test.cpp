// Kernels that streams run on the cores of a simulated device.
#include <vector>

#include "stream_support.h"

using namespace rankunit::test;

TEST(every_block_of_a_launch_runs_once_on_a_core_of_its_own) {
    const Device device;
    const uint64_t counts = device.allocate(100 * sizeof(uint32_t));
    const uint32_t stream = device.stream();
    launch(device, stream, "count_blocks", {counts, 100}, 100);
    device.synchronize(stream);
    for (int block = 0; block < 100; block++) CHECK_EQUAL(device.value<uint32_t>(counts + block * 4), 1u);
}

TEST(blocks_of_one_launch_can_wait_for_each_other_up_to_the_cores_of_the_device) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint32_t stream = device.stream();
    launch(device, stream, "meet_all_blocks", {cell}, 48);
    device.synchronize(stream);
    CHECK_EQUAL(device.value<int32_t>(cell), 48);
}

TEST(more_blocks_that_wait_for_each_other_than_cores_never_end) {
    const Device device;
    CHECK_EQUAL(device_set_timeout(device.get(), 200), DEVICE_OK);
    const uint64_t cell = device.allocate(4);
    const uint32_t stream = device.stream();
    launch(device, stream, "meet_all_blocks", {cell}, 25, STREAM_CORES_CUBE);
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_TIMEOUT);
    CHECK_CONTAINS(device_last_error(), "the launch of kernel \"meet_all_blocks\"");
    CHECK_CONTAINS(device_last_error(), "of 25 on cube core ");
}

TEST(a_mixed_kernel_runs_on_one_cube_and_two_vector_cores_at_a_time) {
    const Device device;
    const uint64_t cells = device.allocate(3 * 4 * 4);
    const uint32_t stream = device.stream();
    launch(device, stream, "meet_in_mixed_block", {cells}, 4, STREAM_CORES_MIXED);
    device.synchronize(stream);
    for (int block = 0; block < 4; block++) {
        CHECK_EQUAL(device.value<int32_t>(cells + block * 12), 3);       // all three met
        CHECK_EQUAL(device.value<int32_t>(cells + block * 12 + 4), 1);   // the cube core
        CHECK_EQUAL(device.value<int32_t>(cells + block * 12 + 8), 11);  // vector cores 0 and 1, as 1 and 10
    }
}

// With two vector cores left, blocks that each had one of them would wait for the other one forever.
TEST(mixed_launches_at_the_same_time_do_not_wait_for_each_others_cores) {
    const Device device;
    CHECK_EQUAL(device_set_timeout(device.get(), 20'000), DEVICE_OK);
    const uint64_t meeting = device.allocate(4);
    const uint32_t holder = device.stream();
    launch(device, holder, "meet_all_blocks", {meeting, 0}, 46);
    const uint32_t observer = device.stream();
    CHECK_EQUAL(stream_wait(device.get(), observer, meeting, 1, 1, 4, KERNEL_EQ, 46), DEVICE_OK);
    device.synchronize(observer);
    constexpr uint32_t kBlocks = 40;
    std::vector<uint32_t> streams;
    for (int i = 0; i < 3; i++) {
        streams.push_back(device.stream());
        launch(device, streams.back(), "meet_in_mixed_block", {device.allocate(kBlocks * 12)}, kBlocks,
               STREAM_CORES_MIXED);
    }
    for (const uint32_t stream : streams) device.synchronize(stream);
    CHECK(!done(device, holder));
    device.set(meeting, 47);
    device.synchronize(holder);
}

TEST(kernels_that_spin_without_telling_do_not_stop_the_others) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint64_t data = device.allocate(sizeof(float));
    std::vector<uint32_t> spinning;
    for (int i = 0; i < 24; i++) {
        spinning.push_back(device.stream());
        launch(device, spinning.back(), "spin_on_cell", {cell});
    }
    const uint32_t stream = device.stream();
    launch(device, stream, "add_one", {data, 1});
    device.synchronize(stream);
    device.set(cell, 1);
    for (const uint32_t each : spinning) device.synchronize(each);
}

TEST(on_chip_memory_has_the_bounds_of_its_platform) {
    const Device device;
    const uint64_t result = device.allocate(8);
    const uint32_t stream = device.stream();
    launch(device, stream, "use_on_chip_memory", {KERNEL_MEMORY_UB, 192 * 1024, result});
    device.synchronize(stream);
    CHECK_EQUAL(device.value<uint64_t>(result), 192u * 1024);
    launch(device, stream, "use_on_chip_memory", {KERNEL_MEMORY_UB, 192 * 1024 + 1, result});
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_OUT_OF_MEMORY);
    CHECK_CONTAINS(device_last_error(), "196609 bytes of UB were asked for, and 196608 of 196608 are free");
    const uint32_t other = device.stream();
    launch(device, other, "use_on_chip_memory", {KERNEL_MEMORY_L0C, 16, result});
    CHECK_EQUAL(stream_synchronize(device.get(), other, kLong), DEVICE_INVALID_ARGUMENT);
    CHECK_CONTAINS(device_last_error(), "on vector core 0: this core has no L0C");

    Device a5;
    CHECK_EQUAL(device_set_platform(a5.get(), "a5sim"), DEVICE_OK);
    const uint64_t there = a5.allocate(8);
    const uint32_t of_a5 = a5.stream();
    launch(a5, of_a5, "use_on_chip_memory", {KERNEL_MEMORY_UB, 256 * 1024, there});
    a5.synchronize(of_a5);
    CHECK_EQUAL(device_set_platform(a5.get(), "a7sim"), DEVICE_INVALID_ARGUMENT);
}

TEST(a_kernel_says_why_it_fails) {
    const Device device;
    const uint32_t stream = device.stream();
    launch(device, stream, "fail_with_reason", {}, 2);
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(device_last_error(), " of 2 on vector core ");
    CHECK_CONTAINS(device_last_error(), ": the tile does not fit");
}

// The backend's library has an unwinder of its own, and the kernel's library that of the system.
TEST(a_kernel_that_is_left_runs_its_destructors) {
    const Device device;
    const uint64_t cell = device.allocate(4);
    const uint32_t stream = device.stream();
    launch(device, stream, "fail_with_destructor", {cell});
    CHECK_EQUAL(stream_synchronize(device.get(), stream, kLong), DEVICE_KERNEL_FAILED);
    CHECK_CONTAINS(device_last_error(), "with something to destroy");
    CHECK_EQUAL(device.value<int32_t>(cell), 7);
}
