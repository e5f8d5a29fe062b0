// Prints how long a barrier takes, started by mpirun: mpi_latency [BYTES OF A WINDOW] [BARRIERS].
#include <cstdio>

#include "mpi/mpi_ranks.h"

using namespace rankunit::test;

int main(int count, char **arguments) {
    const size_t bytes = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 4096;
    const int barriers = count > 2 ? std::atoi(arguments[2]) : 100'000;
    Comm comm(rank(), nranks(), kPath, bytes);
    for (int i = 0; i < barriers / 10; i++) comm.barrier();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < barriers; i++) comm.barrier();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    if (rank() == 0) {
        std::printf("%d ranks, windows of %zu bytes: %.2f us a barrier\n", nranks(), bytes, took.count() / barriers);
    }
}
