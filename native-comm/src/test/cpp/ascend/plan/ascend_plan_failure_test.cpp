// Every way in which a schedule on the streams of the vendor's runtime can end badly.
#include <chrono>
#include <thread>

#include "ascend/plan/plan_ranks.h"

using namespace rankunit::test;

namespace {

constexpr int64_t kLong = 60'000;
constexpr int64_t kAtOnce = 8'000;  // on a busy machine

Tasks meeting(int peer) {
    return Tasks().post(peer, 0).wait(peer, 0);
}

}  // namespace

TEST(a_cann_without_notifies_is_told_and_nothing_is_done) {
    if (runs_plans()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, folder);
        uint32_t plan = 0;
        is_refused(self.create("it", kBytes, rank == 0 ? Tasks() : meeting(0), &plan), COMM_NOT_SUPPORTED, "rank 1: ");
        CHECK_CONTAINS(comm_last_error(), "has no notifies that ranks could share");
        comm_barrier(self.comm());
        CHECK_EQUAL(comm_aborted_by(self.comm()), -1);
    });
}

TEST(ranks_that_want_different_things_are_told_so) {
    if (!runs_plans()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, folder);
        uint32_t plan = 0;
        is_refused(self.create(rank == 0 ? "one" : "other", kBytes, Tasks(), &plan), COMM_MISMATCH,
                   "rank 1 wants \"other\", rank 0 wants \"one\"");
    });
    const TempFolder offsets;
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, offsets);
        const uint32_t plan = self.created("it", kSums, direct_all_reduce(rank, 2, 8, 4));
        is_refused(coll_plan_run(self.comm(), plan, rank == 0 ? 0 : 512, 1024), COMM_MISMATCH,
                   "rank 0 has its input at 0 and its output at 1024 of the windows, rank 1 has its input at 512 and "
                   "its output at 1024 of the windows; in it");
    });
    const TempFolder plans;
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, plans);
        const uint32_t both[] = {self.created("one", kBytes, Tasks()), self.created("other", kBytes, Tasks())};
        is_refused(coll_plan_run(self.comm(), both[rank], 0, 0), COMM_MISMATCH, "rank 1 runs \"other\"");
    });
}

TEST(a_post_for_which_nobody_waits_is_told_when_the_plan_is_made) {
    if (!runs_plans()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, folder);
        uint32_t plan = 0;
        is_refused(
            self.create("it", kBytes, rank == 0 ? Tasks().post(1, 5).at("Own.java:7") : Tasks().wait(0, 6), &plan),
            COMM_MISMATCH,
            "rank 0 posts DATA_ACK from rank 0 to rank 1 on link 1 (Own.java:7), which never waits for it; in it");
    });
}

TEST(a_copy_whose_ends_overlap_is_refused) {
    if (!runs_plans()) return;
    const Machine machine(ways().front());
    in_process([&] {
        const TempFolder folder;
        const PlanRank self(0, 1, folder);
        const Tasks tasks = Tasks().move(COLL_COPY, kAlone, {COLL_INPUT, 0}, {COLL_OUTPUT, 0}, 64).at("Own.java:7");
        const uint32_t plan = self.created("it", {COLL_BYTES, COLL_SUM, COLL_WINDOWS}, tasks);
        is_refused(coll_plan_run(self.comm(), plan, 0, 63), COMM_INVALID_ARGUMENT,
                   "task 0 (Own.java:7) of it: the 64 bytes that it reads and those that it writes overlap");
        self.run(plan, 0, 64);
        self.run(plan, 0, 0);
    });
}

TEST(a_rank_that_does_not_come_is_named) {
    if (!runs_plans()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, folder, kLong);
        const uint32_t plan = self.created("meeting", kBytes, meeting(1 - rank));
        if (rank == 0) {
            CHECK_EQUAL(comm_set_timeout(self.comm(), 300), COMM_OK);
            is_refused(coll_plan_run(self.comm(), plan, 0, 0), COMM_TIMEOUT,
                       "for all ranks to come to meeting; rank 1 had not arrived");
        } else {
            await("rank 0 to give up", [&] { return comm_aborted_by(self.comm()) >= 0; });
        }
    });
}

