#include "backends/ascend/memory/virtual_memory.h"

#include "backends/ascend/device_use.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::ascend {

Mapping::~Mapping() {
    const AclApi &api = acl();
    if (mapped_) api.aclrtUnmapMem(address_);
    if (address_ != nullptr) api.aclrtReleaseMemAddress(address_);
    api.aclrtFreePhysical(handle_);
}

void Mapping::map(uint64_t page_kind, const Check &check) {
    const AclApi &api = acl();
    check(api.aclrtReserveMemAddress(&address_, bytes_, 0, nullptr, page_kind), "aclrtReserveMemAddress");
    check(api.aclrtMapMem(address_, bytes_, 0, handle_, 0), "aclrtMapMem");
    mapped_ = true;
    allow_access(check);
}

// CANN 8.1 has no access rights; later a mapping is of no use without them. The id is the driver's here, and the
// logical one where physical memory is allocated: under ASCEND_RT_VISIBLE_DEVICES the other one is refused.
void Mapping::allow_access(const Check &check) {
    if (acl().aclrtMemSetAccess == nullptr) return;
    aclrtMemAccessDesc access{};
    access.flags = ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
    access.location = {static_cast<uint32_t>(driver_id(device_)), ACL_MEM_LOCATION_TYPE_DEVICE};
    check(acl().aclrtMemSetAccess(address_, bytes_, &access, 1), "aclrtMemSetAccess");
}

bool VirtualSharing::has_functions() const {
    const AclApi &api = acl();
    return api.aclrtReserveMemAddress != nullptr && api.aclrtReleaseMemAddress != nullptr &&
           api.aclrtMallocPhysical != nullptr && api.aclrtFreePhysical != nullptr && api.aclrtMapMem != nullptr &&
           api.aclrtUnmapMem != nullptr && api.aclrtMemGetAllocationGranularity != nullptr;
}

Check VirtualSharing::checker() const {
    return [this](int code, const std::string &call) { check(code, call); };
}

void VirtualSharing::create(size_t bytes) {
    if (!has_functions()) throw Refusal(kNoFunctions);
    const AclApi &api = acl();
    aclrtPhysicalMemProp properties{};
    properties.handleType = ACL_MEM_HANDLE_TYPE_NONE;
    properties.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    properties.memAttr = attribute_;
    properties.location = {static_cast<uint32_t>(device_), ACL_MEM_LOCATION_TYPE_DEVICE};
    size_t granularity = 0;
    check(api.aclrtMemGetAllocationGranularity(&properties, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity),
          "aclrtMemGetAllocationGranularity");
    if (granularity == 0 || bytes > SIZE_MAX - granularity) {
        throw Failure(COMM_OUT_OF_MEMORY, "a window of " + std::to_string(bytes) + " bytes cannot be allocated");
    }
    const size_t whole = (bytes + granularity - 1) / granularity * granularity;
    aclrtDrvMemHandle handle = nullptr;
    check(api.aclrtMallocPhysical(&handle, whole, &properties, 0),
          "aclrtMallocPhysical of " + std::to_string(whole) + " bytes");
    own_ = std::make_unique<Mapping>(device_, handle, whole);
    own_->map(page_kind_, checker());
    zero(own_->address(), whole);
}

void *VirtualSharing::map_view(aclrtDrvMemHandle handle, size_t bytes) {
    views_.push_back(std::make_unique<Mapping>(device_, handle, bytes));
    views_.back()->map(page_kind_, checker());
    return views_.back()->address();
}

}  // namespace rankunit::ascend
