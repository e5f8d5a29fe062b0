// Waiting for all ranks to do something, including every way in which the wait can end.
#ifndef RANKUNIT_BOOTSTRAP_SEGMENT_PEER_WAIT_H
#define RANKUNIT_BOOTSTRAP_SEGMENT_PEER_WAIT_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "bootstrap/segment/abort_record.h"
#include "bootstrap/segment/bootstrap_layout.h"
#include "bootstrap/segment/peer_watch.h"
#include "bootstrap/segment/replication.h"
#include "bootstrap/segment/wait.h"

namespace rankunit::bootstrap {

// What a rank waits for, worded for an error text.
struct WaitSubject {
    std::string what;                  // "in barrier #17"
    const char *done;                  // "arrived"
    std::function<bool(int)> is_done;  // whether a rank has done it
};

// For one thread at a time.
class PeerWait {
public:
    // `abort_mutex` is held while a thread records an abort in this rank's name. `replication` is null where the ranks
    // share the segment.
    PeerWait(BootstrapHeader &header, int self, int nranks, const std::atomic<int64_t> &timeout_ms,
             std::mutex &abort_mutex, Replication *replication)
        : header_(header),
          self_(self),
          nranks_(nranks),
          timeout_ms_(timeout_ms),
          abort_mutex_(abort_mutex),
          policy_(self, nranks),
          replication_(replication),
          peers_(header, self, nranks, replication) {}

    // Returns once `ready` is true. If the wait fails, aborts the communicator for all ranks and throws an error that
    // names the wait and the missing ranks. `ready` must load with seq_cst, and every change of it must be followed by
    // wake_sleepers. `subject` makes the WaitSubject, and is called only if the wait gets long.
    template <typename Ready, typename MakeSubject>
    void until(Ready ready, MakeSubject subject) {
        if (policy_.wait_awake([&] { return ready() || is_aborted(header_); }) && ready()) return;
        wait_asleep(ready, subject());
    }

    // The same for a `ready` that itself waits a little or is slow: between two calls of it, checks the deadline and
    // whether a peer has died or left.
    void until_slowly(const std::function<bool()> &ready, const WaitSubject &subject) { wait_asleep(ready, subject); }

    // Throws if this peer has died or left the communicator while this rank needed something from it, such as "to open
    // its windows". Waits briefly for a process that is just ending.
    void require_present(int rank, const std::string &wanted);

    // Throws if a peer has died, since that is the cause of any other failure on this rank.
    void require_all_alive(const std::string &failure);

private:
    void wait_asleep(const std::function<bool()> &ready, const WaitSubject &subject);
    [[noreturn]] void fail(int code, const AbortReason &for_peers);
    [[noreturn]] void fail_by_death(int rank, const std::string &meanwhile);
    [[noreturn]] void fail_by_leaving(int rank, const std::string &meanwhile);
    std::string missing(const WaitSubject &subject, int *first) const;

    BootstrapHeader &header_;
    const int self_;
    const int nranks_;
    const std::atomic<int64_t> &timeout_ms_;
    std::mutex &abort_mutex_;
    WaitPolicy policy_;
    Replication *const replication_;
    PeerWatch peers_;
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_SEGMENT_PEER_WAIT_H
