#include "backends/mpi/window_copies.h"

#include <sys/mman.h>

#include <cerrno>
#include <string>

#include "rankunit/comm.h"
#include "support/failure.h"
#include "support/unique_fd.h"

namespace rankunit::mpi {

WindowCopies::WindowCopies(size_t count, size_t bytes) : count_(count), bytes_(bytes) {
    const UniqueFd file(memfd_create("rankunit-copies", MFD_CLOEXEC));
    if (!file) throw Failure(COMM_SYSTEM, system_text("memfd_create"));
    if (ftruncate(file.get(), static_cast<off_t>(count * bytes)) != 0) {
        throw Failure(COMM_SYSTEM, system_text("ftruncate"));
    }
    writable_ = map(file.get(), PROT_READ | PROT_WRITE);
    try {
        readable_ = map(file.get(), PROT_READ);
    } catch (...) {
        munmap(writable_, count * bytes);
        throw;
    }
}

WindowCopies::~WindowCopies() {
    munmap(readable_, count_ * bytes_);
    munmap(writable_, count_ * bytes_);
}

void *WindowCopies::map(int fd, int protection) const {
    void *mapped = mmap(nullptr, count_ * bytes_, protection, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (mapped != MAP_FAILED) return mapped;
    throw Failure(errno == ENOMEM ? COMM_OUT_OF_MEMORY : COMM_SYSTEM,
                  system_text("mmap") + " (" + std::to_string(count_ * bytes_) + " bytes)");
}

}  // namespace rankunit::mpi
