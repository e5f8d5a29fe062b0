// Prints the latency of barriers over the loopback interface for 2, 4 and 8 ranks; not a test.
#include <cstdio>

#include "bootstrap/network_ranks.h"

using namespace rankunit::test;

TEST(latency) {
    const MeetAddress address;
    for (const int nranks : {2, 4, 8}) {
        const TempFolder folder;
        run_ranks(nranks, [&](int rank) {
            NetworkRank self(rank, nranks, folder.file("root"));
            self.up();
            const int rounds = 20'000 / nranks;
            for (int i = 0; i < 100; i++) self.barrier();
            const int64_t start = now_us();
            for (int i = 0; i < rounds; i++) self.barrier();
            const auto time = static_cast<double>(now_us() - start);
            if (rank == 0) std::printf("%d ranks: %.1f us\n", nranks, time / rounds);
            self.barrier();
        });
    }
}
