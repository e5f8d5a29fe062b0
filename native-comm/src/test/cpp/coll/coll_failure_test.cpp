// Every way in which a plan or a run can end badly.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "coll/coll_support.h"
#include "harness/check.h"
#include "harness/ranks.h"
#include "rankunit/device.h"

using namespace rankunit::test;
using std::chrono::steady_clock;

namespace {

using SharedInt = std::atomic<int>;

// Rank 0 tells its pid in its window, so that its peers can see it asleep.
void say_pid(const Comm &comm) {
    comm.window<SharedInt>(0)->store(getpid());
}

void await_sleep_of_rank_0(const Comm &comm) {
    await("rank 0 to sleep", [&] {
        const int pid = comm.window<SharedInt>(0)->load();
        return pid != 0 && is_asleep(pid);
    });
}

Tasks meeting(int peer) {
    return Tasks().post(peer, 0).wait(peer, 0);
}

void is_refused(const Tasks &tasks, const Kind &kind, const char *text) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    uint32_t plan = 7;
    CHECK_EQUAL(create(comm, "wrong", kind, tasks, &plan), COMM_INVALID_ARGUMENT);
    CHECK_CONTAINS(comm_last_error(), text);
}

}  // namespace

TEST(an_abort_wakes_a_rank_that_sleeps_in_a_run) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        const uint32_t plan = created(comm, "meeting", {}, meeting(1 - rank));
        if (rank == 0) {
            say_pid(comm);
            CHECK_EQUAL(coll_plan_run(comm.handle(), plan, 0, 0), COMM_ABORTED);
            CHECK_EQUAL(std::string(comm_last_error()), "aborted because of rank 1: golden differs");
        } else {
            await_sleep_of_rank_0(comm);
            CHECK_EQUAL(comm_abort(comm.handle(), 1, "golden differs"), COMM_OK);
            CHECK_EQUAL(coll_plan_run(comm.handle(), plan, 0, 0), COMM_ABORTED);
        }
    });
}

TEST(a_rank_that_sleeps_in_a_run_is_woken_by_the_post) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        const uint32_t plan = created(comm, "meeting", {}, meeting(1 - rank));
        for (int round = 0; round < 20; round++) {
            if (rank == 0) {
                say_pid(comm);
            } else {
                await_sleep_of_rank_0(comm);
                comm.window<SharedInt>(0)->store(0);
            }
            run(comm, plan, 0, 0);
            comm.barrier();
        }
    });
}

TEST(a_killed_peer_is_known_long_before_the_deadline) {
    const TempFolder folder;
    Process victim([&] {
        const Comm comm(1, 2, folder.file("root"));
        created(comm, "meeting", {}, meeting(0));
        await_sleep_of_rank_0(comm);
        raise(SIGKILL);
    });
    const Comm comm(0, 2, folder.file("root"));
    const uint32_t plan = created(comm, "meeting", {}, meeting(1));
    say_pid(comm);
    const auto start = steady_clock::now();
    CHECK_EQUAL(coll_plan_run(comm.handle(), plan, 0, 0), COMM_PEER_DIED);
    CHECK(elapsed_ms(start) < 5'000);
    CHECK_CONTAINS(comm_last_error(), "rank 1 (process " + std::to_string(victim.pid()) + ") died while rank 0 waited");
    CHECK_CONTAINS(comm_last_error(), "in meeting, the main stream for ACK from rank 1 to rank 0");
    CHECK(WIFSIGNALED(victim.wait()));
}

TEST(a_peer_that_has_left_is_not_waited_for) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        const uint32_t plan = created(comm, "meeting", {}, meeting(1 - rank));
        if (rank == 1) return;
        CHECK_EQUAL(coll_plan_run(comm.handle(), plan, 0, 0), COMM_PEER_LEFT);
        CHECK_EQUAL(std::string(comm_last_error()),
                    "rank 1 has left the communicator while rank 0 waited in meeting, the main stream for ACK from "
                    "rank 1 to rank 0");
    });
}

