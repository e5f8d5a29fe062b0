#ifndef RANKUNIT_BACKENDS_MPI_SHARED_WINDOWS_H
#define RANKUNIT_BACKENDS_MPI_SHARED_WINDOWS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/mpi/mpi_call.h"

namespace rankunit::mpi {

// Memory that the ranks of one machine share, filled with zeros: a window for each, and a header. All of them are
// inside the constructor and the destructor.
class SharedWindows {
public:
    // `header_bytes` are whole pages.
    SharedWindows(MPI_Comm machine, size_t header_bytes, size_t window_bytes);
    SharedWindows(const SharedWindows &) = delete;
    SharedWindows &operator=(const SharedWindows &) = delete;
    ~SharedWindows();

    // How much all windows of `ranks` ranks take.
    static uint64_t bytes(int ranks, size_t header_bytes, size_t window_bytes);

    void *header() const { return header_; }
    // `rank` is one of the communicator that the constructor was given.
    uint64_t window(int rank) const { return windows_[static_cast<size_t>(rank)]; }
    void sync() const { MPI_Win_sync(win_); }

private:
    MPI_Win win_ = MPI_WIN_NULL;
    void *header_ = nullptr;
    std::vector<uint64_t> windows_;
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_SHARED_WINDOWS_H
