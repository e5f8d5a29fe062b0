// The barrier's one promise, over many rounds.
#include <unistd.h>

#include <atomic>

#include "harness/check.h"
#include "harness/ranks.h"

using namespace rankunit::test;

namespace {

using Counter = std::atomic<uint64_t>;

// Each rank counts its rounds in its own window. After barrier k every rank has counted to k, and none can have
// counted beyond k + 1, as that needs barrier k + 1, which this rank has not entered.
void counters_never_differ_by_more_than_one(int nranks, uint64_t rounds) {
    const TempFolder folder;
    run_ranks(nranks, [&](int rank) {
        Comm comm(rank, nranks, folder.file("root"));
        auto *own = comm.window<Counter>(rank);
        for (uint64_t round = 1; round <= rounds; round++) {
            own->store(round, std::memory_order_relaxed);
            comm.barrier();
            for (int pe = 0; pe < nranks; pe++) {
                const uint64_t count = comm.window<Counter>(pe)->load(std::memory_order_relaxed);
                CHECK(count == round || count == round + 1);
            }
        }
        comm.barrier();
    });
}

}  // namespace

TEST(one_rank_passes_at_once) {
    counters_never_differ_by_more_than_one(1, 10'000);
}
TEST(two_ranks_keep_step) {
    counters_never_differ_by_more_than_one(2, 20'000);
}
TEST(three_ranks_keep_step) {
    counters_never_differ_by_more_than_one(3, 10'000);
}
TEST(four_ranks_keep_step) {
    counters_never_differ_by_more_than_one(4, 10'000);
}
TEST(eight_ranks_keep_step) {
    counters_never_differ_by_more_than_one(8, 3'000);
}
TEST(seventeen_ranks_keep_step) {
    counters_never_differ_by_more_than_one(17, 500);
}

TEST(plain_writes_are_seen_behind_the_barrier) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        for (int round = 0; round < 5'000; round++) {
            for (int i = 0; i < 16; i++) comm.window<int>(rank)[i] = round * 16 + i;
            comm.barrier();
            for (int i = 0; i < 16; i++) CHECK_EQUAL(comm.window<int>(1 - rank)[i], round * 16 + i);
            comm.barrier();
        }
    });
}

TEST(a_rank_that_sleeps_in_the_barrier_is_woken) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        auto *sleeper = comm.window<std::atomic<int>>(0);
        for (int round = 0; round < 20; round++) {
            if (rank == 0) {
                sleeper->store(getpid());
            } else {
                await("rank 0 to sleep", [&] { return sleeper->load() != 0 && is_asleep(sleeper->load()); });
                sleeper->store(0);
            }
            comm.barrier();
            comm.barrier();
        }
    });
}