TEST(the_text_of_a_timeout_names_what_each_stream_waits_for) {
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        Comm comm(rank, 3, folder.file("root"), 4096, 10'000);
        Tasks tasks;
        if (rank == 0) tasks.wait(1, 2).wait(2, 0, 1).wait(kAlone, 4, 3);
        if (rank == 2) tasks.post(0, 0);
        const uint32_t plan = created(comm, "waits", {}, tasks);
        if (rank == 0) {
            CHECK_EQUAL(comm_set_timeout(comm.handle(), 200), COMM_OK);
            CHECK_EQUAL(coll_plan_run(comm.handle(), plan, 0, 0), COMM_TIMEOUT);
            CHECK_CONTAINS(comm_last_error(), "rank 0 waited ");
            CHECK_CONTAINS(comm_last_error(),
                           " ms in waits, the main stream for DATA_ACK from rank 1 to rank 0, sub stream 2 for notify "
                           "4 of rank 0; rank 1 had not posted");
        } else {
            run(comm, plan, 0, 0);
            await("the abort", [&] { return comm_aborted_by(comm.handle()) == 1; });
        }
    });
}

TEST(streams_that_only_wait_for_each_other_fail_at_once) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    const uint32_t plan =
        created(comm, "knot", {}, Tasks().wait(kAlone, 0).post(kAlone, 1).wait(kAlone, 1, 1).post(kAlone, 0, 1));
    CHECK_EQUAL(coll_plan_run(comm.handle(), plan, 0, 0), COMM_MISMATCH);
    CHECK_EQUAL(std::string(comm_last_error()),
                "all streams of rank 0 wait for each other, the main stream for notify 0 of rank 0, sub stream 0 for "
                "notify 1 of rank 0; in knot");
}

TEST(a_post_that_would_be_lost_fails_on_both_ranks) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        const Tasks tasks = rank == 0 ? Tasks().post(1, 5).post(1, 5) : Tasks().wait(0, 6);
        const uint32_t plan = created(comm, "twice", {}, tasks);
        CHECK_EQUAL(coll_plan_run(comm.handle(), plan, 0, 0), COMM_MISMATCH);
        CHECK_CONTAINS(comm_last_error(),
                       "rank 0 posted DATA_ACK from rank 0 to rank 1 on link 1, which was still set: the earlier post "
                       "is lost; in twice");
    });
}

TEST(messages_have_the_lines_that_queued_the_tasks) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        const Tasks twice = Tasks().post(1, 0).at("Own.java:7").post(1, 0).at("Own.java:8");
        const Tasks waits = Tasks().wait(0, 1).at("Own.java:9").wait(kAlone, 0, 1).at("Own.java:10");
        const uint32_t plan = created(comm, "twice", {}, rank == 0 ? twice : waits);
        CHECK_EQUAL(coll_plan_run(comm.handle(), plan, 0, 0), COMM_MISMATCH);
        CHECK_CONTAINS(comm_last_error(),
                       "rank 0 posted ACK from rank 0 to rank 1 (Own.java:8), which was still set: the earlier post is "
                       "lost; in twice");
    });
    const TempFolder alone;
    const Comm comm(0, 1, alone.file("root"));
    const Tasks knot = Tasks().wait(kAlone, 0).at("Own.java:7").wait(kAlone, 1, 1);
    CHECK_EQUAL(coll_plan_run(comm.handle(), created(comm, "knot", {}, knot), 0, 0), COMM_MISMATCH);
    CHECK_CONTAINS(comm_last_error(),
                   "the main stream for notify 0 of rank 0 (Own.java:7), sub stream 0 for notify 1 "
                   "of rank 0; in knot");
}

TEST(a_task_of_a_line_that_the_plan_lacks_is_refused) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    const Tasks tasks = Tasks().post(kAlone, 0).at("Own.java:7");
    uint32_t plan = 0;
    CHECK_EQUAL(coll_plan_create(comm.handle(), "it", kSchedule, COLL_BYTES, COLL_SUM, COLL_WINDOWS, tasks.words(),
                                 tasks.count(), nullptr, &plan),
                COMM_INVALID_ARGUMENT);
    CHECK_CONTAINS(comm_last_error(), "task 0: line = 1 is not in [0, 1)");
}

