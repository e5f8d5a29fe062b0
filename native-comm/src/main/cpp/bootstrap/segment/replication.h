// A segment that ranks on several machines have one copy of each, instead of sharing it.
#ifndef RANKUNIT_BOOTSTRAP_SEGMENT_REPLICATION_H
#define RANKUNIT_BOOTSTRAP_SEGMENT_REPLICATION_H

#include <cstdint>

namespace rankunit::bootstrap {

// Passes on what a rank writes. Nearly every word of the segment has one writer, who changes its own replica as it
// would change shared memory, and then calls one of these functions. They return without waiting for other ranks. In
// the replicas of the others, a thread makes the same change and wakes sleepers. All replicas see the changes of all
// other ranks in one order. Where ranks share the segment there is no such object. Thread-safe.
class Replication {
public:
    Replication() = default;
    Replication(const Replication &) = delete;
    Replication &operator=(const Replication &) = delete;
    virtual ~Replication() = default;

    virtual void changed_arrivals() = 0;
    // This rank's message is complete, or over.
    virtual void changed_message() = 0;
    // This rank has read the messages of these ranks, a bit for each.
    virtual void changed_taken(uint64_t owners) = 0;
    // This rank has recorded an abort.
    virtual void changed_abort() = 0;
    // This rank has left.
    virtual void changed_state() = 0;

    // Whether this rank's connection has ended before it left.
    virtual bool is_dead(int rank) const = 0;
    // Whether rank 0 has left, so that nothing comes from any rank any more.
    virtual bool is_cut_off() const = 0;

    // All ranks are there: admits no others.
    virtual void settle() {}
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_SEGMENT_REPLICATION_H
