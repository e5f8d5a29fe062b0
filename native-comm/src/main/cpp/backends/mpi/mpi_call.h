// MPI, without its C++ bindings, and its errors as failures of ours.
#ifndef RANKUNIT_BACKENDS_MPI_MPI_CALL_H
#define RANKUNIT_BACKENDS_MPI_MPI_CALL_H

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace rankunit::mpi {

// Throws a Failure that names `call` if `error` is one.
void require(int error, const char *call);

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_MPI_CALL_H
