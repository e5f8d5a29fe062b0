#include "backends/ascend/stream/ascend_notify.h"

#include <cstring>

#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/device.h"
#include "rankunit/stream.h"

namespace rankunit::ascend {
namespace {

// Tells our own key from another text; what follows is the vendor's.
constexpr char kPrefix[] = "rankunit-ascend-notify-1 ";
static_assert(sizeof(kPrefix) + ACL_RT_NOTIFY_KEY_BYTES <= STREAM_NOTIFY_KEY_BYTES);

void require_functions(bool found, const char *what) {
    if (found) return;
    throw Failure(DEVICE_NOT_SUPPORTED, "this CANN (" + acl_version() + ") has no " + what + "; CANN 8.5 has them");
}

void require_notifies() {
    require_functions(AscendNotify::can_be_created(), "notifies");
}

void require_keys() {
    require_functions(AscendNotify::can_be_shared(), "keys of notifies");
}

// For the vendor 0 is forever.
uint32_t seconds_of(milliseconds timeout) {
    return static_cast<uint32_t>((timeout.count() + 999) / 1000);
}

}  // namespace

bool AscendNotify::can_be_created() {
    const AclApi &api = acl();
    return api.aclrtCreateNotify != nullptr && api.aclrtDestroyNotify != nullptr && api.aclrtRecordNotify != nullptr &&
           api.aclrtWaitAndResetNotify != nullptr;
}

bool AscendNotify::can_be_shared() {
    return acl().aclrtNotifyGetExportKey != nullptr && acl().aclrtNotifyImportByKey != nullptr;
}

std::shared_ptr<AscendNotify> AscendNotify::create(uint32_t number, int device) {
    require_notifies();
    std::shared_ptr<AscendNotify> made(new AscendNotify(number, device, true));
    check_acl(acl().aclrtCreateNotify(&made->vendors_, ACL_NOTIFY_DEFAULT), "aclrtCreateNotify", device);
    return made;
}

std::shared_ptr<AscendNotify> AscendNotify::import(uint32_t number, int device, const std::string &key) {
    require_notifies();
    require_keys();
    const std::string vendors = key.rfind(kPrefix, 0) == 0 ? key.substr(sizeof(kPrefix) - 1) : "";
    if (vendors.empty() || vendors.size() >= ACL_RT_NOTIFY_KEY_BYTES) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "key = \"" + key + "\" is not the key of a notify, or only a part");
    }
    std::shared_ptr<AscendNotify> made(new AscendNotify(number, device, false));
    check_acl(
        acl().aclrtNotifyImportByKey(&made->vendors_, vendors.c_str(), ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS),
        "aclrtNotifyImportByKey; the device that created the notify may be gone. It", device);
    return made;
}

AscendNotify::~AscendNotify() {
    if (vendors_ != nullptr) acl().aclrtDestroyNotify(vendors_);
}

void AscendNotify::require_owned(const char *what) const {
    if (owned_) return;
    throw Failure(DEVICE_INVALID_ARGUMENT, name_ + " was imported: only the device that created it " + what);
}

void AscendNotify::record_on(aclrtStream stream) const {
    check_acl(acl().aclrtRecordNotify(vendors_, stream), "aclrtRecordNotify", device_);
}

void AscendNotify::wait_and_reset_on(aclrtStream stream, uint32_t seconds) const {
    check_acl(acl().aclrtWaitAndResetNotify(vendors_, stream, seconds),
              "aclrtWaitAndResetNotify of " + std::to_string(seconds) + " s", device_);
}

void AscendNotify::post(const std::shared_ptr<AscendNotify> &self, AscendStream &stream) {
    StreamWork work{"the post of " + self->name_, [&](StreamCopies &on) { self->record_on(on.stream()); }};
    work.uses = self;
    stream.put(std::move(work));
}

void AscendNotify::wait(const std::shared_ptr<AscendNotify> &self, AscendStream &stream, milliseconds timeout) {
    self->require_owned("may wait for it");
    StreamWork work{"a wait for " + self->name_,
                    [&](StreamCopies &on) { self->wait_and_reset_on(on.stream(), seconds_of(timeout)); }};
    work.may_wait = true;
    work.uses = self;
    stream.put(std::move(work));
}

std::string AscendNotify::export_key() const {
    require_keys();
    require_owned("can export it");
    char key[ACL_RT_NOTIFY_KEY_BYTES] = {};
    check_acl(
        acl().aclrtNotifyGetExportKey(vendors_, key, sizeof(key), ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION),
        "aclrtNotifyGetExportKey of " + name_, device_);
    return kPrefix + std::string(key, strnlen(key, sizeof(key) - 1));
}

}  // namespace rankunit::ascend
