// Streams of several ranks: signals in windows, notifies between processes, and what ends their waits.
#include <cstring>
#include <string>
#include <vector>

#include "harness/check.h"
#include "harness/ranks.h"
#include "rankunit/stream.h"

using namespace rankunit::test;

namespace {

constexpr int64_t kLong = 60'000;

// A device with one stream.
class Device {
public:
    explicit Device(int id) {
        CHECK_EQUAL(device_open(id, &handle_), DEVICE_OK);
        CHECK_EQUAL(device_set_timeout(handle_, kLong), DEVICE_OK);
        CHECK_EQUAL(stream_create(handle_, &stream_), DEVICE_OK);
    }
    ~Device() { device_close(handle_); }
    DeviceHandle get() const { return handle_; }
    uint32_t stream() const { return stream_; }
    void signal(uint64_t cell, uint32_t how, int32_t value) const {
        CHECK_EQUAL(stream_signal(handle_, stream_, cell, how, value), DEVICE_OK);
    }
    void wait(uint64_t cell, uint32_t compare, int32_t value) const {
        CHECK_EQUAL(stream_wait(handle_, stream_, cell, 1, 1, 4, compare, value), DEVICE_OK);
    }
    void synchronize() const {
        if (stream_synchronize(handle_, stream_, kLong) != DEVICE_OK) failed(__FILE__, __LINE__, device_last_error());
    }

private:
    DeviceHandle handle_ = nullptr;
    uint32_t stream_ = 0;
};

uint64_t window_of(const Comm &comm, int rank) {
    return comm.context().windowsIn[rank];
}

}  // namespace

// Each rank adds to the data of the next one, and tells it so. The cell holds the round, so that no round is let
// through by an earlier one.
TEST(a_token_goes_round_the_ranks_by_signals_alone) {
    constexpr int kRanks = 4;
    constexpr int kRounds = 50;
    const TempFolder folder;
    run_ranks(kRanks, [&](int rank) {
        const Device device(rank);
        Comm comm(rank, kRanks, folder.file("root"));
        const int next = (rank + 1) % kRanks;
        const uint64_t own_cell = window_of(comm, rank);
        const uint64_t own_data = own_cell + 64;
        KernelHandle add_one = nullptr;
        CHECK_EQUAL(device_load_kernel(device.get(), TEST_KERNELS, "add_one", &add_one), DEVICE_OK);
        comm.barrier();
        for (int round = 1; round <= kRounds; round++) {
            if (rank != 0 || round != 1) device.wait(own_cell, KERNEL_EQ, rank == 0 ? round - 1 : round);
            const uint64_t args[] = {own_data, 1};
            CHECK_EQUAL(stream_launch(device.get(), device.stream(), add_one, args, 2, 1, STREAM_CORES_VECTOR),
                        DEVICE_OK);
            CHECK_EQUAL(stream_copy(device.get(), device.stream(), window_of(comm, next) + 64, own_data, 4), DEVICE_OK);
            device.signal(window_of(comm, next), KERNEL_SIGNAL_SET, round);
        }
        if (rank == 0) device.wait(own_cell, KERNEL_EQ, kRounds);
        device.synchronize();
        float data = 0;
        CHECK_EQUAL(device_copy_out(device.get(), &data, own_data, 4), DEVICE_OK);
        if (rank == 0) CHECK_EQUAL(data, static_cast<float>(kRanks * kRounds));
        comm.barrier();
    });
}

