// Ranks that meet over a network, and every way in which a wait can end badly.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include "bootstrap/network_ranks.h"
#include "rankunit/comm.h"

using namespace rankunit::test;

namespace {

// Fails in the next barrier.
Outcome fail_in_barrier(NetworkRank &self) {
    return fail([&] { self.barrier(); });
}

void await_sleep(const std::atomic<int64_t> &pid) {
    await("a rank to sleep", [&] { return pid.load() != 0 && is_asleep(static_cast<pid_t>(pid.load())); });
}

// Rank `victim` of 3 is killed while the others wait in a barrier.
void expect_blame_in_barrier(int victim) {
    const MeetAddress address;
    const TempFolder folder;
    const SharedNumbers numbers;
    std::vector<std::unique_ptr<Process>> ranks;
    for (int rank = 0; rank < 3; rank++) {
        ranks.push_back(std::make_unique<Process>([&, rank] {
            NetworkRank self(rank, 3, folder.file("root"));
            self.up();
            if (rank == victim) {
                for (size_t peer = 0; peer < 3; peer++) {
                    if (static_cast<int>(peer) != victim) await_sleep(numbers[peer]);
                }
                numbers[10].store(getpid());
                numbers[11].store(now_us());
                raise(SIGKILL);
            }
            numbers[static_cast<size_t>(rank)].store(getpid());
            const auto [code, text] = fail_in_barrier(self);
            const int64_t noticed = now_us() - numbers[11].load();
            std::printf("        rank %d: the death of rank %d was known after %.1f ms\n", rank, victim,
                        static_cast<double>(noticed) / 1000);
            CHECK(noticed < 1'000'000);
            CHECK_EQUAL(code, COMM_PEER_DIED);
            CHECK_EQUAL(text.substr(0, text.find(" died while")),
                        "rank " + std::to_string(victim) + " (process " + std::to_string(numbers[10].load()) + ")");
            CHECK_CONTAINS(text, "in barrier #1");
            CHECK_EQUAL(self.bootstrap().aborted_by(), victim);
        }));
    }
    for (int rank = 0; rank < 3; rank++) {
        const int status = ranks[static_cast<size_t>(rank)]->wait();
        if (rank == victim) {
            CHECK(WIFSIGNALED(status));
        } else {
            CHECK_EQUAL(status, 0);
        }
    }
}

}  // namespace

TEST(an_abort_of_any_rank_ends_the_waits_of_all_others) {
    const MeetAddress address;
    for (int failed = 0; failed < 3; failed++) {
        const TempFolder folder;
        const SharedNumbers pids;
        run_ranks(3, [&](int rank) {
            NetworkRank self(rank, 3, folder.file("root"));
            self.up();
            if (rank == failed) {
                for (size_t peer = 0; peer < 3; peer++) {
                    if (static_cast<int>(peer) != failed) await_sleep(pids[peer]);
                }
                self.bootstrap().abort(failed, "golden differs");
                return;
            }
            pids[static_cast<size_t>(rank)].store(getpid());
            // one waits for all, the other for the rank that fails
            const auto [code, text] = rank == (failed + 1) % 3 ? fail_in_barrier(self) : fail([&] {
                self.gather({static_cast<uint32_t>(rank), static_cast<uint32_t>(failed)}, 1, "");
            });
            CHECK_EQUAL(code, COMM_ABORTED);
            CHECK_EQUAL(text, "aborted because of rank " + std::to_string(failed) + ": golden differs");
        });
    }
}

TEST(who_comes_after_an_abort_knows_it) {
    const MeetAddress address;
    const TempFolder folder;
    const TextPipe aborted;
    const TextPipe known;
    run_ranks(3, [&](int rank) {
        NetworkRank self(rank, 3, folder.file("root"));
        if (rank == 1) {
            self.bootstrap().open();
            self.bootstrap().abort(1, "too early");
            aborted.write_text("by rank 1");
            return;
        }
        if (rank == 2) aborted.read_text();
        const auto [code, text] = fail([&] { self.up(); });
        // nobody finds a rank 0 that has left
        if (rank == 0) known.read_text();
        if (rank == 2) known.write_text("by rank 2");
        CHECK_EQUAL(code, COMM_ABORTED);
        CHECK_EQUAL(text, "aborted because of rank 1: too early");
    });
}

TEST(of_two_aborts_all_ranks_without_one_of_their_own_see_the_same) {
    const MeetAddress address;
    const TempFolder folder;
    const SharedNumbers seen;
    run_ranks(5, [&](int rank) {
        NetworkRank self(rank, 5, folder.file("root"));
        self.up().barrier();
        if (rank == 1 || rank == 2) self.bootstrap().abort(rank, "mine");
        const Outcome outcome = fail_in_barrier(self);
        CHECK_EQUAL(outcome.code, COMM_ABORTED);
        seen[static_cast<size_t>(rank)].store(self.bootstrap().aborted_by());
        // a rank that has aborted itself keeps its own reason, or has one that came before
        if (rank == 1 || rank == 2) CHECK(seen[static_cast<size_t>(rank)].load() > 0);
    });
    CHECK(seen[0].load() == 1 || seen[0].load() == 2);
    CHECK_EQUAL(seen[3].load(), seen[0].load());
    CHECK_EQUAL(seen[4].load(), seen[0].load());
}

