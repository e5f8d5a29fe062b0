// Windows by shareable handles of physical memory.
#include <cstring>

#include "backends/ascend/memory/virtual_memory.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"

namespace rankunit::ascend {
namespace {

class HandleSharing : public VirtualSharing {
public:
    explicit HandleSharing(int device) : VirtualSharing(device, ACL_HBM_MEM_NORMAL, 0) {}

    const char *key() const override { return "handle"; }
    const char *name() const override { return "shareable handles"; }

    void offer(Offer *offer) override {
        // In 8.1 the flags are reserved; what has access rights is later, and has the flag.
        const uint64_t flags =
            wants_names() ? ACL_RT_VMM_EXPORT_FLAG_DEFAULT : ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
        check(acl().aclrtMemExportToShareableHandle(own_handle(), ACL_MEM_HANDLE_TYPE_NONE, flags, &shareable_),
              "aclrtMemExportToShareableHandle");
        std::memcpy(offer->handle, &shareable_, sizeof(shareable_));
    }

    bool wants_names() const override { return acl().aclrtMemSetAccess == nullptr; }

    void admit(std::vector<int32_t> processes) override {
        check_acl(acl().aclrtMemSetPidToShareableHandle(shareable_, processes.data(), processes.size()),
                  "aclrtMemSetPidToShareableHandle", device_);
    }

    void *view(const Offer &offer) override {
        uint64_t shareable = 0;
        std::memcpy(&shareable, offer.handle, sizeof(shareable));
        aclrtDrvMemHandle imported = nullptr;
        check(acl().aclrtMemImportFromShareableHandle(shareable, device_, &imported),
              "aclrtMemImportFromShareableHandle");
        return map_view(imported, offer.bytes);
    }

protected:
    bool has_functions() const override {
        const AclApi &api = acl();
        return VirtualSharing::has_functions() && api.aclrtMemExportToShareableHandle != nullptr &&
               api.aclrtMemImportFromShareableHandle != nullptr && api.aclrtMemSetPidToShareableHandle != nullptr;
    }

private:
    uint64_t shareable_ = 0;
};

}  // namespace

std::unique_ptr<Sharing> share_by_handle(int device) {
    return std::make_unique<HandleSharing>(device);
}

}  // namespace rankunit::ascend
