// Notices that the process of another rank has died.
#ifndef RANKUNIT_SIM_PEER_WATCH_H
#define RANKUNIT_SIM_PEER_WATCH_H

#include <array>

#include "sim/segment_layout.h"
#include "support/unique_fd.h"

namespace rankunit::sim {

// A process descriptor for every peer that has attached. Where the kernel has none (before Linux 5.3), deaths go
// unnoticed and the deadline alone ends a wait. For one thread at a time.
class PeerWatch {
public:
    PeerWatch(const SegmentHeader &header, int self) : header_(header), self_(self) {}

    // A peer whose process has ended although it has not left the communicator, or -1.
    int find_dead();

    // A peer that has left the communicator, or -1.
    int find_left() const;

private:
    enum class Presence { kUnknown, kWatched, kDead };

    bool has_left(int rank) const;
    Presence watch(int rank);

    const SegmentHeader &header_;
    const int self_;
    std::array<UniqueFd, kMaxRanks> processes_;
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_SIM_PEER_WATCH_H
