// What the tests of the backend over MPI have in common. Every rank that mpirun starts runs all tests of a program, the
// same test at the same time. Like any program that uses a backend, they know nothing of MPI but where mpirun says
// which rank this is.
#ifndef RANKUNIT_TEST_MPI_MPI_RANKS_H
#define RANKUNIT_TEST_MPI_MPI_RANKS_H

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "harness/check.h"
#include "harness/ranks.h"
#include "rankunit/comm.h"
#include "rankunit/kernel.h"

namespace rankunit::test {

inline const std::string kPath = "/tmp/rankunit-mpi-test";

inline int number_from(const char *open_mpi, const char *mpich) {
    const char *value = std::getenv(open_mpi);
    if (value == nullptr) value = std::getenv(mpich);
    if (value == nullptr) throw CheckFailed(std::string(open_mpi) + " is not set: run this by mpirun");
    return std::atoi(value);
}

inline int rank() {
    static const int number = number_from("OMPI_COMM_WORLD_RANK", "PMI_RANK");
    return number;
}

inline int nranks() {
    static const int number = number_from("OMPI_COMM_WORLD_SIZE", "PMI_SIZE");
    return number;
}

inline int last() {
    return nranks() - 1;
}

// A communicator that is not up.
class Handle {
public:
    Handle() : handle_(comm_init(rank(), nranks(), nullptr, kPath.c_str())) {
        if (handle_ == nullptr) throw CheckFailed(comm_last_error());
        CHECK_EQUAL(comm_set_timeout(handle_, 20'000), COMM_OK);
    }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    ~Handle() { comm_destroy(handle_); }
    operator CommHandle() const { return handle_; }

private:
    CommHandle handle_;
};

inline int bring_up(CommHandle comm, size_t bytes = 4096) {
    uint64_t context = 0;
    return comm_alloc_windows(comm, bytes, &context);
}

// A number that starts as 0 and that all ranks of this mpirun see at once, whichever machines MPI takes them to be on:
// it lies in a file. It must be made before a bring-up, so that all have opened the file when the first one removes it.
class Counter {
public:
    Counter() : path_("/tmp/rankunit-mpi-counter-" + run()) {
        const int fd = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (fd < 0 || ftruncate(fd, kBytes) != 0) throw CheckFailed(path_);
        void *mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
        if (mapped == MAP_FAILED) throw CheckFailed(path_);
        count_ = static_cast<std::atomic<int> *>(mapped);
    }
    Counter(const Counter &) = delete;
    Counter &operator=(const Counter &) = delete;
    ~Counter() {
        munmap(count_, kBytes);
        unlink(path_.c_str());
    }
    std::atomic<int> &operator*() const { return *count_; }

private:
    static constexpr size_t kBytes = 4096;

    // The processes of MPICH have the same parent; those of Open MPI only if it takes all to be on one machine.
    static std::string run() {
        const char *job = std::getenv("OMPI_MCA_ess_base_jobid");
        return job == nullptr ? std::to_string(getppid()) : job;
    }

    const std::string path_;
    std::atomic<int> *count_;
};

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_MPI_MPI_RANKS_H
