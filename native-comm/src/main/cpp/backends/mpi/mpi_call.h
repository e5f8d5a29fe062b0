// MPI, without its C++ bindings, and its errors as our own failures.
#ifndef RANKUNIT_BACKENDS_MPI_MPI_CALL_H
#define RANKUNIT_BACKENDS_MPI_MPI_CALL_H

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace rankunit::mpi {

// Throws a Failure that names `call` if `error` is one.
void require(int error, const char *call);

// MPICH sends by UCX, which when it is loaded makes SIGSEGV and others its own, to print stacks. A JVM lives on these
// signals: it would crash at some moment. So they are given back, unless the user has said which ones UCX shall have
// (UCX_ERROR_SIGNALS). Done when this library is loaded; to be called again once MPI has loaded all that it needs.
void give_signals_back();

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_MPI_CALL_H
