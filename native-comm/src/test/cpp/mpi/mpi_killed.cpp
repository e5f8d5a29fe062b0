// Not a test by itself: rank 1 is killed while rank 0 waits for it. That mpirun ends all ranks then is what is tested.
#include <signal.h>

#include <cstdio>
#include <cstdlib>

#include "rankunit/comm.h"

int main() {
    const char *variable = std::getenv("OMPI_COMM_WORLD_RANK");
    if (variable == nullptr) variable = std::getenv("PMI_RANK");
    const int rank = variable == nullptr ? 0 : std::atoi(variable);
    CommHandle comm = comm_init(rank, 2, nullptr, "/tmp/rankunit-mpi-killed");
    uint64_t context = 0;
    if (comm == nullptr || comm_alloc_windows(comm, 4096, &context) != COMM_OK) {
        std::printf("%s\n", comm_last_error());
        return 1;
    }
    if (rank == 1) raise(SIGKILL);
    comm_barrier(comm);
    std::printf("not ended by mpirun: %s\n", comm_last_error());
    return 1;
}
