// One record of an event: a point of a stream that others wait for.
#ifndef RANKUNIT_BACKENDS_SIM_STREAM_EVENT_POINT_H
#define RANKUNIT_BACKENDS_SIM_STREAM_EVENT_POINT_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "device/cores/interruption.h"
#include "record/record.h"
#include "support/kept_failure.h"

namespace rankunit::sim {

// It is ahead until the stream reaches it, or fails before. Thread-safe.
class EventPoint {
public:
    // `name`: "event 3".
    explicit EventPoint(std::string name) : name_(std::move(name)), number_(record::new_number()) {}

    void reach() {
        record::now(record::kEventRecord, number_);
        become(kReached, nullptr);
    }
    // The stream will not get here, because of `reason`.
    void give_up(const std::shared_ptr<KeptFailure> &reason) { become(kGivenUp, reason); }

    bool is_reached() const { return state_.load(std::memory_order_acquire) == kReached; }
    // The same for a caller that acts on it, which is recorded.
    bool is_seen_reached() const;

    // Waits until it is reached. Throws DEVICE_KERNEL_FAILED if it was given up, DEVICE_TIMEOUT after `timeout`, and
    // what the interruption throws. `who` begins the texts.
    void wait(const device::Interruption &interruption, std::chrono::milliseconds timeout,
              const std::string &who) const;

private:
    enum State : uint32_t { kAhead, kReached, kGivenUp };

    bool is_ahead() const { return state_.load(std::memory_order_acquire) == kAhead; }
    void become(State state, const std::shared_ptr<KeptFailure> &reason);

    const std::string name_;
    const uint64_t number_;                // in the log of events
    std::mutex mutex_;                     // of those that end it
    std::atomic<uint32_t> state_{kAhead};  // a futex
    std::shared_ptr<KeptFailure> reason_;  // set before it is given up
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_BACKENDS_SIM_STREAM_EVENT_POINT_H
