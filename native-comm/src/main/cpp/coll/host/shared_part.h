// A plan's own memory where the host reaches it: a header, the notifies that other ranks set, and the buffers.
#ifndef RANKUNIT_COLL_HOST_SHARED_PART_H
#define RANKUNIT_COLL_HOST_SHARED_PART_H

#include <atomic>

#include "coll/plan_memory.h"

namespace rankunit::coll {

// 0, or the stamp of the run of the rank that has set it. One cache line each.
using Notify = std::atomic<uint32_t>;

// What a rank was given in the run that it has begun last, for messages.
struct PartHeader {
    std::atomic<uint64_t> input;
    std::atomic<uint64_t> output;
};

class SharedPart {
public:
    explicit SharedPart(const Prepared &prepared);

    // The same on all ranks, and only for this part.
    uint64_t token() const { return memory_.token(); }

    PartHeader &header(int rank) const { return *reinterpret_cast<PartHeader *>(memory_.head(rank)); }
    // Between two ranks in one direction.
    uint64_t link_notifies() const { return link_notifies_; }
    // The notify of `rank` that `peer` sets.
    Notify &notify(int rank, int peer, uint32_t number) const;
    // The address of one of the buffers CCL_IN, CCL_OUT and SCRATCH.
    uint64_t buffer(int rank, CollBuffer buffer) const { return memory_.buffer(rank, buffer); }

private:
    const uint64_t link_notifies_;
    const PlanMemory memory_;
};

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_HOST_SHARED_PART_H
