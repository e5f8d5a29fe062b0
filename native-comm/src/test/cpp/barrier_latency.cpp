// Prints the barrier's latency for 2, 4 and 8 ranks: the time of a long run of barriers, by their number.
#include <chrono>
#include <cstdio>

#include "harness/ranks.h"

using namespace rankunit::test;

TEST(latency) {
    for (const int nranks : {2, 4, 8}) {
        const TempFolder folder;
        run_ranks(nranks, [&](int rank) {
            Comm comm(rank, nranks, folder.file("root"));
            const int rounds = 200'000 / nranks;
            for (int i = 0; i < 1000; i++) comm.barrier();
            const auto start = std::chrono::steady_clock::now();
            for (int i = 0; i < rounds; i++) comm.barrier();
            const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
            if (rank == 0) std::printf("%d ranks: %.2f us\n", nranks, time.count() / rounds);
            comm.barrier();
        });
    }
}
