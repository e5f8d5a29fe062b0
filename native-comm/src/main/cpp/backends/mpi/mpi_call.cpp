#include "backends/mpi/mpi_call.h"

#include <dlfcn.h>

#include <cstdlib>
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

void give_signals_back() {
    if (std::getenv("UCX_ERROR_SIGNALS") != nullptr) return;
    void *ucs = dlopen("libucs.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (ucs == nullptr) return;
    if (void *disable = dlsym(ucs, "ucs_debug_disable_signals")) reinterpret_cast<void (*)()>(disable)();
    dlclose(ucs);
}

namespace {

// After the constructors of UCX, which this library needs.
__attribute__((constructor)) void when_loaded() {
    give_signals_back();
}

}  // namespace

}  // namespace rankunit::mpi
