#include "host/peer_wait.h"

#include <algorithm>

#include "support/deadline.h"
#include "support/failure.h"

namespace rankunit::host {
namespace {

// How long a death may go unnoticed: nobody wakes us for it.
constexpr milliseconds kSlice{20};

std::string name(int rank) {
    return "rank " + std::to_string(rank);
}

}  // namespace

void PeerWait::wait_asleep(const std::function<bool()> &ready, const WaitSubject &subject) {
    const Deadline deadline{milliseconds(timeout_ms_.load(std::memory_order_relaxed))};
    for (;;) {
        Sleeper sleeper(header_);
        if (ready()) return;
        throw_if_aborted(header_);
        const int dead = peers_.find_dead();
        const int left = dead >= 0 ? -1 : peers_.find_left(subject.is_done);
        const bool late = deadline.passed();
        if (dead >= 0 || left >= 0 || late) {
            // What we wait for, or an abort that says more, may have come just before what we have noticed.
            if (ready()) return;
            throw_if_aborted(header_);
        }
        if (dead >= 0) {
            const std::string pid = std::to_string(header_.slots[dead].pid.load(std::memory_order_relaxed));
            const std::string text =
                name(dead) + " (process " + pid + ") died while " + name(self_) + " waited " + subject.what;
            fail(COMM_PEER_DIED, AbortReason{COMM_PEER_DIED, dead, text});
        }
        if (left >= 0) {
            const std::string text =
                name(left) + " has left the communicator while " + name(self_) + " waited " + subject.what;
            fail(COMM_PEER_LEFT, AbortReason{COMM_PEER_LEFT, left, text});
        }
        if (late) {
            int first = self_;
            const std::string absent = missing(subject, &first);
            const std::string text = name(self_) + " waited " + std::to_string(deadline.waited_ms()) + " ms " +
                                     subject.what + "; " + absent + " had not " + subject.done;
            // It is this rank's deadline that has passed; for its peers it is a reason to stop.
            fail(COMM_TIMEOUT, AbortReason{COMM_ABORTED, first, text});
        }
        sleeper.sleep(std::min<Clock::duration>(kSlice, deadline.left()));
    }
}

void PeerWait::fail(int code, const AbortReason &for_peers) {
    {
        // Another thread of this rank may be half-way through an abort: a wait fails only once that is in force.
        const std::lock_guard<std::mutex> lock(abort_mutex_);
        record_abort(header_, self_, for_peers);
    }
    throw Failure(code, for_peers.text);
}

std::string PeerWait::missing(const WaitSubject &subject, int *first) const {
    std::string list;
    int count = 0;
    for (int rank = static_cast<int>(header_.nranks) - 1; rank >= 0; rank--) {
        if (subject.is_done(rank)) continue;
        list = std::to_string(rank) + (count == 0 ? "" : ", ") + list;
        *first = rank;
        count++;
    }
    return (count == 1 ? "rank " : "ranks ") + list;
}

}  // namespace rankunit::host
