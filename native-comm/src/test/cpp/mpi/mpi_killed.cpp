// Not a test by itself: rank 1 is killed while rank 0 waits for it, or with an argument exits with that code while rank
// 0 is busy. The test is whether mpirun then ends rank 0: mpirun itself ends only when no rank has its output open.
#include <signal.h>

#include <cstdio>

#include "mpi/mpi_ranks.h"

using namespace rankunit::test;

int main(int count, char **arguments) {
    CommHandle comm = comm_init(rank(), 2, nullptr, "/tmp/rankunit-mpi-killed");
    uint64_t context = 0;
    if (comm == nullptr || comm_alloc_windows(comm, 4096, &context) != COMM_OK) {
        std::printf("%s\n", comm_last_error());
        return 1;
    }
    if (count > 1) {
        if (rank() == 1) {
            std::printf("rank 1 exits\n");
            std::exit(std::atoi(arguments[1]));
        }
        sleep(20);
    } else {
        if (rank() == 1) {
            std::printf("rank 1 is killed\n");
            std::fflush(stdout);
            raise(SIGKILL);
        }
        comm_barrier(comm);
    }
    std::printf("not ended by mpirun: %s\n", comm_last_error());
    return 1;
}
