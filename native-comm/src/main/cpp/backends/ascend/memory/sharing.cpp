#include "backends/ascend/memory/sharing.h"

#include <unistd.h>

#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"

namespace rankunit::ascend {
namespace {

constexpr int kApiNotSupported = 200001;
constexpr int kFeatureUnsupported = 200006;
constexpr int kFeatureNotSupported = 207000;

}  // namespace

void Sharing::check(int code, const std::string &call) const {
    if (code != ACL_SUCCESS && is_refusal(code)) throw Refusal(code);
    check_acl(code, call, device_);
}

bool Sharing::is_refusal(int code) const {
    return code == kFeatureNotSupported || code == kFeatureUnsupported || code == kApiNotSupported;
}

void Sharing::zero(void *address, size_t bytes) const {
    check_acl(acl().aclrtMemset(address, bytes, 0, bytes),
              "aclrtMemset of a window of " + std::to_string(bytes) + " bytes", device_);
}

int32_t process_of_driver(int device) {
    if (acl().aclrtDeviceGetBareTgid == nullptr) return getpid();
    int32_t process = 0;
    check_acl(acl().aclrtDeviceGetBareTgid(&process), "aclrtDeviceGetBareTgid", device);
    return process;
}

}  // namespace rankunit::ascend
