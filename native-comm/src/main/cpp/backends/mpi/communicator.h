#ifndef RANKUNIT_BACKENDS_MPI_COMMUNICATOR_H
#define RANKUNIT_BACKENDS_MPI_COMMUNICATOR_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "backends/mpi/group.h"
#include "backends/mpi/meeting.h"
#include "backends/mpi/process.h"
#include "backends/mpi/reason.h"
#include "rankunit/kernel.h"

namespace rankunit::mpi {

// What is behind a CommHandle. The functions are those of comm.h.
class Communicator {
public:
    Communicator(int rank, int nranks, std::string path);
    Communicator(const Communicator &) = delete;
    Communicator &operator=(const Communicator &) = delete;
    ~Communicator();

    // MPI has joined the ranks already; the text only tells a rank that was handed another backend's.
    const char *root_info();
    void join(const char *root_info);

    uint64_t allocate_windows(size_t requested);
    uint64_t local_window_base();
    size_t window_bytes();
    void barrier();
    void abort(int failed_rank, const char *reason);
    void set_timeout(int64_t milliseconds);
    int aborted_by();
    std::string describe();

private:
    class OneCall;

    void require_rank(const char *what, int rank) const;
    void require_path() const;
    Group &require_group();

    Reason meet(Meeting &meeting, uint64_t *oldest);
    Reason gather(Meeting &meeting, uint64_t *oldest);
    Reason find_room(uint64_t window_bytes) const;
    Reason wait_for_all(const char *what, bool may_abort, Meeting &meeting,
                        const std::function<bool(int)> &has_answered);
    std::optional<Reason> early_abort();
    [[noreturn]] void fail(Group &group, int code, const Reason &for_peers);
    void fill_context(const Group &group);

    const int rank_;
    const int nranks_;
    const std::string path_;
    std::atomic<int64_t> timeout_ms_{120'000};
    std::atomic<bool> busy_{false};
    bool asked_ = false;
    CommContext context_{};

    std::mutex abort_mutex_;  // guards group_, early_abort_ and this rank's part of an abort
    Group *group_ = nullptr;
    std::optional<Reason> early_abort_;
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_COMMUNICATOR_H
