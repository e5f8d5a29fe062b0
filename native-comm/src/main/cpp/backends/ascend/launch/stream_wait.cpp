#include "backends/ascend/launch/stream_wait.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"

namespace rankunit::ascend {
namespace {

using std::chrono::microseconds;

constexpr microseconds kLongestPause{1000};

}  // namespace

void Pauses::pause() {
    std::this_thread::sleep_for(next_);
    next_ = std::min(2 * next_, kLongestPause);
}

bool ends_within(aclrtStream stream, milliseconds at_most, const char *when, int device) {
    const Deadline deadline{at_most};
    for (Pauses pauses;; pauses.pause()) {
        aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
        check_acl(acl().aclrtStreamQuery(stream, &status), std::string("aclrtStreamQuery ") + when, device);
        if (status == ACL_STREAM_STATUS_COMPLETE) return true;
        if (deadline.passed()) return false;
    }
}

}  // namespace rankunit::ascend
