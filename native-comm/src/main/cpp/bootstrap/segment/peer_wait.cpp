#include "bootstrap/segment/peer_wait.h"

#include <algorithm>

#include "support/deadline.h"
#include "support/failure.h"

namespace rankunit::bootstrap {
namespace {

// How long a death may go unnoticed, since it wakes no sleeper.
constexpr milliseconds kSlice{20};

// How long a process may take to end after it has lost its descriptors: its memory is freed first.
constexpr milliseconds kDying{2000};

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
            // Success, or an abort with a better reason, may have occurred just before the problem found here.
            if (ready()) return;
            throw_if_aborted(header_);
        }
        if (dead >= 0) fail_by_death(dead, "waited " + subject.what);
        if (left >= 0) fail_by_leaving(left, "waited " + subject.what);
        if (late) {
            int first = self_;
            const std::string absent = missing(subject, &first);
            const std::string text = name(self_) + " waited " + std::to_string(deadline.waited_ms()) + " ms " +
                                     subject.what + "; " + absent + " had not " + subject.done;
            // Only this rank's deadline has passed, so this rank reports a timeout and its peers an abort.
            fail(COMM_TIMEOUT, AbortReason{COMM_ABORTED, first, text});
        }
        sleeper.sleep(std::min<Clock::duration>(kSlice, deadline.left()));
    }
}

void PeerWait::require_present(int rank, const std::string &wanted) {
    throw_if_aborted(header_);
    const bool died = peers_.dies_within(rank, kDying);
    throw_if_aborted(header_);
    if (died) fail_by_death(rank, "wanted " + wanted);
    if (peers_.has_left(rank)) fail_by_leaving(rank, "wanted " + wanted);
}

void PeerWait::require_all_alive(const std::string &failure) {
    if (is_aborted(header_)) return;
    const int dead = peers_.find_dead();
    if (dead >= 0) fail_by_death(dead, "failed: " + failure);
}

void PeerWait::fail_by_death(int rank, const std::string &meanwhile) {
    const std::string pid = std::to_string(header_.slots[rank].pid.load(std::memory_order_relaxed));
    const std::string text = name(rank) + " (process " + pid + ") died while " + name(self_) + " " + meanwhile;
    fail(COMM_PEER_DIED, AbortReason{COMM_PEER_DIED, rank, text});
}

void PeerWait::fail_by_leaving(int rank, const std::string &meanwhile) {
    const std::string text = name(rank) + " has left the communicator while " + name(self_) + " " + meanwhile;
    fail(COMM_PEER_LEFT, AbortReason{COMM_PEER_LEFT, rank, text});
}

void PeerWait::fail(int code, const AbortReason &for_peers) {
    {
        // Another thread of this rank may be in the middle of an abort: the wait must not fail before that abort is
        // complete.
        const std::lock_guard<std::mutex> lock(abort_mutex_);
        record_abort(header_, self_, for_peers, replication_);
    }
    throw Failure(code, for_peers.text);
}

std::string PeerWait::missing(const WaitSubject &subject, int *first) const {
    std::string list;
    int count = 0;
    for (int rank = nranks_ - 1; rank >= 0; rank--) {
        if (subject.is_done(rank)) continue;
        list = std::to_string(rank) + (count == 0 ? "" : ", ") + list;
        *first = rank;
        count++;
    }
    return (count == 1 ? "rank " : "ranks ") + list;
}

}  // namespace rankunit::bootstrap
