#ifndef RANKUNIT_HOST_BARRIER_H
#define RANKUNIT_HOST_BARRIER_H

#include <cstdint>

#include "host/board_layout.h"
#include "host/peer_wait.h"

namespace rankunit::host {

// This rank's side of the barrier: a counter of arrivals, and the number of barriers completed, which the last
// rank to arrive moves on. Each rank's own number of arrivals serves to name the missing.
class Barrier {
public:
    Barrier(BoardHeader &header, int self) : header_(header), slot_(header.slots[self]) {}

    void enter(PeerWait &wait);

private:
    bool completed() const;

    BoardHeader &header_;
    RankSlot &slot_;
    uint32_t number_ = 0;  // of the barrier entered last, from 1
};

}  // namespace rankunit::host

#endif  // RANKUNIT_HOST_BARRIER_H