TEST(ranks_that_want_different_collectives_all_say_so) {
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        Comm comm(rank, 3, folder.file("root"));
        uint32_t plan = 0;
        CHECK_EQUAL(create(comm, rank == 2 ? "all-reduce of 2" : "all-reduce of 1", {}, Tasks(), &plan), COMM_MISMATCH);
        CHECK_CONTAINS(comm_last_error(), "rank 2 wants \"all-reduce of 2\", rank 0 wants \"all-reduce of 1\"");
    });
}

TEST(ranks_that_want_other_types_all_say_so) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        uint32_t plan = 0;
        CHECK_EQUAL(create(comm, "it", {rank == 0 ? COLL_INT32 : COLL_FLOAT32}, Tasks(), &plan), COMM_MISMATCH);
        CHECK_CONTAINS(comm_last_error(), "which differ in what the texts leave out");
    });
}

TEST(ranks_whose_buffers_lie_elsewhere_say_where) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        const uint32_t plan = created(comm, "it", {}, direct_all_reduce(rank, 2, 8, 4));
        CHECK_EQUAL(coll_plan_run(comm.handle(), plan, rank == 0 ? 0 : 512, 1024), COMM_MISMATCH);
        CHECK_CONTAINS(comm_last_error(), "rank 0 has its input at 0 and its output at 1024 of the windows");
        CHECK_CONTAINS(comm_last_error(), "rank 1 has its input at 512 and its output at 1024 of the windows");
    });
}

TEST(a_rank_whose_tasks_are_wrong_tells_its_peers) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        uint32_t plan = 0;
        const Tasks tasks = rank == 0 ? Tasks() : Tasks().post(2, 0);
        const int status = create(comm, "it", {}, tasks, &plan);
        CHECK_EQUAL(status, rank == 0 ? COMM_ABORTED : COMM_INVALID_ARGUMENT);
        CHECK_CONTAINS(comm_last_error(), "task 0: peer = 2 is not another of the 2 ranks");
    });
}

void is_refused_by_a_run(uint64_t input, uint64_t output, const std::string &text) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    const uint32_t plan = created(comm, "it", {}, direct_all_reduce(0, 1, 16, 4));
    run(comm, plan, 0, 4096 - 64);
    CHECK_EQUAL(coll_plan_run(comm.handle(), plan, input, output), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(std::string(comm_last_error()),
                text + ": 64 bytes from there are not inside the windows, which have 4096 bytes each");
}

TEST(buffers_outside_of_the_windows_are_refused) {
    is_refused_by_a_run(4096 - 60, 0, "input = 4036");
    is_refused_by_a_run(0, UINT64_MAX - 8, "output = 18446744073709551607");
}

TEST(a_rank_that_is_given_what_it_cannot_take_tells_its_peers) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const Comm comm(rank, 2, folder.file("root"));
        const uint32_t plan = created(comm, "it", {}, direct_all_reduce(rank, 2, 16, 4));
        const int status = coll_plan_run(comm.handle(), plan, 0, rank == 0 ? 1024 : 4096);
        CHECK_EQUAL(status, rank == 0 ? COMM_ABORTED : COMM_INVALID_ARGUMENT);
        CHECK_CONTAINS(comm_last_error(), "output = 4096: 64 bytes from there are not inside the windows");
    });
}

TEST(ranks_with_different_schedules_under_one_name_all_say_so) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const Comm comm(rank, 2, folder.file("root"));
        const Tasks tasks = direct_all_reduce(rank, 2, 16, 4);
        uint32_t plan = 0;
        const auto schedule = static_cast<uint64_t>(rank);
        CHECK_EQUAL(coll_plan_create(comm.handle(), "it", schedule, COLL_FLOAT32, COLL_SUM, COLL_WINDOWS, tasks.words(),
                                     tasks.count(), tasks.lines(), &plan),
                    COMM_MISMATCH);
        CHECK_CONTAINS(comm_last_error(), "rank 1 wants \"it\", rank 0 wants \"it\", by different tasks");
    });
}

