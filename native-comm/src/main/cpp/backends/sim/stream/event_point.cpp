#include "backends/sim/stream/event_point.h"

#include "device/cores/activity.h"
#include "rankunit/device.h"
#include "support/deadline.h"
#include "support/failure.h"
#include "support/futex.h"

namespace rankunit::sim {

// The first time counts.
void EventPoint::become(State state, const std::shared_ptr<KeptFailure> &reason) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (!is_ahead()) return;
        reason_ = reason;
        // release: passes on the work before this point, and the reason
        state_.store(state, std::memory_order_release);
    }
    futex_wake_all(&state_);
}

bool EventPoint::is_seen_reached() const {
    const bool reached = is_reached();
    if (reached) record::now(record::kEventWait, number_);
    return reached;
}

void EventPoint::wait(const device::Interruption &interruption, std::chrono::milliseconds timeout,
                      const std::string &who) const {
    const Deadline deadline(timeout);
    const record::Span span;
    const device::Activity::Wait wait([this] { return name_; }, [this] { return !is_ahead(); }, timeout);
    for (;;) {
        interruption.sleep_on(state_, kAhead, deadline.left());
        if (!is_ahead()) break;
        interruption.check();
        if (deadline.passed()) {
            throw Failure(DEVICE_TIMEOUT, who + " waited " + std::to_string(deadline.waited_ms()) + " ms for " + name_);
        }
    }
    if (!is_reached()) {
        reason_->set_told();
        throw Failure(DEVICE_KERNEL_FAILED,
                      who + " waits for " + name_ + ", which will not happen: " + reason_->text());
    }
    span.end(record::kEventWait, number_);
}

}  // namespace rankunit::sim
