#include "backends/mpi/shared_windows.h"

#include <cstring>

#include "backends/mpi/reason.h"

namespace rankunit::mpi {

uint64_t SharedWindows::bytes(int ranks, size_t header_bytes, size_t window_bytes) {
    return header_bytes + static_cast<uint64_t>(ranks) * (window_bytes + kPageBytes);
}

SharedWindows::SharedWindows(MPI_Comm machine, size_t header_bytes, size_t window_bytes) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_size(machine, &ranks);
    // A page more, since nothing is said about how memory is aligned. It is the same in every process: what is
    // shared is mapped in pages.
    const size_t bytes = (rank == 0 ? header_bytes : 0) + window_bytes + kPageBytes;
    void *own_memory = nullptr;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");  // each rank's memory near to that rank
    const int error = MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, info, machine, &own_memory, &win_);
    MPI_Info_free(&info);
    require(error, "MPI_Win_allocate_shared");
    MPI_Win_set_errhandler(win_, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win_);
    for (int peer = 0; peer < ranks; peer++) {
        MPI_Aint size = 0;
        int unit = 0;
        void *memory = nullptr;
        MPI_Win_shared_query(win_, peer, &size, &unit, &memory);
        windows_.push_back(round_up_to_page(reinterpret_cast<uint64_t>(memory)));
    }
    header_ = reinterpret_cast<void *>(windows_[0]);
    windows_[0] += header_bytes;
    // MPI does not promise zeros.
    std::memset(own_memory, 0, bytes);
    sync();
    MPI_Barrier(machine);
    sync();
}

SharedWindows::~SharedWindows() {
    MPI_Win_unlock_all(win_);
    MPI_Win_free(&win_);
}

}  // namespace rankunit::mpi
