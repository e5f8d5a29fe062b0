#include "device/cores/workers.h"

#include <pthread.h>

#include <atomic>
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "device/cores/activity.h"
#include "device/cores/running.h"
#include "shake/members.h"
#include "support/cores.h"

namespace rankunit::device {
namespace {

// A thread of the pool without a job ends after this time.
constexpr std::chrono::seconds kIdleTime{5};

}  // namespace

// Never destroyed: its threads may still wait when the process ends. A forked child has none of its parent's threads,
// so it makes workers of its own.
Workers &Workers::of_process() {
    static std::atomic<Workers *> of_this_process{nullptr};
    static const int registered =
        pthread_atfork(nullptr, nullptr, [] { of_this_process.store(nullptr, std::memory_order_relaxed); });
    if (registered != 0) throw std::bad_alloc();
    Workers *workers = of_this_process.load(std::memory_order_acquire);
    if (workers != nullptr) return *workers;
    auto made = std::make_unique<Workers>(2 * static_cast<uint32_t>(usable_cores()));
    if (of_this_process.compare_exchange_strong(workers, made.get(), std::memory_order_acq_rel)) {
        return *made.release();
    }
    return *workers;
}

void Workers::submit(std::function<void()> job) {
    Activity::of_process().announce_work();
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(std::move(job));
    if (idle_ == 0) {
        shake::member_thread([this] { work(); }).detach();
    } else {
        job_there_.notify_one();
    }
}

void Workers::work() {
    const SignalStack stack;
    std::unique_lock<std::mutex> lock(mutex_);
    const auto no_job = [this] { return jobs_.empty(); };
    for (;;) {
        idle_++;
        const bool there = job_there_.wait_for(lock, kIdleTime, [this] { return !jobs_.empty(); });
        const bool has_turn = there && wait_for_turn(lock, no_job);
        idle_--;
        if (!there) return;
        if (!has_turn) continue;
        const std::function<void()> job = std::move(jobs_.front());
        jobs_.pop_front();
        // this thread is no longer the one that waits for the next job
        if (!jobs_.empty() && idle_ == 0) shake::member_thread([this] { work(); }).detach();
        lock.unlock();
        {
            const Activity::Work work = Activity::of_process().begin_announced();
            const SharedTurn turn(limit_);
            job();
        }
        end_turn();
        lock.lock();
    }
}

template <typename NoLonger>
bool Workers::wait_for_turn(std::unique_lock<std::mutex> &lock, NoLonger no_longer) {
    uint64_t seen = turns_;
    while (running_ >= limit_ && !no_longer()) {
        if (turn_free_.wait_for(lock, kPatience) == std::cv_status::timeout) {
            if (turns_ == seen) break;
            seen = turns_;
        }
    }
    if (no_longer()) return false;
    running_++;
    turns_++;
    return true;
}

void Workers::take_turn() {
    std::unique_lock<std::mutex> lock(mutex_);
    wait_for_turn(lock, [] { return false; });
}

void Workers::end_turn() {
    const std::lock_guard<std::mutex> lock(mutex_);
    running_--;
    turn_free_.notify_one();
}

}  // namespace rankunit::device
