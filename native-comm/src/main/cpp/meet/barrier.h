#ifndef RANKUNIT_MEET_BARRIER_H
#define RANKUNIT_MEET_BARRIER_H

#include <cstdint>

#include "meet/segment/bootstrap_layout.h"
#include "meet/segment/peer_wait.h"

namespace rankunit::meet {

// This rank's side of the barrier. Each rank has its own word with the number of the barrier that it entered last, and
// a rank that sees the same number in all words completes that barrier. So no rank can arrive on behalf of another.
class Barrier {
public:
    Barrier(BootstrapHeader &header, int self, int nranks)
        : header_(header), slot_(header.slots[self]), nranks_(nranks) {}

    void enter(PeerWait &wait);

private:
    bool all_have_arrived() const;
    bool has_arrived(int rank) const;
    bool completed() const;

    BootstrapHeader &header_;
    RankSlot &slot_;
    const int nranks_;
    uint32_t number_ = 0;  // of the barrier entered last, from 1
};

}  // namespace rankunit::meet

#endif  // RANKUNIT_MEET_BARRIER_H
