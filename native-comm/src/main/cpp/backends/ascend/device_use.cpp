#include "backends/ascend/device_use.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/comm.h"
#include "rankunit/device.h"

namespace rankunit::ascend {
namespace {

constexpr int kRepeatInitialize = 100002;

std::mutex &use_mutex() {
    static std::mutex &mutex = *new std::mutex;
    return mutex;
}

// The vendor counts: a device that is set once is reset once.
struct Use {
    int users = 0;
    aclrtContext context = nullptr;  // while the device is set: as long as it has users, or a call runs that was left
};

std::map<int, Use> &uses() {
    static auto &all = *new std::map<int, Use>;
    return all;
}

std::map<int, int> &calls() {
    static auto &counts = *new std::map<int, int>;
    return counts;
}

std::map<int, std::set<int>> &peers() {
    static auto &enabled = *new std::map<int, std::set<int>>;
    return enabled;
}

std::map<aclrtStream, StreamHome> &homes() {
    static auto &all = *new std::map<aclrtStream, StreamHome>;
    return all;
}

// What ASCEND_RT_VISIBLE_DEVICES says, for a CANN that cannot be asked; empty if it says nothing.
std::vector<int> listed_devices() {
    const char *list = std::getenv("ASCEND_RT_VISIBLE_DEVICES");
    std::istringstream tokens(list == nullptr ? "" : list);
    std::vector<int> devices;
    for (std::string token; std::getline(tokens, token, ',');) devices.push_back(std::atoi(token.c_str()));
    return devices;
}

// How the runtime was initialised, and so has to be finalised.
enum class Runtime { kNotInitialized, kOurs, kSharedWithOthers };

Runtime &runtime() {
    static Runtime &state = *new Runtime(Runtime::kNotInitialized);
    return state;
}

void initialize_runtime(int device) {
    if (runtime() != Runtime::kNotInitialized) return;
    const aclError result = acl().aclInit(nullptr);
    if (result != kRepeatInitialize) check_acl(result, "aclInit", device);
    runtime() = result == kRepeatInitialize ? Runtime::kSharedWithOthers : Runtime::kOurs;
}

// The vendor wants it before the process ends, and not from a destructor that runs at its exit. aclFinalize ends the
// runtime for all users, so it is for one that no other code has initialised; where CANN counts, its users are counted,
// also those that were told that it is initialised already.
void finalize_runtime() {
    const AclApi &api = acl();
    if (api.aclFinalizeReference != nullptr) {
        api.aclFinalizeReference(nullptr);
    } else if (runtime() == Runtime::kOurs) {
        api.aclFinalize();
    }
    runtime() = Runtime::kNotInitialized;
}

bool is_any_device_set() {
    return std::any_of(uses().begin(), uses().end(), [](const auto &use) { return use.second.context != nullptr; });
}

void require_device(int device) {
    uint32_t count = 0;
    check_acl(acl().aclrtGetDeviceCount(&count), "aclrtGetDeviceCount", device);
    if (device >= 0 && static_cast<uint32_t>(device) < count) return;
    const char *visible = std::getenv("ASCEND_RT_VISIBLE_DEVICES");
    std::string text = "device " + std::to_string(device) + " is not here: this process sees " + std::to_string(count) +
                       (count == 1 ? " device" : " devices");
    if (count > 0) text += ", from 0 to " + std::to_string(count - 1);
    if (visible != nullptr) text += " (ASCEND_RT_VISIBLE_DEVICES = \"" + std::string(visible) + "\" renumbers them)";
    throw Failure(DEVICE_INVALID_ARGUMENT, text);
}

// Sets the device for its first user.
aclrtContext set_device(int device) {
    const AclApi &api = acl();
    require_device(device);
    check_acl(api.aclrtSetDevice(device), "aclrtSetDevice", device);
    aclrtContext context = nullptr;
    const aclError result = api.aclrtGetCurrentContext(&context);
    if (result != ACL_SUCCESS) api.aclrtResetDevice(device);
    check_acl(result, "aclrtGetCurrentContext", device);
    return context;
}

}  // namespace

aclrtContext begin_use(int device) {
    const std::lock_guard<std::mutex> lock(use_mutex());
    Use &use = uses()[device];
    if (use.users == 0) forget_failures(device);
    if (use.context == nullptr) {
        initialize_runtime(device);
        try {
            use.context = set_device(device);
        } catch (...) {
            if (!is_any_device_set()) finalize_runtime();
            throw;
        }
    } else {
        check_acl(acl().aclrtSetCurrentContext(use.context), "aclrtSetCurrentContext", device);
    }
    use.users++;
    return use.context;
}

void end_use(int device) {
    const std::lock_guard<std::mutex> lock(use_mutex());
    Use &use = uses()[device];
    if (--use.users != 0 || calls()[device] != 0) return;
    acl().aclrtResetDevice(device);
    use.context = nullptr;
    peers().erase(device);
    if (!is_any_device_set()) finalize_runtime();
}

CallInProgress::CallInProgress(int device) : device_(device) {
    const std::lock_guard<std::mutex> lock(use_mutex());
    calls()[device_]++;
}

CallInProgress::~CallInProgress() {
    const std::lock_guard<std::mutex> lock(use_mutex());
    calls()[device_]--;
}

bool has_call_in_progress(int device) {
    const std::lock_guard<std::mutex> lock(use_mutex());
    return calls()[device] != 0;
}

int driver_id(int device) {
    const AclApi &api = acl();
    if (api.aclrtGetLogicDevIdByUserDevId != nullptr) {
        int32_t id = -1;
        check_acl(api.aclrtGetLogicDevIdByUserDevId(device, &id), "aclrtGetLogicDevIdByUserDevId", device);
        return id;
    }
    const std::vector<int> listed = listed_devices();
    return static_cast<size_t>(device) < listed.size() ? listed[static_cast<size_t>(device)] : device;
}

int device_of_driver_id(int id) {
    uint32_t count = 0;
    if (acl().aclrtGetDeviceCount(&count) != ACL_SUCCESS) return -1;
    for (int device = 0; device < static_cast<int>(count); device++) {
        if (driver_id(device) == id) return device;
    }
    return -1;
}

int enable_peer_access(int device, int peer) {
    const std::lock_guard<std::mutex> lock(use_mutex());
    if (acl().aclrtDeviceEnablePeerAccess == nullptr || peers()[device].count(peer) != 0) return ACL_SUCCESS;
    const aclError result = acl().aclrtDeviceEnablePeerAccess(peer, 0);
    if (result == ACL_SUCCESS) peers()[device].insert(peer);
    return result;
}

void register_stream(aclrtStream stream, const StreamHome &home) {
    const std::lock_guard<std::mutex> lock(use_mutex());
    homes()[stream] = home;
}

void forget_stream(aclrtStream stream) {
    const std::lock_guard<std::mutex> lock(use_mutex());
    homes().erase(stream);
}

StreamHome home_of(aclrtStream stream) {
    const std::lock_guard<std::mutex> lock(use_mutex());
    const auto found = homes().find(stream);
    if (found != homes().end()) return found->second;
    StreamHome home{-1, nullptr};
    if (stream == nullptr || acl().aclrtGetDevice(&home.device) != ACL_SUCCESS ||
        acl().aclrtGetCurrentContext(&home.context) != ACL_SUCCESS) {
        throw Failure(COMM_INVALID_ARGUMENT,
                      std::string("stream is ") + (stream == nullptr ? "NULL" : "not one of device_stream") +
                          ", and a device's is needed: open the device first, and give what device_stream says");
    }
    return home;
}

ContextScope::ContextScope(const StreamHome &home) : home_(home) {
    if (acl().aclrtGetCurrentContext(&before_) != ACL_SUCCESS) before_ = nullptr;
    check_acl(acl().aclrtSetCurrentContext(home_.context), "aclrtSetCurrentContext", home_.device);
}

ContextScope::~ContextScope() {
    if (before_ != nullptr && before_ != home_.context) acl().aclrtSetCurrentContext(before_);
}

}  // namespace rankunit::ascend
