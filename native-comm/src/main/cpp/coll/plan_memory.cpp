#include "coll/plan_memory.h"

#include <utility>

#include "device/guarded_pages.h"
#include "meet/segment/bootstrap_layout.h"

namespace rankunit::coll {

PlanMemory::PlanMemory(const Prepared &prepared, uint64_t head_bytes) : communicator_(prepared.communicator) {
    uint64_t end = head_bytes;
    for (const CollBuffer buffer : {COLL_CCL_IN, COLL_CCL_OUT, COLL_SCRATCH}) {
        offsets_[buffer] = end = device::round_up(end, meet::kPageBytes);
        end += prepared.all.bytes[buffer];
    }
    windows_ = communicator_.allocate_shared(end, "for all ranks to map the memory of " + prepared.call);
    number_ = communicator_.shared();
}

PlanMemory::~PlanMemory() {
    if (windows_ != nullptr) communicator_.give_up_shared(number_, std::move(windows_));
}

uint64_t PlanMemory::token() const {
    return communicator_.bootstrap().token() + number_ * 0x9e37'79b9'7f4a'7c15;
}

}  // namespace rankunit::coll
