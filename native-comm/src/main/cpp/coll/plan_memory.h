// A plan's own memory, one part on each rank, which all ranks map: the buffers that do not belong to the caller, and in
// front of them whatever else those who run the plan need.
#ifndef RANKUNIT_COLL_PLAN_MEMORY_H
#define RANKUNIT_COLL_PLAN_MEMORY_H

#include <array>
#include <cstdint>
#include <memory>

#include "coll/runner.h"

namespace rankunit::coll {

class PlanMemory {
public:
    // All ranks call this alike. `head_bytes` are in front of the buffers.
    PlanMemory(const Prepared &prepared, uint64_t head_bytes);
    PlanMemory(const PlanMemory &) = delete;
    PlanMemory &operator=(const PlanMemory &) = delete;
    ~PlanMemory();

    // The same on all ranks, and only for this plan.
    uint64_t number() const { return number_; }
    uint64_t token() const;

    // Addresses; 0 if the plan needs no memory.
    uint64_t head(int rank) const { return base(rank); }
    uint64_t buffer(int rank, CollBuffer buffer) const { return base(rank) + offsets_[buffer]; }

private:
    uint64_t base(int rank) const { return windows_ == nullptr ? 0 : windows_->addresses()[static_cast<size_t>(rank)]; }

    comm::Communicator &communicator_;
    std::array<uint64_t, kBuffers> offsets_{};
    std::unique_ptr<comm::Windows> windows_;
    uint64_t number_ = 0;
};

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_PLAN_MEMORY_H
