// Windows by fabric handles: CANN 9 on machines whose devices have a fabric between them (A3).
#include <cstring>

#include "backends/ascend/memory/virtual_memory.h"
#include "backends/ascend/vendor/vendor_library.h"

namespace rankunit::ascend {
namespace {

class FabricSharing : public VirtualSharing {
public:
    explicit FabricSharing(int device) : VirtualSharing(device, ACL_HBM_MEM_HUGE, ACL_RT_RESERVE_HUGE_PAGE) {}

    const char *key() const override { return "fabric"; }
    const char *name() const override { return "fabric handles"; }

    // Among the machines of one fabric; an import elsewhere is refused, or fails.
    bool spans_machines() const override { return true; }

    // A fabric handle is not known to take a list of processes, so none is asked for; the handle itself is said to the
    // ranks alone.
    void offer(Offer *offer) override {
        aclrtMemFabricHandle handle{};
        check(acl().aclrtMemExportToShareableHandleV2(own_handle(), ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
                                                      ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, &handle),
              "aclrtMemExportToShareableHandleV2");
        static_assert(sizeof(handle) <= sizeof(offer->handle));
        std::memcpy(offer->handle, &handle, sizeof(handle));
    }

    bool wants_peer_access() const override { return false; }

    void *view(const Offer &offer) override {
        aclrtMemFabricHandle handle{};
        std::memcpy(&handle, offer.handle, sizeof(handle));
        aclrtDrvMemHandle imported = nullptr;
        check(acl().aclrtMemImportFromShareableHandleV2(&handle, ACL_MEM_SHARE_HANDLE_TYPE_FABRIC, 0, &imported),
              "aclrtMemImportFromShareableHandleV2");
        return map_view(imported, offer.bytes);
    }

protected:
    bool has_functions() const override {
        return VirtualSharing::has_functions() && acl().aclrtMemExportToShareableHandleV2 != nullptr &&
               acl().aclrtMemImportFromShareableHandleV2 != nullptr;
    }
};

}  // namespace

std::unique_ptr<Sharing> share_by_fabric_handle(int device) {
    return std::make_unique<FabricSharing>(device);
}

}  // namespace rankunit::ascend
