// Ranks that meet over a network: barriers, gathers and orderly ends.
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "bootstrap/network_ranks.h"
#include "bootstrap/segment/bootstrap_layout.h"
#include "rankunit/comm.h"

using namespace rankunit::test;

namespace {

std::string message_of(int rank, uint64_t round) {
    const size_t size = (round * 997 + static_cast<size_t>(rank) * 131) % (rankunit::bootstrap::kMaxMessage + 1);
    return std::string(size, static_cast<char>('a' + (rank + static_cast<int>(round)) % 26));
}

void check_gather(NetworkRank &self, int rank, const std::vector<uint32_t> &ranks, uint64_t round) {
    const std::vector<std::string> said = self.gather(ranks, round, message_of(rank, round));
    CHECK_EQUAL(said.size(), ranks.size());
    for (size_t i = 0; i < ranks.size(); i++) CHECK(said[i] == message_of(static_cast<int>(ranks[i]), round));
}

}  // namespace

TEST(every_number_of_ranks_meets) {
    const MeetAddress address;
    for (int nranks = 1; nranks <= 6; nranks++) {
        const TempFolder folder;
        std::vector<uint32_t> all;
        for (int rank = 0; rank < nranks; rank++) all.push_back(static_cast<uint32_t>(nranks - 1 - rank));
        run_ranks(nranks, [&](int rank) {
            NetworkRank self(rank, nranks, folder.file("root"));
            self.up().barrier();
            for (uint64_t round = 0; round < 20; round++) check_gather(self, rank, all, round);
            self.barrier();
        });
        CHECK_EQUAL(folder.entries(), 0);
    }
}

TEST(nobody_leaves_a_barrier_before_all_have_entered_it) {
    const MeetAddress address;
    const TempFolder folder;
    const SharedNumbers entered;
    constexpr int kRanks = 4;
    run_ranks(kRanks, [&](int rank) {
        NetworkRank self(rank, kRanks, folder.file("root"));
        self.up();
        for (int64_t round = 1; round <= 300; round++) {
            entered[0].fetch_add(1);
            self.barrier();
            CHECK(entered[0].load() >= round * kRanks);
            CHECK(entered[0].load() < (round + 1) * kRanks);
            self.barrier();
        }
    });
}

TEST(subsets_gather_at_the_same_time) {
    const MeetAddress address;
    const TempFolder folder;
    run_ranks(4, [&](int rank) {
        NetworkRank self(rank, 4, folder.file("root"));
        self.up();
        const uint32_t right = (static_cast<uint32_t>(rank) + 1) % 4;
        const uint32_t left = (static_cast<uint32_t>(rank) + 3) % 4;
        const auto own = static_cast<uint32_t>(rank);
        for (uint64_t round = 0; round < 200; round++) {
            const bool even = (own + round) % 2 == 0;
            check_gather(self, rank, even ? std::vector<uint32_t>{own, right} : std::vector<uint32_t>{left, own},
                         round);
        }
        self.barrier();
    });
}

TEST(a_message_that_is_over_is_not_taken_for_one_to_other_ranks_on_the_same_topic) {
    const MeetAddress address;
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        NetworkRank self(rank, 3, folder.file("root"));
        self.up();
        for (int round = 0; round < 100; round++) {
            if (rank != 2) self.gather({0, 1}, 7, "to 1");
            self.barrier();
            if (rank != 1) CHECK_EQUAL(self.gather({0, 2}, 7, "to 2")[0], "to 2");
            self.barrier();
        }
    });
}

TEST(ranks_meet_by_a_text_that_is_handed_over) {
    for (const char *host : {"127.0.0.1", "::1"}) {
        const MeetAddress address(host);
        const TextPipe pipe;
        try {
            rankunit::bootstrap::Bootstrap(0, 1, COMM_ROOTINFO_BY_JOIN).make_root_info();
        } catch (const std::exception &) {
            if (std::string(host) == "::1") continue;  // a machine without IPv6
            throw;
        }
        run_ranks(2, [&](int rank) {
            NetworkRank self(rank, 2, COMM_ROOTINFO_BY_JOIN);
            if (rank == 0) {
                const std::string text = self.bootstrap().make_root_info();
                CHECK_CONTAINS(text, std::string(" address=") + host + " port=");
                CHECK(text.size() < COMM_MAX_ROOT_INFO);
                pipe.write_text(text);
            } else {
                self.bootstrap().join(pipe.read_text());
            }
            self.up().barrier();
        });
    }
}

TEST(ranks_that_leave_behind_the_last_barrier_disturb_nobody) {
    const MeetAddress address;
    const TempFolder folder;
    for (int round = 0; round < 6; round++) {
        run_ranks(3, [&](int rank) {
            NetworkRank self(rank, 3, folder.file("root"));
            self.up().barrier();
        });
    }
}

TEST(ranks_that_exit_right_behind_the_last_barrier_disturb_nobody) {
    const MeetAddress address;
    const TempFolder folder;
    for (int round = 0; round < 6; round++) {
        run_ranks(3, [&](int rank) {
            NetworkRank self(rank, 3, folder.file("root"));
            self.up().barrier();
            // as _exit, which sanitizers would take for the end of the program
            syscall(SYS_exit_group, 0);
        });
    }
}

TEST(the_others_go_on_while_rank_0_leaves) {
    const MeetAddress address;
    const TempFolder folder;
    const SharedNumbers leaving;
    run_ranks(3, [&](int rank) {
        NetworkRank self(rank, 3, folder.file("root"));
        self.up();
        if (rank == 0) {
            leaving[0].store(1);
            return;
        }
        await("rank 0 to leave", [&] { return leaving[0].load() != 0; });
        for (uint64_t round = 0; round < 50; round++) check_gather(self, rank, {1, 2}, round);
    });
}

TEST(nothing_is_left_after_many_meetings) {
    const MeetAddress address;
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const auto once = [&] { NetworkRank(rank, 2, folder.file("root")).up().barrier(); };
        once();
        const int before = open_descriptors();
        for (int i = 0; i < 10; i++) once();
        CHECK_EQUAL(open_descriptors(), before);
    });
    CHECK_EQUAL(folder.entries(), 0);
}
