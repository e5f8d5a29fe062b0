// Every way in which a wait can end badly.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "harness/check.h"
#include "harness/ranks.h"

using namespace rankunit::test;
using std::chrono::steady_clock;

namespace {

using SharedInt = std::atomic<int>;

// Rank 0 tells its peers its pid in its window, so that they can see it asleep.
void say_pid(const Comm &comm) {
    comm.window<SharedInt>(0)->store(getpid());
}

void await_sleep_of_rank_0(const Comm &comm) {
    await("rank 0 to sleep", [&] {
        const int pid = comm.window<SharedInt>(0)->load();
        return pid != 0 && is_asleep(pid);
    });
}

bool has_opened_the_segment(pid_t process) {
    std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
    std::string line;
    while (std::getline(maps, line)) {
        if (line.find("memfd:rankunit-bootstrap") != std::string::npos) return true;
    }
    return false;
}

}  // namespace

TEST(an_abort_wakes_a_rank_that_sleeps_in_the_barrier) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        if (rank == 0) {
            say_pid(comm);
            CHECK_EQUAL(comm_barrier(comm.handle()), COMM_ABORTED);
            CHECK_EQUAL(std::string(comm_last_error()), "aborted because of rank 1: golden differs");
            CHECK_EQUAL(comm_aborted_by(comm.handle()), 1);
        } else {
            await_sleep_of_rank_0(comm);
            CHECK_EQUAL(comm_aborted_by(comm.handle()), -1);
            CHECK_EQUAL(comm_abort(comm.handle(), 1, "golden differs"), COMM_OK);
        }
    });
}

TEST(every_call_after_an_abort_gives_the_first_reason) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    uint64_t base = 0;
    CHECK_EQUAL(comm_abort(comm.handle(), 0, "first"), COMM_OK);
    CHECK_EQUAL(comm_abort(comm.handle(), 0, "second"), COMM_OK);
    CHECK_EQUAL(comm_barrier(comm.handle()), COMM_ABORTED);
    CHECK_EQUAL(std::string(comm_last_error()), "aborted because of rank 0: first");
    CHECK_EQUAL(comm_get_local_window_base(comm.handle(), &base), COMM_ABORTED);
}

TEST(of_many_aborts_all_ranks_see_the_same_one) {
    const TempFolder folder;
    run_ranks(4, [&](int rank) {
        Comm comm(rank, 4, folder.file("root"));
        comm.barrier();
        CHECK_EQUAL(comm_abort(comm.handle(), rank, ("reason of rank " + std::to_string(rank)).c_str()), COMM_OK);
        CHECK_EQUAL(comm_barrier(comm.handle()), COMM_ABORTED);
        const int winner = comm_aborted_by(comm.handle());
        CHECK_CONTAINS(comm_last_error(), "reason of rank " + std::to_string(winner));
        comm.window<SharedInt>(rank)->store(winner + 1);
        for (int pe = 0; pe < 4; pe++) {
            SharedInt *theirs = comm.window<SharedInt>(pe);
            await("the peers' winners", [&] { return theirs->load() != 0; });
            CHECK_EQUAL(theirs->load(), winner + 1);
        }
    });
}

TEST(another_thread_may_abort_while_the_bring_up_waits) {
    const TempFolder folder;
    CommHandle comm = comm_init(1, 2, nullptr, folder.file("root").c_str());
    std::thread other([&] { comm_abort(comm, 0, "rank 0 cannot be started"); });
    uint64_t context = 0;
    CHECK_EQUAL(comm_alloc_windows(comm, 0, &context), COMM_ABORTED);
    CHECK_EQUAL(std::string(comm_last_error()), "aborted because of rank 0: rank 0 cannot be started");
    CHECK_EQUAL(comm_aborted_by(comm), 0);
    other.join();
    CHECK_EQUAL(comm_destroy(comm), COMM_OK);
}

