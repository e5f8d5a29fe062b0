// A stream of the simulator.
#ifndef RANKUNIT_BACKENDS_SIM_STREAM_SIM_STREAM_H
#define RANKUNIT_BACKENDS_SIM_STREAM_SIM_STREAM_H

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "backends/sim/stream/event_point.h"
#include "device/cores/interruption.h"
#include "record/record.h"
#include "shake/shake.h"
#include "support/deadline.h"
#include "support/failure.h"
#include "support/kept_failure.h"

namespace rankunit::sim {

// A piece of work on a stream. `run` throws what ends the stream.
struct StreamWork {
    std::function<void()> run;
    std::function<std::string()> text;  // "the launch of kernel "add_one"": for people, if it is needed
    std::shared_ptr<EventPoint> point;  // given up if the work is not run; may be null
    record::WorkKind kind;
    const std::string *kernel = nullptr;  // of a launch
    uint64_t number = 0;                  // in the log of events, if it is recorded
    shake::Queue::Work shaken = {};
    uint32_t graph = 0;      // of a run
    std::string place = {};  // of the call that has put it here, if what happens is recorded
};

// Runs its work in order, on a thread of its own that the first piece of work starts. Thread-safe.
class SimStream {
public:
    SimStream(uint32_t number, const device::Interruption &interruption);
    SimStream(const SimStream &) = delete;
    SimStream &operator=(const SimStream &) = delete;
    // Waits for the piece of work that is running, and drops the others.
    ~SimStream();

    std::string name() const { return "stream " + std::to_string(number_); }

    // Throws the failure that ended the stream, if any.
    void put(StreamWork work);
    void synchronize(std::chrono::milliseconds timeout);
    // The same at the end of a test: throws no failure of which a caller was told, and no caller has seen the end.
    void settle(const Deadline &deadline, std::chrono::milliseconds timeout);
    bool is_done();
    bool has_unfinished_work();
    // Throws the failure that ended the stream if no caller was told of it.
    void throw_if_untold();
    // The same if a run of this graph has ended it.
    void throw_if_untold_of(uint32_t graph);
    std::string describe();

private:
    void run();
    void run_next(std::unique_lock<std::mutex> &lock);
    std::string where(const StreamWork &work, uint64_t number) const;
    std::optional<FailureRecord> failure_of(const StreamWork &work, uint64_t number) const;
    void record_enqueue(StreamWork &work);
    void record_sync(uint64_t last) const;
    void fail(const StreamWork &work, const FailureRecord &failure);
    void throw_if_failed() const;
    void await(std::unique_lock<std::mutex> &lock, const Deadline &deadline, std::chrono::milliseconds timeout);
    std::string doing() const;

    const uint32_t number_;
    const uint32_t actor_;  // in the log of events
    bool introduced_ = false;
    uint64_t last_recorded_ = 0;
    shake::Queue shaken_;
    const device::Interruption &interruption_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<StreamWork> waiting_;
    const StreamWork *running_ = nullptr;
    uint64_t put_ = 0;     // pieces of work so far
    uint64_t ended_ = 0;   // of these
    bool active_ = false;  // has work, which the Activity of the process knows
    bool closing_ = false;
    std::shared_ptr<KeptFailure> failure_;
    uint32_t failed_graph_ = 0;
    std::thread thread_;
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_BACKENDS_SIM_STREAM_SIM_STREAM_H