TEST(what_fails_on_one_rank_is_told_to_the_others) {
    if (!runs_plans()) return;
    const Machine machine(ways().front(), "aclrtMemcpyAsync/dev1=107000@1");
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    run_ranks(3, [&](int rank) {
        const PlanRank self(rank, 3, folder, kLong);
        const uint64_t memory = self.device().allocate(4096);
        const uint32_t plan = self.created("mesh", kBytes, mesh_all_gather(rank, 3, 64));
        is_refused(coll_plan_run(self.comm(), plan, memory, memory + 1024), rank == 1 ? 107000 : COMM_ABORTED,
                   "aclrtMemcpyAsync of 64 bytes for task 0 of mesh failed with 107000");
        CHECK_EQUAL(comm_aborted_by(self.comm()), 1);
    });
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(a_failure_on_one_stream_ends_the_waits_of_the_others) {
    if (!runs_plans()) return;
    const Machine machine(ways().front());
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, folder, kLong);
        const uint64_t memory = self.device().allocate(4096);
        const uint32_t plan = self.created("mesh", kBytes, mesh_all_gather(rank, 2, 64));
        const uint64_t code = 1;
        if (rank == 1) {
            const KernelHandle kernel = self.device().kernel(TEST_KERNELS, "fail_with_first_argument");
            CHECK_EQUAL(device_launch(self.device().get(), kernel, &code, 1), DEVICE_OK);
        }
        CHECK(coll_plan_run(self.comm(), plan, memory, memory + 1024) != COMM_OK);
        CHECK_EQUAL(comm_aborted_by(self.comm()), 1);
    });
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(a_run_that_does_not_end_ends_with_the_deadline_and_the_device_is_of_use_again) {
    if (!runs_plans()) return;
    const Machine machine(ways().front());
    const Setting hang("RANKUNIT_EMULATOR_HANG", "aclrtRecordNotify/dev1");
    const TempFolder folder;
    const auto start = std::chrono::steady_clock::now();
    run_ranks(2, [&](int rank) {
        PlanRank self(rank, 2, folder, rank == 1 ? 700 : kLong);
        const Tasks tasks = Tasks().post(1 - rank, 0, 1).wait(1 - rank, 0, 2);
        is_refused(coll_plan_run(self.comm(), self.created("meeting", kBytes, tasks), 0, 0),
                   rank == 1 ? COMM_TIMEOUT : COMM_ABORTED,
                   "for the end of meeting, device 1: it is not over on stream 1");
        self.destroy();
        CHECK_EQUAL(device_synchronize(self.device().get()), DEVICE_OK);
        self.device().allocate(8);
    });
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(an_abort_ends_the_run) {
    if (!runs_plans()) return;
    const Machine machine(ways().front());
    const Setting hang("RANKUNIT_EMULATOR_HANG", "aclrtRecordNotify");
    const TempFolder folder;
    const Trace trace;
    const auto start = std::chrono::steady_clock::now();
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, folder, kLong);
        const uint32_t plan = self.created("meeting", kBytes, meeting(1 - rank));
        std::thread aborting([&] {
            if (rank == 0) return;
            await("both to wait", [&] { return trace.count("aclrtWaitAndResetNotify") == 2; });
            comm_abort(self.comm(), 1, "golden differs");
        });
        CHECK_EQUAL(coll_plan_run(self.comm(), plan, 0, 0), COMM_ABORTED);
        CHECK_CONTAINS(comm_last_error(), "golden differs");
        aborting.join();
    });
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(the_death_of_a_rank_meanwhile_is_noticed_and_keeps_nobody) {
    if (!runs_plans()) return;
    const Machine machine(ways().front());
    const Setting hang("RANKUNIT_EMULATOR_HANG", "aclrtRecordNotify/dev1");
    const TempFolder folder;
    const Trace trace;
    const auto start = std::chrono::steady_clock::now();
    Process dying([&] {
        const PlanRank self(1, 2, folder, kLong);
        coll_plan_run(self.comm(), self.created("meeting", kBytes, meeting(0)), 0, 0);
    });
    Process living([&] {
        const PlanRank self(0, 2, folder, kLong);
        is_refused(coll_plan_run(self.comm(), self.created("meeting", kBytes, meeting(1)), 0, 0), COMM_PEER_DIED,
                   "died while rank 0 waited for the end of meeting");
    });
    await("both to wait", [&] { return trace.count("aclrtWaitAndResetNotify") == 2; });
    dying.kill();
    CHECK_EQUAL(living.wait(), 0);
    CHECK(elapsed_ms(start) < kAtOnce);
}

TEST(plans_whose_ranks_wait_for_each_other_are_of_one_machine) {
    if (!runs_plans()) return;
    const Way way = ways().front();
    if (way.name != "fabric") return;
    const Machine machine(way);
    const Setting address("RANKUNIT_MEET_ADDRESS", "127.0.0.1");
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, folder);
        uint32_t plan = 0;
        is_refused(self.create("mesh", kBytes, mesh_all_gather(rank, 2, 64), &plan), COMM_NOT_SUPPORTED,
                   "rank 0: the ranks meet over a network (RANKUNIT_MEET_ADDRESS), and the notifies");
        comm_barrier(self.comm());
    });
}
