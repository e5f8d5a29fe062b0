#include "coll/shared_part.h"

#include "device/guarded_pages.h"
#include "meet/segment/bootstrap_layout.h"

namespace rankunit::coll {

using meet::kCacheLine;
using meet::kPageBytes;

static_assert(sizeof(PartHeader) <= kCacheLine);
static_assert(Notify::is_always_lock_free, "processes share these words, so a lock inside them would be useless");

SharedPart::SharedPart(comm::Communicator &communicator, const Extent &extent, const std::string &call)
    : communicator_(communicator), link_notifies_(extent.link_notifies) {
    const auto nranks = static_cast<uint64_t>(communicator.bootstrap().nranks());
    uint64_t end = kCacheLine * (1 + nranks * link_notifies_);
    for (const CollBuffer buffer : {COLL_CCL_IN, COLL_CCL_OUT, COLL_SCRATCH}) {
        offsets_[buffer] = end = device::round_up(end, kPageBytes);
        end += extent.bytes[buffer];
    }
    windows_ = communicator.allocate_shared(end, "for all ranks to map the memory of " + call);
    number_ = communicator.shared();
}

uint64_t SharedPart::token() const {
    return communicator_.bootstrap().token() + number_ * 0x9e37'79b9'7f4a'7c15;
}

Notify &SharedPart::notify(int rank, int peer, uint32_t number) const {
    const uint64_t place = 1 + static_cast<uint64_t>(peer) * link_notifies_ + number;
    return *reinterpret_cast<Notify *>(base(rank) + kCacheLine * place);
}

}  // namespace rankunit::coll
