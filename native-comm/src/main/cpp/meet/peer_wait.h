// Waiting for all ranks to do something, with every way in which that can end.
#ifndef RANKUNIT_MEET_PEER_WAIT_H
#define RANKUNIT_MEET_PEER_WAIT_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "meet/abort_record.h"
#include "meet/bootstrap_layout.h"
#include "meet/peer_watch.h"
#include "meet/wait.h"

namespace rankunit::meet {

// What is waited for, in the words of an error text.
struct WaitSubject {
    std::string what;                  // "in barrier #17"
    const char *done;                  // "arrived"
    std::function<bool(int)> is_done;  // whether a rank has done it
};

// For one thread at a time.
class PeerWait {
public:
    // `abort_mutex` is held by whoever records an abort in this rank's name.
    PeerWait(BootstrapHeader &header, int self, int nranks, const std::atomic<int64_t> &timeout_ms,
             std::mutex &abort_mutex)
        : header_(header),
          self_(self),
          nranks_(nranks),
          timeout_ms_(timeout_ms),
          abort_mutex_(abort_mutex),
          policy_(nranks),
          peers_(header, self, nranks) {}

    // Returns once `ready` is true. Otherwise aborts the communicator for all ranks and throws, naming what was
    // waited for and who is missing. `ready` must load with seq_cst and its changes be followed by wake_sleepers;
    // `subject` makes the WaitSubject, and is called only when the wait gets long.
    template <typename Ready, typename MakeSubject>
    void until(Ready ready, MakeSubject subject) {
        if (policy_.wait_awake([&] { return ready() || is_aborted(header_); }) && ready()) return;
        wait_asleep(ready, subject());
    }

    // The same where `ready` waits a little itself, or takes its time: between two looks at it, a peer that has died or
    // left and the deadline are looked for.
    void until_slowly(const std::function<bool()> &ready, const WaitSubject &subject) { wait_asleep(ready, subject); }

    // Throws if this peer has died, or left the communicator, while this rank wanted something of it: "to open its
    // windows". Waits a little for the end of one that is just dying.
    void require_present(int rank, const std::string &wanted);

    // Throws if a peer has died, which is the cause of whatever else has failed on this rank.
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
    PeerWatch peers_;
};

}  // namespace rankunit::meet

#endif  // RANKUNIT_MEET_PEER_WAIT_H
