// A rank that ends without leaving is named to the others, and MPI ends in good order all the same.
#include "mpi/mpi_ranks.h"

using namespace rankunit::test;

TEST(a_rank_that_ends_is_named_to_those_who_wait_for_it) {
    CommHandle comm = comm_init(rank(), 2, nullptr, "/tmp/rankunit-mpi-exit-test");
    CHECK(comm != nullptr);
    uint64_t context = 0;
    CHECK_EQUAL(comm_alloc_windows(comm, 4096, &context), COMM_OK);
    CHECK_EQUAL(comm_barrier(comm), COMM_OK);
    if (rank() == 1) return;
    CHECK_EQUAL(comm_barrier(comm), COMM_PEER_DIED);
    CHECK_CONTAINS(comm_last_error(), "rank 1 (process ");
    CHECK_CONTAINS(comm_last_error(), ") has ended without leaving the communicator");
    CHECK_EQUAL(comm_aborted_by(comm), 1);
    CHECK_EQUAL(comm_destroy(comm), COMM_OK);
}