TEST(memory_that_is_not_the_device_s_is_refused) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    Kind kind;
    kind.memory = COLL_SINGLE_OPERATOR;
    const uint32_t plan = created(comm, "it", kind, direct_all_reduce(0, 1, 16, 4));
    float own[16] = {};
    CHECK_EQUAL(coll_plan_run(comm.handle(), plan, reinterpret_cast<uint64_t>(own),
                              reinterpret_cast<uint64_t>(comm.window<float>(0))),
                COMM_INVALID_ARGUMENT);
    CHECK_CONTAINS(comm_last_error(), "input: ");
}

TEST(tasks_that_cannot_be_run_are_refused_with_their_number) {
    is_refused(Tasks().post(kAlone, 0).post(0, 0), {}, "task 1: peer = 0 is not another of the 1 ranks");
    is_refused(Tasks().move(static_cast<CollTaskKind>(9), kAlone, {}, {}, 8), {}, "task 0: kind = 9 is not in [0, 8)");
    is_refused(Tasks().move(COLL_COPY, kAlone, {static_cast<CollBuffer>(5), 0}, {}, 8), {}, "buffer = 5");
    is_refused(Tasks().move(COLL_PUT, kAlone, {}, {}, 8), {}, "task 0: it has no peer");
    is_refused(Tasks().move(COLL_COPY, kAlone, {COLL_INPUT, UINT64_MAX}, {}, 8), {}, "task 0: from = ");
    is_refused(Tasks().move(COLL_REDUCE, kAlone, {}, {}, 6), {}, "6 bytes are not a whole number of elements of 4");
    is_refused(Tasks().move(COLL_REDUCE, kAlone, {}, {}, 8), {COLL_BYTES}, "elements of this type cannot be reduced");
    is_refused(Tasks().post(kAlone, 5'000), {}, "notify = 5000 is not in [0, 1024)");
    is_refused(Tasks().post(kAlone, 0, 1'024), {}, "stream = 1024 is not in [0, 1024)");
}

TEST(in_single_operator_mode_only_the_ccl_buffers_of_others_can_be_reached) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        uint32_t plan = 0;
        Kind kind;
        kind.memory = COLL_SINGLE_OPERATOR;
        const Tasks tasks = Tasks().move(COLL_GET, 1 - rank, {COLL_INPUT, 0}, {COLL_OUTPUT, 0}, 8);
        CHECK(create(comm, "it", kind, tasks, &plan) != COMM_OK);
        CHECK_CONTAINS(comm_last_error(), "of another rank's memory, only the CCL buffers can be reached");
    });
}

TEST(ccl_buffers_have_the_size_that_the_environment_says) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        CHECK_EQUAL(setenv("HCCL_BUFFSIZE", "3", 1), 0);
        Comm comm(rank, 2, folder.file("root"));
        const Kind kind{COLL_INT64, COLL_SUM, COLL_SINGLE_OPERATOR};
        constexpr uint64_t kBytes = 3 << 20;
        const auto copy_to_end = [](uint64_t end) {
            return Tasks().move(COLL_COPY, kAlone, {COLL_INPUT, 0}, {COLL_CCL_OUT, end - 8}, 8);
        };
        uint32_t plan = 0;
        // What one rank needs more is refused on all.
        CHECK_EQUAL(create(comm, "too much", kind, copy_to_end(kBytes + 8 * static_cast<uint64_t>(rank)), &plan),
                    COMM_INVALID_ARGUMENT);
        CHECK_CONTAINS(comm_last_error(),
                       "too much: its tasks use 3145736 bytes of a CCL buffer, which has 3145728: set HCCL_BUFFSIZE to "
                       "as many MiB as it takes");
    });
    run_ranks(2, [&](int rank) {
        CHECK_EQUAL(setenv("HCCL_BUFFSIZE", "3", 1), 0);
        Comm comm(rank, 2, folder.file("root"));
        const Kind kind{COLL_INT64, COLL_SUM, COLL_SINGLE_OPERATOR};
        const Tasks tasks = Tasks().move(COLL_COPY, kAlone, {COLL_INPUT, 0}, {COLL_CCL_OUT, (3 << 20) - 8}, 8);
        run(comm, created(comm, "all of it", kind, tasks), reinterpret_cast<uint64_t>(comm.window<char>(rank)), 0);
    });
}

