// Prints how long collectives take, by schedules that read directly from all peers; not a test. Arguments: the number
// of ranks; COLL_SUM's CollType, 0 if it is left out.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "coll/coll_support.h"
#include "harness/ranks.h"

using namespace rankunit::test;
using std::chrono::steady_clock;

namespace {

double median_us(const Comm &comm, uint32_t plan, uint64_t input, uint64_t output, int runs) {
    std::vector<double> times;
    for (int i = 0; i < runs / 10 + 2; i++) run(comm, plan, input, output);
    comm_barrier(comm.handle());
    for (int i = 0; i < runs; i++) {
        const auto begin = steady_clock::now();
        run(comm, plan, input, output);
        times.push_back(std::chrono::duration<double, std::micro>(steady_clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

Tasks direct_all_gather(int rank, int nranks, uint64_t bytes) {
    Tasks tasks;
    const uint64_t part = bytes / static_cast<uint64_t>(nranks);
    for (int k = 1; k < nranks; k++) tasks.post((rank + k) % nranks, 0);
    tasks.move(COLL_COPY, kAlone, {COLL_INPUT, 0}, {COLL_OUTPUT, part * static_cast<uint64_t>(rank)}, part);
    for (int k = 1; k < nranks; k++) {
        const int peer = (rank + k) % nranks;
        tasks.wait(peer, 0);
        tasks.move(COLL_GET, peer, {COLL_INPUT, 0}, {COLL_OUTPUT, part * static_cast<uint64_t>(peer)}, part);
        tasks.post(peer, 1);
    }
    for (int k = 1; k < nranks; k++) tasks.wait((rank + k) % nranks, 1);
    return tasks;
}

void print_times(int nranks, CollType type) {
    const uint64_t element = type == COLL_FLOAT32 ? 4 : 2;
    const TempFolder folder;
    run_ranks(nranks, [&](int rank) {
        constexpr uint64_t kMost = uint64_t{64} << 20;
        Comm comm(rank, nranks, folder.file("root"), 2 * kMost);
        for (const uint64_t bytes :
             {uint64_t{1} << 10, uint64_t{64} << 10, uint64_t{1} << 20, uint64_t{16} << 20, kMost}) {
            const int runs = static_cast<int>(std::clamp<uint64_t>((uint64_t{1} << 28) / bytes, 8, 5'000));
            std::fill_n(comm.window<uint16_t>(rank), bytes / 2, uint16_t{0x3c00});
            const uint32_t reduces =
                created(comm, "all-reduce", {type}, direct_all_reduce(rank, nranks, bytes / element, element));
            const double reduced = median_us(comm, reduces, 0, kMost, runs);
            const uint32_t gathers = created(comm, "all-gather", {type}, direct_all_gather(rank, nranks, bytes));
            const double gathered = median_us(comm, gathers, 0, kMost, runs);
            if (rank == 0) {
                std::printf("%9lu bytes: all-reduce %10.2f us, all-gather %10.2f us\n", bytes, reduced, gathered);
                std::fflush(stdout);
            }
        }
        comm.barrier();
    });
}

}  // namespace

TEST(two_ranks) {
    print_times(2, COLL_FLOAT32);
}
TEST(four_ranks) {
    print_times(4, COLL_FLOAT32);
}
TEST(two_ranks_with_float16) {
    print_times(2, COLL_FLOAT16);
}
TEST(two_ranks_with_bfloat16) {
    print_times(2, COLL_BFLOAT16);
}
