#ifndef RANKUNIT_BACKENDS_MPI_WINDOW_COPIES_H
#define RANKUNIT_BACKENDS_MPI_WINDOW_COPIES_H

#include <cstddef>
#include <cstdint>

namespace rankunit::mpi {

// Copies of the windows of other machines, filled with zeros. The memory is mapped twice: MPI writes to one of its
// places, and kernels read at the other, where a write ends the process with SIGSEGV. It would be lost otherwise.
class WindowCopies {
public:
    // `bytes` are whole pages.
    WindowCopies(size_t count, size_t bytes);
    WindowCopies(const WindowCopies &) = delete;
    WindowCopies &operator=(const WindowCopies &) = delete;
    ~WindowCopies();

    void *to_write(size_t copy) const { return static_cast<char *>(writable_) + copy * bytes_; }
    uint64_t to_read(size_t copy) const { return reinterpret_cast<uint64_t>(readable_) + copy * bytes_; }

private:
    void *map(int fd, int protection) const;

    const size_t count_;
    const size_t bytes_;
    void *writable_ = nullptr;
    void *readable_ = nullptr;
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_WINDOW_COPIES_H
