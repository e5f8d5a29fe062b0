#include "backends/mpi/machines.h"

namespace rankunit::mpi {

Machines::Machines(MPI_Comm world) {
    int ranks = 0;
    MPI_Comm_rank(world, &rank_);
    MPI_Comm_size(world, &ranks);
    require(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &this_one_), "MPI_Comm_split_type");
    MPI_Comm_set_errhandler(this_one_, MPI_ERRORS_RETURN);
    int first = rank_;
    require(MPI_Bcast(&first, 1, MPI_INT, 0, this_one_), "MPI_Bcast");
    first_.resize(static_cast<size_t>(ranks));
    require(MPI_Allgather(&first, 1, MPI_INT, first_.data(), 1, MPI_INT, world), "MPI_Allgather");
}

}  // namespace rankunit::mpi