TEST(kernels_of_eight_ranks_meet_in_a_cell_of_rank_0) {
    constexpr int kRanks = 8;
    const TempFolder folder;
    run_ranks(kRanks, [&](int rank) {
        const Device device(rank);
        Comm comm(rank, kRanks, folder.file("root"));
        KernelHandle meet = nullptr;
        CHECK_EQUAL(device_load_kernel(device.get(), TEST_KERNELS, "meet_all_ranks", &meet), DEVICE_OK);
        comm.barrier();
        for (uint64_t round = 1; round <= 20; round++) {
            const uint64_t args[] = {reinterpret_cast<uint64_t>(&comm.context()), round};
            CHECK_EQUAL(stream_launch(device.get(), device.stream(), meet, args, 2, 4, STREAM_CORES_VECTOR), DEVICE_OK);
        }
        device.synchronize();
        int32_t met = 0;
        CHECK_EQUAL(device_copy_out(device.get(), &met, window_of(comm, 0), 4), DEVICE_OK);
        CHECK_EQUAL(met, kRanks * 4 * 20);
        comm.barrier();
    });
}

TEST(ranks_post_each_others_notifies) {
    constexpr int kRanks = 3;
    const TempFolder folder;
    run_ranks(kRanks, [&](int rank) {
        const Device device(rank);
        Comm comm(rank, kRanks, folder.file("root"));
        uint32_t own = 0;
        CHECK_EQUAL(notify_create(device.get(), &own), DEVICE_OK);
        auto *key = reinterpret_cast<char *>(window_of(comm, rank));
        CHECK_EQUAL(notify_export(device.get(), own, key, STREAM_NOTIFY_KEY_BYTES), DEVICE_OK);
        comm.barrier();
        const auto *of_next = reinterpret_cast<const char *>(window_of(comm, (rank + 1) % kRanks));
        uint32_t next = 0;
        CHECK_EQUAL(notify_import(device.get(), of_next, &next), DEVICE_OK);
        for (int round = 0; round < 100; round++) {
            if (rank != 0) CHECK_EQUAL(notify_wait(device.get(), device.stream(), own), DEVICE_OK);
            CHECK_EQUAL(notify_post(device.get(), device.stream(), next), DEVICE_OK);
            if (rank == 0) CHECK_EQUAL(notify_wait(device.get(), device.stream(), own), DEVICE_OK);
        }
        device.synchronize();
        comm.barrier();
    });
}

TEST(a_notify_of_a_process_that_has_ended_cannot_be_imported) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        auto *key = reinterpret_cast<char *>(window_of(comm, 0));
        if (rank == 0) {
            Process owner([&] {
                const Device device(0);
                uint32_t own = 0;
                notify_create(device.get(), &own);
                notify_export(device.get(), own, key, STREAM_NOTIFY_KEY_BYTES);
            });
            owner.wait();
        }
        comm.barrier();
        if (rank == 1) {
            const Device device(1);
            uint32_t imported = 0;
            CHECK_EQUAL(notify_import(device.get(), key, &imported), DEVICE_INVALID_ARGUMENT);
            CHECK_CONTAINS(device_last_error(), "the device that created the notify is gone");
        }
        comm.barrier();
    });
}

TEST(the_abort_of_a_communicator_ends_waits_of_streams_and_kernels_on_all_ranks) {
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        const Device device(rank);
        Comm comm(rank, 3, folder.file("root"));
        comm.barrier();
        if (rank == 0) {
            CHECK_EQUAL(comm_abort(comm.handle(), 0, "the body threw"), COMM_OK);
            return;
        }
        if (rank == 1) {
            device.wait(window_of(comm, 1), KERNEL_EQ, 1);
        } else {
            KernelHandle meet = nullptr;
            CHECK_EQUAL(device_load_kernel(device.get(), TEST_KERNELS, "meet_all_ranks", &meet), DEVICE_OK);
            const uint64_t args[] = {reinterpret_cast<uint64_t>(&comm.context()), 1};
            CHECK_EQUAL(stream_launch(device.get(), device.stream(), meet, args, 2, 1, STREAM_CORES_VECTOR), DEVICE_OK);
        }
        CHECK_EQUAL(stream_synchronize(device.get(), device.stream(), kLong), DEVICE_ABORTED);
        CHECK_CONTAINS(device_last_error(), "aborted because of rank 0: the body threw");
    });
}
