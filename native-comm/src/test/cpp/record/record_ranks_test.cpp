// What devices of several ranks record, and what forked processes do not.
#include "coll/coll_support.h"
#include "record/recording_device.h"

using namespace rankunit::test;
using namespace rankunit::record;

// Each rank signals a cell of the next one; its wait names the signals that it has seen.
TEST(ranks_record_windows_barriers_and_signals_in_one_order) {
    constexpr int kRanks = 2;
    const TempFolder folder;
    run_ranks(kRanks, [&](int rank) {
        const GraphDevice device;
        CHECK_STATUS(device_record(device.get(), folder.file("log" + std::to_string(rank)).c_str(),
                                   folder.file("order").c_str(), 4096));
        Comm comm(rank, kRanks, folder.file("root"));
        uint32_t stream = 0;
        CHECK_STATUS(stream_create(device.get(), &stream));
        comm.barrier();
        const int other = 1 - rank;
        const uint64_t theirs = comm.context().windowsIn[other] + 64;
        const uint64_t ours = comm.context().windowsIn[rank] + 64;
        CHECK_STATUS(stream_signal(device.get(), stream, theirs, KERNEL_SIGNAL_SET, 1));
        CHECK_STATUS(stream_wait(device.get(), stream, ours, 1, 1, 4, KERNEL_EQ, 1));
        CHECK_STATUS(stream_synchronize(device.get(), stream, kLong));
        comm.barrier();
    });
    uint64_t orders = 0;
    for (int rank = 0; rank < kRanks; rank++) {
        const LoggedEvents events(folder.file("log" + std::to_string(rank)));
        CHECK_EQUAL(events.of(kWindow).size(), 2u);
        for (uint64_t of = 0; of < kRanks; of++) {
            const Logged window = events.of(kWindow)[of];
            CHECK_WORDS(window, 1, 0, halves(of, of), window.words[3], window.words[4]);
        }
        CHECK_WORDS(events.of(kBarrierBegin)[0], 1, 0, 1);
        CHECK_WORDS(events.of(kBarrierEnd)[1], 1, 0, 2);
        const uint64_t ours = events.of(kWindow)[static_cast<size_t>(rank)].words[3] + 64;
        const uint64_t theirs = events.of(kWindow)[static_cast<size_t>(1 - rank)].words[3] + 64;
        CHECK_EQUAL(events.only(kSignal).words[0], theirs);
        CHECK_EQUAL(events.only(kWait).words[0], ours);
        CHECK(events.only(kWait).words[3] >= 1 && events.only(kWait).words[3] <= 2);
        orders += events.only(kSignal).words[3];
        unlink(folder.file("log" + std::to_string(rank)).c_str());
    }
    CHECK_EQUAL(orders, 1u + 2u);
    unlink(folder.file("order").c_str());
}

// Rank 0 writes to rank 1, and then adds to that, in two runs.
TEST(a_collective_is_recorded_as_its_copies_and_the_notifies_that_order_them) {
    constexpr uint64_t kRuns = 2;
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const GraphDevice device;
        CHECK_STATUS(device_record(device.get(), folder.file("log" + std::to_string(rank)).c_str(), nullptr, 4096));
        Comm comm(rank, 2, folder.file("root"));
        Tasks tasks;
        if (rank == 0) {
            tasks.wait(1, 0);
            tasks.move(COLL_PUT, 1, {COLL_INPUT, 0}, {COLL_OUTPUT, 8}, 16);
            tasks.move(COLL_PUT_REDUCE, 1, {COLL_INPUT, 16}, {COLL_OUTPUT, 8}, 16).post(1, 1);
        } else {
            tasks.post(0, 0).wait(0, 1);
            tasks.move(COLL_COPY, kAlone, {COLL_OUTPUT, 8}, {COLL_SCRATCH, 0}, 16);
        }
        const uint32_t plan = created(comm, "it", {}, tasks);
        for (uint64_t i = 0; i < kRuns; i++) run(comm, plan, 0, 64);
        CHECK_STATUS(coll_plan_destroy(comm.handle(), plan));
    });
    const LoggedEvents first(folder.file("log0"));
    const LoggedEvents second(folder.file("log1"));
    const std::vector<Logged> windows = first.of(kWindow);
    CHECK_EQUAL(windows.size(), 4u);
    const uint64_t input = windows[0].words[3];
    const uint64_t output = windows[1].words[3] + 64 + 8;
    CHECK_EQUAL(first.of(kCopy).size(), 2 * kRuns);
    CHECK_WORDS(first.of(kCopy)[0], kAcross, output, input, 16);
    CHECK_WORDS(first.of(kCopy)[1], kAdd, output, input + 16, 16);
    const uint64_t scratch = second.of(kCopy)[0].words[1];
    const Logged own = second.of(kWindow)[3];
    CHECK_EQUAL(own.words[2], halves(1, 1));
    CHECK(scratch >= own.words[3] && scratch + 16 <= own.words[3] + own.words[4]);
    for (uint64_t i = 0; i < kRuns; i++) {
        const Logged post = second.of(kNotifyPost)[i];
        CHECK_WORDS(post, post.words[0], i + 1);
        CHECK_WORDS(first.of(kNotifyWait)[i], post.words[0], i + 1);
        CHECK_WORDS(second.of(kNotifyWait)[i], first.of(kNotifyPost)[i].words[0], i + 1);
        CHECK(post.words[0] != first.of(kNotifyPost)[i].words[0]);
    }
    CHECK_WORDS(first.of(kWindowsFreed)[0], 1, own.words[1]);
    for (const char *name : {"log0", "log1"}) unlink(folder.file(name).c_str());
}

TEST(a_forked_process_does_not_record_into_the_log_of_its_parent) {
    const RecordingDevice device;
    run_ranks(1, [&](int) { GraphDevice().allocate(8); });
    CHECK_EQUAL(device.events().of(kAllocate).size(), 0u);
}
