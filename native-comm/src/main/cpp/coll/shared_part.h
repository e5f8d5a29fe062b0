// A plan's own memory, one part on each rank, which all ranks map: a header, the notifies that other ranks set, and the
// buffers that do not belong to the caller.
#ifndef RANKUNIT_COLL_SHARED_PART_H
#define RANKUNIT_COLL_SHARED_PART_H

#include <atomic>
#include <memory>
#include <string>

#include "coll/task.h"
#include "comm/communicator.h"

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
    // All ranks call this with the same extent. `call` is for errors.
    SharedPart(comm::Communicator &communicator, const Extent &extent, const std::string &call);
    SharedPart(const SharedPart &) = delete;
    SharedPart &operator=(const SharedPart &) = delete;
    ~SharedPart() { communicator_.shared_is_freed(number_); }

    // The same on all ranks, and only for this part.
    uint64_t token() const;

    PartHeader &header(int rank) const { return *reinterpret_cast<PartHeader *>(base(rank)); }
    // Between two ranks in one direction.
    uint64_t link_notifies() const { return link_notifies_; }
    // The notify of `rank` that `peer` sets.
    Notify &notify(int rank, int peer, uint32_t number) const;
    // The address of one of the buffers CCL_IN, CCL_OUT and SCRATCH.
    uint64_t buffer(int rank, CollBuffer buffer) const { return base(rank) + offsets_[buffer]; }

private:
    uint64_t base(int rank) const { return windows_->addresses()[static_cast<size_t>(rank)]; }

    comm::Communicator &communicator_;
    uint64_t number_ = 0;
    uint64_t link_notifies_;
    std::array<uint64_t, kBuffers> offsets_{};
    std::unique_ptr<comm::Windows> windows_;
};

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_SHARED_PART_H
