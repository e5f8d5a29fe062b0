// The memory of a plan that does not belong to the caller, one part on each rank, which all ranks map: its own scratch
// buffer, in front of that whatever else those who run the plan need, and the CCL buffers of the communicator.
#ifndef RANKUNIT_COLL_PLAN_MEMORY_H
#define RANKUNIT_COLL_PLAN_MEMORY_H

#include <cstdint>
#include <memory>

#include "coll/ccl_buffers.h"
#include "coll/runner.h"

namespace rankunit::coll {

class PlanMemory {
public:
    // All ranks call this alike. `head_bytes` are in front of the scratch buffer.
    PlanMemory(const Prepared &prepared, uint64_t head_bytes);
    PlanMemory(const PlanMemory &) = delete;
    PlanMemory &operator=(const PlanMemory &) = delete;
    ~PlanMemory();

    // The same on all ranks, and only for this plan.
    uint64_t number() const { return number_; }
    uint64_t token() const;

    // Addresses; 0 if the plan needs no such memory.
    uint64_t head(int rank) const { return base(rank); }
    uint64_t buffer(int rank, CollBuffer buffer) const {
        if (buffer == COLL_SCRATCH) return base(rank) + scratch_;
        return ccl_buffers_ == nullptr ? 0 : ccl_buffers_->address(rank, buffer);
    }

private:
    uint64_t base(int rank) const { return windows_ == nullptr ? 0 : windows_->addresses()[static_cast<size_t>(rank)]; }

    comm::Communicator &communicator_;
    const CclBuffers *ccl_buffers_ = nullptr;
    uint64_t scratch_;
    std::unique_ptr<comm::Windows> windows_;
    uint64_t number_ = 0;
};

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_PLAN_MEMORY_H
