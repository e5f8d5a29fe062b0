#include "coll/host/shaken_order.h"

#include <algorithm>
#include <tuple>

namespace rankunit::coll {

ShakenOrder::ShakenOrder(const shake::Here &call, size_t streams) : call_(call), next_(streams) {}

void ShakenOrder::reached(size_t stream, size_t step) {
    const shake::Here here = call_.of_task(shake::stream_of_call(static_cast<uint32_t>(stream)));
    const shake::Decision decision = shake::pass(here, static_cast<uint32_t>(step));
    next_[stream] = {now_ + decision.pause, decision};
}

bool ShakenOrder::is_before(size_t stream, size_t other) const {
    const Next &one = next_[stream];
    const Next &two = next_[other];
    return std::tie(one.due, one.decision.priority, stream) < std::tie(two.due, two.decision.priority, other);
}

void ShakenOrder::rest(size_t stream) {
    shake::Decision decision = next_[stream].decision;
    const uint64_t due = next_[stream].due;
    decision.pause = due > now_ ? static_cast<uint32_t>(due - now_) : 0;
    now_ = std::max(now_, due);
    if (decision.pause > 0) shake::rest(decision);
}

}  // namespace rankunit::coll
