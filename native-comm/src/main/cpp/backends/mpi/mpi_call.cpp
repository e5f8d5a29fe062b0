#include "backends/mpi/mpi_call.h"

#include <string>

#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::mpi {

void require(int error, const char *call) {
    if (error == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    int kind = MPI_ERR_OTHER;
    MPI_Error_string(error, text, &length);
    MPI_Error_class(error, &kind);
    throw Failure(kind == MPI_ERR_NO_MEM ? COMM_OUT_OF_MEMORY : COMM_SYSTEM, std::string(call) + ": " + text);
}

}  // namespace rankunit::mpi
