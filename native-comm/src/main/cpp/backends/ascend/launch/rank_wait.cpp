#include "backends/ascend/launch/rank_wait.h"

#include <algorithm>

#include "backends/ascend/launch/stream_wait.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/comm.h"

namespace rankunit::ascend {
namespace {

constexpr int kStreamSyncTimeout = 507046;
constexpr milliseconds kLook{100};  // how long a rank waits before it looks at the others

class StreamsOfRank {
public:
    StreamsOfRank(bootstrap::Bootstrap &bootstrap, const StreamHome &home, const std::vector<aclrtStream> &streams,
                  const StreamWait &wait)
        : bootstrap_(bootstrap), home_(home), streams_(streams), wait_(wait) {}

    bool end_within(milliseconds at_most) const {
        const Deadline deadline{at_most};
        for (const aclrtStream stream : streams_) {
            const auto left = std::chrono::duration_cast<milliseconds>(deadline.left());
            if (!ends_within(stream, std::max(left, milliseconds{0}), wait_.when.c_str(), home_.device)) return false;
        }
        return true;
    }

    // A stream that waits for one on which something has failed does not end by itself.
    void require_success_of_ended() const {
        std::vector<aclError> results;
        for (const aclrtStream stream : streams_) {
            if (!ends_within(stream, milliseconds{0}, wait_.when.c_str(), home_.device)) continue;
            results.push_back(acl().aclrtSynchronizeStream(stream));
        }
        require_success(results, "aclrtSynchronizeStream ");
    }

    // Returns if they have ended just now. They are given up, so that what a time-out leaves on them does no harm, and
    // a failure of what they run may be the cause.
    void give_up(const Deadline &deadline) const {
        std::string late;
        std::vector<aclError> results;
        for (size_t i = 0; i < streams_.size(); i++) {
            const aclError result = acl().aclrtSynchronizeStreamWithTimeout(streams_[i], 1);
            if (result == kStreamSyncTimeout) {
                late += (late.empty() ? "" : ", ") + std::to_string(i);
            } else {
                results.push_back(result);
            }
        }
        require_success(results, "aclrtSynchronizeStreamWithTimeout ");
        if (late.empty()) return;
        const std::string where = streams_.size() == 1 ? "" : " on stream " + late;
        throw Failure(COMM_TIMEOUT, "rank " + std::to_string(bootstrap_.rank()) + " waited " +
                                        std::to_string(deadline.waited_ms()) + " ms " + wait_.what + ", device " +
                                        std::to_string(home_.device) + ": " + wait_.still + where);
    }

    void synchronize() const {
        std::vector<aclError> results;
        for (const aclrtStream stream : streams_) results.push_back(acl().aclrtSynchronizeStream(stream));
        require_success(results, "aclrtSynchronizeStream ");
    }

private:
    void require_success(const std::vector<aclError> &results, const char *call) const {
        const auto failed = [](aclError result) { return result != ACL_SUCCESS; };
        const auto caused = [&](aclError result) {
            const ErrorMeaning *meaning = acl_meaning(result);
            return failed(result) && (meaning == nullptr || !meaning->fallout);
        };
        auto found = std::find_if(results.begin(), results.end(), caused);
        if (found == results.end()) found = std::find_if(results.begin(), results.end(), failed);
        if (found != results.end()) check_acl(*found, call + wait_.when, home_.device);
    }

    bootstrap::Bootstrap &bootstrap_;
    const StreamHome &home_;
    const std::vector<aclrtStream> &streams_;
    const StreamWait &wait_;
};

}  // namespace

void wait_for_streams(bootstrap::Bootstrap &bootstrap, const StreamHome &home, const std::vector<aclrtStream> &streams,
                      const Deadline &deadline, const StreamWait &wait) {
    const StreamsOfRank all(bootstrap, home, streams, wait);
    bootstrap.wait_slowly(wait.what, "ended it", [&] {
        if (all.end_within(std::min(std::chrono::duration_cast<milliseconds>(deadline.left()), kLook))) return true;
        if (deadline.passed()) {
            all.give_up(deadline);
            return true;
        }
        all.require_success_of_ended();
        return false;
    });
    all.synchronize();
}

}  // namespace rankunit::ascend
