// Ranks as real processes, and a communicator for each.
#ifndef RANKUNIT_TEST_HARNESS_RANKS_H
#define RANKUNIT_TEST_HARNESS_RANKS_H

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/check.h"
#include "rankunit/comm.h"
#include "rankunit/kernel.h"

namespace rankunit::test {

// A folder of its own, removed at the end; must be empty by then.
class TempFolder {
public:
    TempFolder();
    TempFolder(const TempFolder &) = delete;
    TempFolder &operator=(const TempFolder &) = delete;
    ~TempFolder();

    std::string file(const std::string &name) const { return path_ + "/" + name; }
    int entries() const;

private:
    std::string path_;
};

// Runs `body` in one forked process per rank and waits for all. A rank that throws fails the test.
void run_ranks(int nranks, const std::function<void(int rank)> &body);

// A forked process that runs `body` and ends; killed and reaped with this object.
class Process {
public:
    explicit Process(const std::function<void()> &body);
    Process(const Process &) = delete;
    Process &operator=(const Process &) = delete;
    ~Process();

    pid_t pid() const { return pid_; }
    void kill();
    // The status of waitpid.
    int wait();

private:
    pid_t pid_;
    bool reaped_ = false;
};

// A communicator that is up, with its context; destroyed at the end.
class Comm {
public:
    Comm(int rank, int nranks, const std::string &path, size_t window_bytes = 4096, int64_t timeout_ms = 30'000);
    Comm(const Comm &) = delete;
    Comm &operator=(const Comm &) = delete;
    ~Comm();

    CommHandle handle() const { return handle_; }
    const CommContext &context() const { return *context_; }
    template <typename T>
    T *window(int rank) const {
        return reinterpret_cast<T *>(context_->windowsIn[rank]);
    }
    void barrier();

private:
    CommHandle handle_;
    const CommContext *context_;
};

// Waits, looking again and again; fails after 20 s.
void await(const char *what, const std::function<bool()> &condition);

// Whether the thread sleeps in the kernel.
bool is_asleep(pid_t thread);

int open_descriptors();

int64_t elapsed_ms(std::chrono::steady_clock::time_point since);

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_HARNESS_RANKS_H
