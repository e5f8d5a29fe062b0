#include "backends/sim/stream/sim_stream.h"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "device/cores/activity.h"
#include "device/cores/running.h"
#include "rankunit/device.h"
#include "record/work.h"
#include "shake/members.h"

namespace rankunit::sim {

SimStream::SimStream(uint32_t number, const device::Interruption &interruption)
    : number_(number), actor_(record::new_actor()), interruption_(interruption) {}

SimStream::~SimStream() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        closing_ = true;
        const auto reason = std::make_shared<KeptFailure>(DEVICE_KERNEL_FAILED, name() + " was destroyed");
        for (const StreamWork &work : waiting_) {
            if (work.point != nullptr) work.point->give_up(reason);
        }
        waiting_.clear();
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void SimStream::put(StreamWork work) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        throw_if_failed();
        if (!thread_.joinable()) thread_ = shake::member_thread([this] { run(); });
        record_enqueue(work);
        work.shaken = shaken_.next();
        work.place = record::place_text();
        waiting_.push_back(std::move(work));
        put_++;
        if (!active_) device::Activity::of_process().announce_work();
        active_ = true;
    }
    changed_.notify_all();
}

// Called with the mutex held.
void SimStream::record_enqueue(StreamWork &work) {
    if (record::log() == nullptr) return;
    if (!introduced_) {
        record::now_of(actor_, record::kActor, record::kStreamActor, number_, record::text(name()));
        introduced_ = true;
    }
    work.number = last_recorded_ = record::new_number();
    record::now(record::kEnqueue, work.number, work.kind, actor_,
                work.kernel == nullptr ? 0 : record::text(*work.kernel), record::place());
}

// A caller has seen that the work with this number has ended.
void SimStream::record_sync(uint64_t last) const {
    if (last != 0) record::now(record::kStreamSync, actor_, last);
}

void SimStream::run() {
    const device::SignalStack stack;
    const device::Activity::Text text = [this] { return name(); };
    const device::Activity::Name named(text);
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return closing_ || active_; });
        if (!active_) return;
        const device::Activity::Work working = device::Activity::of_process().begin_announced();
        while (!waiting_.empty()) run_next(lock);
        active_ = false;
    }
}

void SimStream::run_next(std::unique_lock<std::mutex> &lock) {
    const StreamWork work = std::move(waiting_.front());
    waiting_.pop_front();
    running_ = &work;
    const uint64_t number = ended_ + 1;
    lock.unlock();
    const std::optional<FailureRecord> failure = failure_of(work, number);
    lock.lock();
    running_ = nullptr;
    ended_++;
    if (failure.has_value()) fail(work, *failure);
    changed_.notify_all();
}

// "stream 1, work 2, RingTest.java:41"
std::string SimStream::where(const StreamWork &work, uint64_t number) const {
    return name() + ", work " + std::to_string(number) + (work.place.empty() ? "" : ", " + work.place);
}

// Runs the work.
std::optional<FailureRecord> SimStream::failure_of(const StreamWork &work, uint64_t number) const {
    shake::rest(work.shaken.decision);
    const shake::As as(work.shaken.here);
    const std::string within = where(work, number);
    const device::RunsWithin noted(&within);
    record::RecordedWork recorded({actor_, work.number}, work.kind, work.kernel);
    try {
        work.run();
        if (work.point != nullptr) work.point->reach();
        recorded.succeeded();
        return std::nullopt;
    } catch (const Failure &thrown) {
        return FailureRecord(thrown);
    } catch (const std::bad_alloc &) {
        return FailureRecord(DEVICE_OUT_OF_MEMORY, "out of host memory");
    } catch (const std::exception &thrown) {
        return FailureRecord(DEVICE_SYSTEM, thrown.what());
    }
}

// What waits for later work of this stream fails too, with this stream's failure as the reason.
void SimStream::fail(const StreamWork &work, const FailureRecord &failure) {
    const std::string place = work.place.empty() ? "" : ", " + work.place;
    failure_ = std::make_shared<KeptFailure>(
        failure.code, name() + ", work " + std::to_string(ended_) + " (" + work.text() + place + "): " + failure.text);
    failed_graph_ = work.graph;
    if (work.point != nullptr) work.point->give_up(failure_);
    for (const StreamWork &dropped : waiting_) {
        if (dropped.point != nullptr) dropped.point->give_up(failure_);
    }
    waiting_.clear();
}

void SimStream::throw_if_failed() const {
    if (failure_ != nullptr) failure_->tell();
}

// Waits until what has been put here so far has ended, well or not.
void SimStream::await(std::unique_lock<std::mutex> &lock, const Deadline &deadline, std::chrono::milliseconds timeout) {
    std::optional<device::Activity::Wait> wait;
    const uint64_t until = put_;
    const auto done = [this, until] { return failure_ != nullptr || ended_ >= until; };
    if (done()) return;
    // without the lock, which a look at the wait takes
    lock.unlock();
    wait.emplace([this] { return name(); },
                 [this, done] {
                     const std::lock_guard<std::mutex> look(mutex_);
                     return done();
                 },
                 timeout);
    lock.lock();
    while (!done()) {
        if (changed_.wait_for(lock, deadline.left(), done)) break;
        if (deadline.passed()) {
            throw Failure(DEVICE_TIMEOUT,
                          name() + " was not done after " + std::to_string(timeout.count()) + " ms: " + doing());
        }
    }
    lock.unlock();
    wait.reset();
    lock.lock();
}

void SimStream::synchronize(std::chrono::milliseconds timeout) {
    const Deadline deadline(timeout);
    std::unique_lock<std::mutex> lock(mutex_);
    const uint64_t last = last_recorded_;
    await(lock, deadline, timeout);
    throw_if_failed();
    record_sync(last);
}

void SimStream::settle(const Deadline &deadline, std::chrono::milliseconds timeout) {
    {
        std::unique_lock<std::mutex> lock(mutex_);
        await(lock, deadline, timeout);
    }
    throw_if_untold();
}

void SimStream::throw_if_untold() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_ != nullptr && !failure_->is_told()) failure_->tell();
}

void SimStream::throw_if_untold_of(uint32_t graph) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failed_graph_ == graph && failure_ != nullptr && !failure_->is_told()) failure_->tell();
}

bool SimStream::is_done() {
    const std::lock_guard<std::mutex> lock(mutex_);
    throw_if_failed();
    if (ended_ == put_) record_sync(last_recorded_);
    return ended_ == put_;
}

// That a stream was done when it was destroyed is luck, and orders nothing.
bool SimStream::has_unfinished_work() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return failure_ == nullptr && ended_ != put_;
}

std::string SimStream::describe() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (failure_ != nullptr) return "ended: " + failure_->text();
    return name() + ": " + doing();
}

std::string SimStream::doing() const {
    if (ended_ == put_) return "all " + std::to_string(put_) + " pieces of work are done";
    // between two pieces of work, the next one is as good as begun
    const StreamWork &work = running_ != nullptr ? *running_ : waiting_.front();
    const uint64_t behind = put_ - ended_ - 1;
    return "work " + std::to_string(ended_ + 1) + " of " + std::to_string(put_) + " is " + work.text() + ", and " +
           std::to_string(behind) + " wait behind it";
}

}  // namespace rankunit::sim
