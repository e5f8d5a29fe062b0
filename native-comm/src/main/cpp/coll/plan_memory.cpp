#include "coll/plan_memory.h"

#include <algorithm>
#include <string>
#include <utility>

#include "bootstrap/segment/bootstrap_layout.h"
#include "device/guarded_pages.h"
#include "support/failure.h"

namespace rankunit::coll {

namespace {

// Throws COMM_INVALID_ARGUMENT, on all ranks alike, if the buffers do not hold it.
uint64_t most_of_ccl(const Prepared &prepared) {
    const uint64_t most = std::max(prepared.all.bytes[COLL_CCL_IN], prepared.all.bytes[COLL_CCL_OUT]);
    const uint64_t bytes = CclBuffers::bytes_of_each();
    if (most > bytes) {
        throw Failure(COMM_INVALID_ARGUMENT, prepared.call + ": its tasks use " + std::to_string(most) +
                                                 " bytes of a CCL buffer, which has " + std::to_string(bytes) +
                                                 ": set HCCL_BUFFSIZE to as many MiB as it takes, or divide the data "
                                                 "into chunks");
    }
    return most;
}

}  // namespace

PlanMemory::PlanMemory(const Prepared &prepared, uint64_t head_bytes) : communicator_(prepared.communicator) {
    if (most_of_ccl(prepared) > 0) ccl_buffers_ = &CclBuffers::of(communicator_);
    scratch_ = device::round_up(head_bytes, bootstrap::kPageBytes);
    const uint64_t end = scratch_ + prepared.all.bytes[COLL_SCRATCH];
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