TEST(a_long_reason_is_cut) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    CHECK_EQUAL(comm_abort(comm.handle(), 0, std::string(10'000, 'x').c_str()), COMM_OK);
    CHECK_EQUAL(comm_barrier(comm.handle()), COMM_ABORTED);
    CHECK_CONTAINS(comm_last_error(), std::string(400, 'x'));
}

TEST(a_killed_peer_is_known_long_before_the_deadline) {
    const TempFolder folder;
    Process victim([&] {
        const Comm comm(1, 3, folder.file("root"));
        await_sleep_of_rank_0(comm);
        raise(SIGKILL);
    });
    const auto expect_death = [&](int rank) {
        const Comm comm(rank, 3, folder.file("root"));
        if (rank == 0) say_pid(comm);
        const auto start = steady_clock::now();
        CHECK_EQUAL(comm_barrier(comm.handle()), COMM_PEER_DIED);
        CHECK(elapsed_ms(start) < 5'000);
        CHECK_CONTAINS(comm_last_error(), "rank 1 (process " + std::to_string(victim.pid()) + ") died while rank ");
        CHECK_CONTAINS(comm_last_error(), "in barrier #1");
        CHECK_EQUAL(comm_aborted_by(comm.handle()), 1);
    };
    Process peer([&] { expect_death(2); });
    expect_death(0);
    CHECK_EQUAL(peer.wait(), 0);
    CHECK(WIFSIGNALED(victim.wait()));
}

TEST(a_peer_that_dies_during_the_bring_up_is_known) {
    const TempFolder folder;
    Process victim([&] { Comm(1, 3, folder.file("root")); });
    CommHandle comm = comm_init(0, 3, nullptr, folder.file("root").c_str());
    std::thread killer([&] {
        await("the victim to wait for rank 2",
              [&] { return has_opened_the_segment(victim.pid()) && is_asleep(victim.pid()); });
        victim.kill();
    });
    CHECK_EQUAL(comm_set_timeout(comm, 20'000), COMM_OK);
    uint64_t context = 0;
    const int status = comm_alloc_windows(comm, 4096, &context);
    const std::string text = comm_last_error();
    killer.join();
    CHECK_EQUAL(status, COMM_PEER_DIED);
    CHECK_CONTAINS(text, "died while rank 0 waited for all ranks to map the windows");
    CHECK_EQUAL(comm_destroy(comm), COMM_OK);
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(a_peer_that_has_left_is_not_waited_for) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        if (rank == 1) return;
        CHECK_EQUAL(comm_barrier(comm.handle()), COMM_PEER_LEFT);
        CHECK_EQUAL(std::string(comm_last_error()),
                    "rank 1 has left the communicator while rank 0 waited in barrier #1");
        CHECK_EQUAL(comm_aborted_by(comm.handle()), 1);
    });
}

TEST(a_peer_that_leaves_behind_the_last_barrier_disturbs_nobody) {
    const TempFolder folder;
    for (int round = 0; round < 30; round++) {
        run_ranks(4, [&](int rank) {
            Comm comm(rank, 4, folder.file("root"));
            comm.barrier();
        });
    }
}

TEST(a_peer_that_exits_right_behind_the_last_barrier_disturbs_nobody) {
    const TempFolder folder;
    for (int round = 0; round < 30; round++) {
        run_ranks(4, [&](int rank) {
            Comm comm(rank, 4, folder.file("root"));
            comm.barrier();
            _exit(0);
        });
    }
}

TEST(the_text_of_a_timeout_names_the_missing_ranks) {
    const TempFolder folder;
    run_ranks(4, [&](int rank) {
        Comm comm(rank, 4, folder.file("root"), 4096, 10'000);
        comm.barrier();
        if (rank == 0) CHECK_EQUAL(comm_set_timeout(comm.handle(), 300), COMM_OK);
        if (rank == 0) {
            // The others' arrivals are not ordered; rank 2's can be awaited by its sleep.
            await("rank 2 to sleep", [&] {
                const int pid = comm.window<SharedInt>(2)->load();
                return pid != 0 && is_asleep(pid);
            });
            CHECK_EQUAL(comm_barrier(comm.handle()), COMM_TIMEOUT);
            const std::string text = comm_last_error();
            CHECK_CONTAINS(text, "rank 0 waited ");
            CHECK_CONTAINS(text, " ms in barrier #2; ranks 1, 3 had not arrived");
        } else if (rank == 2) {
            comm.window<SharedInt>(2)->store(getpid());
            CHECK_EQUAL(comm_barrier(comm.handle()), COMM_ABORTED);
            CHECK_CONTAINS(comm_last_error(), "ranks 1, 3 had not arrived");
        } else {
            await("the abort", [&] { return comm_aborted_by(comm.handle()) == 1; });
            CHECK_EQUAL(comm_barrier(comm.handle()), COMM_ABORTED);
        }
    });
}

TEST(a_second_thread_in_the_same_communicator_is_refused) {
    const TempFolder folder;
    Process peer([&] {
        Comm comm(1, 2, folder.file("root"));
        await_sleep_of_rank_0(comm);
        await("the end of the test", [&] { return comm.window<SharedInt>(1)->load() == 1; });
        comm.barrier();
    });
    Comm comm(0, 2, folder.file("root"));
    std::thread first([&] {
        comm.window<SharedInt>(0)->store(gettid());
        comm_barrier(comm.handle());
    });
    await("the first thread to sleep", [&] {
        const int thread = comm.window<SharedInt>(0)->load();
        return thread != 0 && is_asleep(thread);
    });
    CHECK_EQUAL(comm_barrier(comm.handle()), COMM_INVALID_STATE);
    comm.window<SharedInt>(1)->store(1);
    first.join();
    CHECK_EQUAL(peer.wait(), 0);
}
