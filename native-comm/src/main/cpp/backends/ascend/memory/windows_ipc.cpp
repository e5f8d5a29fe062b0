// Windows by keys of ordinary device memory: CANN after 8.1, on machines without PCIe between the devices.
#include <cstring>
#include <string>

#include "backends/ascend/memory/sharing.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/comm.h"

namespace rankunit::ascend {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;  // an export is of whole pages
constexpr int kDriverInternal = 507899;

class KeySharing : public Sharing {
public:
    using Sharing::Sharing;

    const char *key() const override { return "key"; }
    const char *name() const override { return "memory keys"; }

    void create(size_t bytes) override {
        const AclApi &api = acl();
        if (api.aclrtIpcMemGetExportKey == nullptr || api.aclrtIpcMemSetImportPid == nullptr ||
            api.aclrtIpcMemImportByKey == nullptr || api.aclrtIpcMemClose == nullptr) {
            throw Refusal(kNoFunctions);
        }
        if (bytes > SIZE_MAX - kHugePage) {
            throw Failure(COMM_OUT_OF_MEMORY, "a window of " + std::to_string(bytes) + " bytes cannot be allocated");
        }
        bytes_ = (bytes + kHugePage - 1) / kHugePage * kHugePage;
        check(api.aclrtMalloc(&address_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST),
              "aclrtMalloc of " + std::to_string(bytes_) + " bytes");
        zero(address_, bytes_);
    }

    void *address() const override { return address_; }
    size_t bytes() const override { return bytes_; }

    void offer(Offer *offer) override {
        char key[ACL_RT_IPC_KEY_BYTES] = {};
        check(acl().aclrtIpcMemGetExportKey(address_, bytes_, key, sizeof(key), 0), "aclrtIpcMemGetExportKey");
        own_key_ = key;
        static_assert(sizeof(key) <= sizeof(offer->handle));
        std::memcpy(offer->handle, key, sizeof(key));
    }

    // The first release that had keys has no way without.
    bool wants_names() const override { return true; }

    void admit(std::vector<int32_t> processes) override {
        check_acl(acl().aclrtIpcMemSetImportPid(own_key_.c_str(), processes.data(), processes.size()),
                  "aclrtIpcMemSetImportPid", device_);
    }

    void *view(const Offer &offer) override {
        char key[sizeof(offer.handle) + 1] = {};
        std::memcpy(key, offer.handle, sizeof(offer.handle));
        void *address = nullptr;
        check(acl().aclrtIpcMemImportByKey(&address, key, ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS),
              "aclrtIpcMemImportByKey");
        views_.emplace_back(key);
        return address;
    }

    void close_views() noexcept override {
        for (const std::string &key : views_) acl().aclrtIpcMemClose(key.c_str());
        views_.clear();
    }

    void free_own() noexcept override {
        if (!own_key_.empty()) acl().aclrtIpcMemClose(own_key_.c_str());
        own_key_.clear();
        if (address_ != nullptr) acl().aclrtFree(address_);
        address_ = nullptr;
    }

protected:
    // Between devices on PCIe the driver says this of a key.
    bool is_refusal(int code) const override { return code == kDriverInternal || Sharing::is_refusal(code); }

private:
    void *address_ = nullptr;
    size_t bytes_ = 0;
    std::string own_key_;
    std::vector<std::string> views_;
};

}  // namespace

std::unique_ptr<Sharing> share_by_key(int device) {
    return std::make_unique<KeySharing>(device);
}

}  // namespace rankunit::ascend