TEST(a_size_of_ccl_buffers_that_is_none_or_differs_between_ranks_is_refused) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        CHECK_EQUAL(setenv("HCCL_BUFFSIZE", rank == 0 ? "200" : "100", 1), 0);
        Comm comm(rank, 2, folder.file("root"));
        uint32_t plan = 0;
        CHECK_EQUAL(create(comm, "nothing", {}, Tasks(), &plan), COMM_MISMATCH);
        CHECK_CONTAINS(
            comm_last_error(),
            "rank 1 has CCL buffers of 100 MiB, rank 0 has CCL buffers of 200 MiB: HCCL_BUFFSIZE must be the "
            "same on all ranks");
    });
    for (const char *wrong : {"0", "-1", "200MB", "1048577"}) {
        run_ranks(1, [&](int rank) {
            CHECK_EQUAL(setenv("HCCL_BUFFSIZE", wrong, 1), 0);
            Comm comm(rank, 1, folder.file("root"));
            uint32_t plan = 0;
            CHECK_EQUAL(create(comm, "nothing", {}, Tasks(), &plan), COMM_INVALID_ARGUMENT);
            CHECK_CONTAINS(comm_last_error(), std::string("HCCL_BUFFSIZE = \"") + wrong +
                                                  "\": expected the size of a CCL buffer in MiB, from 1 to 1048576");
        });
    }
}

TEST(a_plan_that_is_gone_is_refused) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    const uint32_t plan = created(comm, "nothing", {}, Tasks());
    run(comm, plan, 0, 0);
    CHECK_EQUAL(coll_plan_destroy(comm.handle(), plan), COMM_OK);
    CHECK_EQUAL(coll_plan_run(comm.handle(), plan, 0, 0), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(coll_plan_destroy(comm.handle(), plan), COMM_INVALID_ARGUMENT);
    CHECK_CONTAINS(comm_last_error(), "plan = " + std::to_string(plan) + ": there is no such plan");
}

TEST(plans_leave_no_descriptors_behind) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    const int before = open_descriptors();
    for (int i = 0; i < 50; i++) {
        const uint32_t plan = created(comm, "it", {}, direct_all_reduce(0, 1, 16, 4));
        CHECK_EQUAL(coll_plan_destroy(comm.handle(), plan), COMM_OK);
    }
    CHECK_EQUAL(open_descriptors(), before);
}

TEST(a_second_thread_in_the_same_communicator_is_refused) {
    const TempFolder folder;
    Process peer([&] {
        Comm comm(1, 2, folder.file("root"));
        const uint32_t plan = created(comm, "meeting", {}, meeting(0));
        await_sleep_of_rank_0(comm);
        await("the end of the test", [&] { return comm.window<SharedInt>(1)->load() == 1; });
        run(comm, plan, 0, 0);
    });
    Comm comm(0, 2, folder.file("root"));
    const uint32_t plan = created(comm, "meeting", {}, meeting(1));
    std::thread first([&] {
        comm.window<SharedInt>(0)->store(gettid());
        coll_plan_run(comm.handle(), plan, 0, 0);
    });
    await("the first thread to sleep", [&] {
        const int thread = comm.window<SharedInt>(0)->load();
        return thread != 0 && is_asleep(thread);
    });
    CHECK_EQUAL(coll_plan_run(comm.handle(), plan, 0, 0), COMM_INVALID_STATE);
    comm.window<SharedInt>(1)->store(1);
    first.join();
    CHECK_EQUAL(peer.wait(), 0);
}

TEST(a_simulator_has_no_collectives_of_a_vendors) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    CHECK_EQUAL(coll_vendor_run(comm.handle(), COLL_VENDOR_ALL_REDUCE, 0, 0, 1, COLL_FLOAT32, COLL_SUM, 0),
                COMM_NOT_SUPPORTED);
    CHECK_CONTAINS(comm_last_error(), "these devices have no collectives of a vendor's own");
    comm_barrier(comm.handle());
    CHECK_EQUAL(comm_aborted_by(comm.handle()), -1);
}
