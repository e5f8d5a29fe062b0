#include "backends/sim/stream/event_point.h"

#include "device/cores/activity.h"
#include "rankunit/device.h"
#include "support/deadline.h"
#include "support/failure.h"

namespace rankunit::sim {

void EventPoint::become(State state, const std::string &reason) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        state_ = state;
        reason_ = reason;
    }
    changed_.notify_all();
}

bool EventPoint::is_reached() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return state_ == State::kReached;
}

bool EventPoint::is_ahead() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return state_ == State::kAhead;
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
    std::unique_lock<std::mutex> lock(mutex_);
    while (state_ == State::kAhead) {
        if (changed_.wait_for(lock, device::Interruption::kSlice, [this] { return state_ != State::kAhead; })) break;
        interruption.check();
        if (deadline.passed()) {
            throw Failure(DEVICE_TIMEOUT, who + " waited " + std::to_string(deadline.waited_ms()) + " ms for " + name_);
        }
    }
    if (state_ == State::kGivenUp) {
        throw Failure(DEVICE_KERNEL_FAILED, who + " waits for " + name_ + ", which will not happen: " + reason_);
    }
    span.end(record::kEventWait, number_);
}

}  // namespace rankunit::sim
