#ifndef RANKUNIT_SIM_BARRIER_H
#define RANKUNIT_SIM_BARRIER_H

#include <cstdint>

#include "sim/peer_wait.h"
#include "sim/segment_layout.h"

namespace rankunit::sim {

// This rank's side of the barrier: a counter of arrivals, and the number of barriers completed, which the last
// rank to arrive moves on. Each rank's own number of arrivals serves to name the missing.
class Barrier {
public:
    Barrier(SegmentHeader &header, int self) : header_(header), slot_(header.slots[self]) {}

    void enter(PeerWait &wait);

private:
    bool completed() const;

    SegmentHeader &header_;
    RankSlot &slot_;
    uint32_t number_ = 0;  // of the barrier entered last, from 1
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_SIM_BARRIER_H
