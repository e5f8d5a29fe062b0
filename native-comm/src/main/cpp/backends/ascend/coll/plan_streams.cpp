#include "backends/ascend/coll/plan_streams.h"

#include <exception>
#include <string>

#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"

namespace rankunit::ascend {

PlanStreams::PlanStreams(const StreamHome &home, aclrtStream first, uint64_t count) : home_(home), all_{first} {
    while (all_.size() < count) {
        aclrtStream made = nullptr;
        const aclError result = acl().aclrtCreateStream(&made);
        if (result != ACL_SUCCESS) {
            end();
            check_acl(result,
                      "aclrtCreateStream for stream " + std::to_string(all_.size()) + " of " + std::to_string(count),
                      home_.device);
        }
        all_.push_back(made);
    }
}

PlanStreams::~PlanStreams() {
    try {
        const ContextScope scope(home_);
        end();
    } catch (const std::exception &) {
        // The context is gone with the device, and the streams with it.
    }
}

void PlanStreams::end() noexcept {
    const AclApi &api = acl();
    if (unfinished_ && api.aclrtStreamAbort != nullptr) {
        for (const aclrtStream stream : all_) api.aclrtStreamAbort(stream);
    }
    const bool force = unfinished_ && api.aclrtDestroyStreamForce != nullptr;
    for (size_t i = 1; i < all_.size(); i++) {
        force ? api.aclrtDestroyStreamForce(all_[i]) : api.aclrtDestroyStream(all_[i]);
    }
}

}  // namespace rankunit::ascend
