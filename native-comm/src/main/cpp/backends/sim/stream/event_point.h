// One record of an event: a point of a stream that others wait for.
#ifndef RANKUNIT_BACKENDS_SIM_STREAM_EVENT_POINT_H
#define RANKUNIT_BACKENDS_SIM_STREAM_EVENT_POINT_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

#include "device/cores/interruption.h"
#include "record/record.h"

namespace rankunit::sim {

// It is ahead until the stream reaches it, or fails before. Thread-safe.
class EventPoint {
public:
    // `name`: "event 3".
    explicit EventPoint(std::string name) : name_(std::move(name)), number_(record::new_number()) {}

    void reach() {
        record::now(record::kEventRecord, number_);
        become(State::kReached, "");
    }
    // The stream will not get here, because of `reason`.
    void give_up(const std::string &reason) { become(State::kGivenUp, reason); }

    bool is_reached() const;
    // The same for somebody who acts on it, which is recorded.
    bool is_seen_reached() const;

    // Waits until it is reached. Throws DEVICE_KERNEL_FAILED if it was given up, DEVICE_TIMEOUT after `timeout`, and
    // what the interruption throws. `who` begins the texts.
    void wait(const device::Interruption &interruption, std::chrono::milliseconds timeout,
              const std::string &who) const;

private:
    enum class State { kAhead, kReached, kGivenUp };

    bool is_ahead() const;
    void become(State state, const std::string &reason);

    const std::string name_;
    const uint64_t number_;  // in the log of events
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    State state_ = State::kAhead;
    std::string reason_;
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_BACKENDS_SIM_STREAM_EVENT_POINT_H
