#include "backends/ascend/vendor/vendor_error.h"

#include <map>
#include <mutex>

#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/comm.h"

namespace rankunit::ascend {
namespace {

std::mutex &failures_mutex() {
    static std::mutex &mutex = *new std::mutex;
    return mutex;
}

// By device. Never destroyed: a thread may still fail while the process ends.
std::map<int, std::string> &first_failures() {
    static auto &failures = *new std::map<int, std::string>;
    return failures;
}

// Keeps `text` if nothing has failed on the device before; otherwise returns what has.
std::string first_failure(int device, const std::string &text) {
    const std::lock_guard<std::mutex> lock(failures_mutex());
    const auto [found, inserted] = first_failures().emplace(device, text);
    return inserted ? "" : found->second;
}

std::string code_text(int code, const ErrorMeaning *meaning) {
    std::string text = std::to_string(code);
    if (meaning == nullptr) return text + ", which this version of RankUnit does not know";
    text += std::string(" (") + meaning->name + "): " + meaning->meaning;
    if (*meaning->hint != '\0') text += std::string(". ") + meaning->hint;
    return text;
}

// What the vendor's library says of the last failure on this thread, as far as it says anything.
std::string vendor_text() {
    const AclApi &api = acl();
    const char *message = api.aclGetRecentErrMsg == nullptr ? nullptr : api.aclGetRecentErrMsg();
    if (message == nullptr || *message == '\0') return "";
    constexpr size_t kMost = 600;  // it may be pages long, and the texts of this library are cut at the end
    const std::string text = message;
    return "\nThe vendor's library says: " + (text.size() > kMost ? text.substr(0, kMost) + "..." : text);
}

[[noreturn]] void fail(int status, int code, const ErrorMeaning *meaning, const std::string &call, int device) {
    std::string text = "device " + std::to_string(device) + ": " + call + " failed with " + code_text(code, meaning);
    const std::string first = first_failure(device, text);
    if (meaning != nullptr && meaning->fallout) {
        text += first.empty() ? "\nNothing was seen to fail on this device before; another process may have caused it."
                              : "\nThe first failure on this device was: " + first;
    }
    throw VendorError(status, code, text + vendor_text());
}

}  // namespace

void check_acl(int code, const std::string &call, int device) {
    if (code != ACL_SUCCESS) fail(code, code, acl_meaning(code), call, device);
}

void check_hccl(int code, const std::string &call, int device) {
    if (code != HCCL_SUCCESS) fail(COMM_VENDOR, code, hccl_meaning(code), call, device);
}

void forget_failures(int device) {
    const std::lock_guard<std::mutex> lock(failures_mutex());
    first_failures().erase(device);
}

}  // namespace rankunit::ascend
