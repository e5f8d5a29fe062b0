// The backend over MPI, with all ranks on one machine: they share their windows.
#include "mpi/mpi_ranks.h"

using namespace rankunit::test;

TEST(ranks_write_to_every_window) {
    Comm comm(rank(), nranks(), kPath, 8192);
    for (int pe = 0; pe < nranks(); pe++) comm.window<char>(pe)[100 + rank()] = 'x';
    comm.barrier();
    for (int pe = 0; pe < nranks(); pe++) CHECK_EQUAL(comm.window<char>(rank())[100 + pe], 'x');
}

TEST(a_write_is_seen_without_a_barrier) {
    Comm comm(rank(), nranks(), kPath);
    auto *count = comm.window<std::atomic<int>>(0);
    count->fetch_add(1);
    await("all ranks to count", [&] { return count->load() == nranks(); });
    comm.barrier();
}
