#ifndef RANKUNIT_BOOTSTRAP_BARRIER_H
#define RANKUNIT_BOOTSTRAP_BARRIER_H

#include <cstdint>

#include "bootstrap/segment/bootstrap_layout.h"
#include "bootstrap/segment/peer_wait.h"
#include "bootstrap/segment/replication.h"

namespace rankunit::bootstrap {

// Completes the barrier with this number if all ranks have arrived there, and wakes them; returns whether they have.
// For who has just entered an arrival.
bool complete_barrier(BootstrapHeader &header, int nranks, uint32_t number);

// This rank's side of the barrier. Each rank has its own word with the number of the barrier that it entered last, and
// a rank that sees the same number in all words completes that barrier. So no rank can arrive on behalf of another.
class Barrier {
public:
    // `replication` is null where the ranks share the segment.
    Barrier(BootstrapHeader &header, int self, int nranks, Replication *replication)
        : header_(header), slot_(header.slots[self]), nranks_(nranks), replication_(replication) {}

    void enter(PeerWait &wait);

private:
    bool has_arrived(int rank) const;
    bool completed() const;

    BootstrapHeader &header_;
    RankSlot &slot_;
    const int nranks_;
    Replication *const replication_;
    uint32_t number_ = 0;  // of the barrier entered last, from 1
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_BARRIER_H
