// Detects that the process of another rank has died.
#ifndef RANKUNIT_BOOTSTRAP_SEGMENT_PEER_WATCH_H
#define RANKUNIT_BOOTSTRAP_SEGMENT_PEER_WATCH_H

#include <array>
#include <chrono>
#include <functional>

#include "bootstrap/segment/bootstrap_layout.h"
#include "bootstrap/segment/replication.h"
#include "support/unique_fd.h"

namespace rankunit::bootstrap {

// Holds a process descriptor for every attached peer. On kernels without these (before Linux 5.3), deaths go unnoticed
// and only the deadline ends a wait. In a replicated segment it looks at connections instead. For one thread at a time.
class PeerWatch {
public:
    // `replication` is null where the ranks share the segment.
    PeerWatch(const BootstrapHeader &header, int self, int nranks, const Replication *replication)
        : header_(header), self_(self), nranks_(nranks), replication_(replication) {}

    // Returns a peer whose process has ended without leaving the communicator, or -1.
    int find_dead();

    // Returns whether the process of this peer ends within `at_most` without having left the communicator. A process
    // that is being killed loses its descriptors a moment before it counts as dead.
    bool dies_within(int rank, std::chrono::milliseconds at_most);

    // Returns a peer that has left the communicator without having done what this rank waits for, or -1. If rank 0 has
    // left a replicated segment and a peer has yet to do it, returns rank 0: this rank would never know.
    int find_left(const std::function<bool(int)> &has_done) const;

    bool has_left(int rank) const;

private:
    enum class Presence { kUnknown, kWatched, kDead };

    Presence watch(int rank);
    int find_lost() const;
    bool is_lost(int rank) const;

    const BootstrapHeader &header_;
    const int self_;
    const int nranks_;
    const Replication *const replication_;
    std::array<UniqueFd, kMaxRanks> processes_;
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_SEGMENT_PEER_WATCH_H