TEST(another_thread_may_abort_while_a_rank_comes) {
    const MeetAddress address;
    const TempFolder folder;
    NetworkRank self(0, 2, folder.file("root"));
    std::thread other([&] { self.bootstrap().abort(1, "cannot be started"); });
    const auto [code, text] = fail([&] { self.up(); });
    other.join();
    CHECK_EQUAL(code, COMM_ABORTED);
    CHECK_EQUAL(text, "aborted because of rank 1: cannot be started");
}

TEST(a_killed_rank_is_known_by_name_at_once) {
    expect_blame_in_barrier(1);
    expect_blame_in_barrier(2);
}

TEST(a_killed_rank_0_is_known_by_name_at_once) {
    expect_blame_in_barrier(0);
}

TEST(a_rank_that_dies_before_all_have_come_is_to_blame) {
    const MeetAddress address;
    const TempFolder folder;
    Process owner([&] {
        const auto [code, text] = fail([&] { NetworkRank(0, 3, folder.file("root")).up(); });
        CHECK_EQUAL(code, COMM_PEER_DIED);
        CHECK_CONTAINS(text, "rank 1 (process ");
        CHECK_CONTAINS(text, " died while rank 0 waited for all ranks to come");
    });
    Process victim([&] {
        NetworkRank self(1, 3, folder.file("root"));
        self.bootstrap().open();
        raise(SIGKILL);
    });
    CHECK(WIFSIGNALED(victim.wait()));
    CHECK_EQUAL(owner.wait(), 0);
}

TEST(a_rank_that_has_left_is_not_waited_for) {
    const MeetAddress address;
    for (int leaver = 0; leaver < 3; leaver++) {
        const TempFolder folder;
        run_ranks(3, [&](int rank) {
            NetworkRank self(rank, 3, folder.file("root"));
            self.up();
            if (rank == leaver) return;
            const auto [code, text] = fail_in_barrier(self);
            CHECK_EQUAL(code, COMM_PEER_LEFT);
            CHECK_CONTAINS(text, "rank " + std::to_string(leaver) + " has left the communicator while rank ");
            CHECK_CONTAINS(text, "in barrier #1");
        });
    }
}

TEST(ranks_do_not_wait_for_each_other_without_rank_0) {
    const MeetAddress address;
    const TempFolder folder;
    const TextPipe end;
    run_ranks(3, [&](int rank) {
        auto self = std::make_unique<NetworkRank>(rank, 3, folder.file("root"));
        self->up();
        if (rank == 0) {
            const int64_t start = now_us();
            self.reset();
            CHECK(now_us() - start < 4'000'000);
        } else if (rank == 1) {
            const auto [code, text] = fail([&] { self->gather({1, 2}, 1, ""); });
            end.write_text("of the test");
            CHECK_EQUAL(code, COMM_PEER_LEFT);
            CHECK_CONTAINS(text,
                           "rank 0 has left the communicator while rank 1 waited for the others to say something");
        } else {
            end.read_text();
        }
    });
}

TEST(a_rank_goes_on_with_what_is_its_own_without_rank_0) {
    const MeetAddress address;
    const TempFolder folder;
    const TextPipe left;
    const TextPipe end;
    run_ranks(3, [&](int rank) {
        auto self = std::make_unique<NetworkRank>(rank, 3, folder.file("root"));
        self->up();
        if (rank == 0) {
            self.reset();
            left.write_text("by rank 0");
        } else if (rank == 1) {
            left.read_text();
            int looks = 0;
            self->bootstrap().wait_slowly("for its device", "ended it", [&] { return ++looks > 3; });
            end.write_text("of the test");
        } else {
            end.read_text();
        }
    });
}

TEST(a_rank_that_never_comes_is_named_at_the_deadline) {
    const MeetAddress address;
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const auto [code, text] =
            fail([&] { NetworkRank(rank, 3, folder.file("root"), rank == 0 ? 300 : 20'000).up(); });
        CHECK_EQUAL(code, rank == 0 ? COMM_TIMEOUT : COMM_ABORTED);
        CHECK_CONTAINS(text, " ms for all ranks to come; rank 2 had not arrived");
    });
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(what_waits_in_a_gather_ends_at_its_deadline) {
    const MeetAddress address;
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        NetworkRank self(rank, 2, folder.file("root"));
        self.up();
        if (rank == 0) self.bootstrap().set_timeout(200);
        const auto [code, text] = rank == 0 ? fail([&] { self.gather({0, 1}, 1, ""); }) : fail([&] {
            await("the abort", [&] { return self.bootstrap().aborted_by() >= 0; });
            self.barrier();
        });
        CHECK_EQUAL(code, rank == 0 ? COMM_TIMEOUT : COMM_ABORTED);
        CHECK_CONTAINS(text, " ms for the others to say something; rank 1 had not arrived");
    });
}
