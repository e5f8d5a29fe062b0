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

constexpr microseconds kFirstPause{10};
constexpr microseconds kLongestPause{1000};

}  // namespace

bool ends_within(aclrtStream stream, milliseconds at_most, const char *when, int device) {
    const Deadline deadline{at_most};
    // Short at first, for kernels that are nearly done; the vendor has no call that waits without logging.
    for (microseconds pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
        aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
        check_acl(acl().aclrtStreamQuery(stream, &status), std::string("aclrtStreamQuery ") + when, device);
        if (status == ACL_STREAM_STATUS_COMPLETE) return true;
        if (deadline.passed()) return false;
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace rankunit::ascend
