#include "shake/pauses.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "shake/members.h"

namespace rankunit::shake {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kStep{100};
constexpr std::chrono::microseconds kLook{50};
constexpr std::chrono::seconds kMost{2};
// Before the sleeps between two looks, others are let run so often.
constexpr int kYields = 4;

struct Waiter {
    Waiter(uint64_t due_at, uint64_t with_tie) : due(due_at), tie(with_tie) {}

    const uint64_t due;
    const uint64_t tie;
    std::condition_variable is_first;
};

struct Order {
    bool operator()(const Waiter *a, const Waiter *b) const {
        return std::make_tuple(a->due, a->tie, a) < std::make_tuple(b->due, b->tie, b);
    }
};

struct Waiters {
    std::mutex mutex;
    std::set<Waiter *, Order> all;
    // Counts steps, and stands still while anybody goes on: the due of who went on last.
    uint64_t now = 0;
};

// Never destroyed: threads may wait when the process ends.
Waiters &waiters() {
    static Waiters &waiters = *new Waiters;
    return waiters;
}

void wait_until_first(std::unique_lock<std::mutex> &lock, const Waiters &waiters, Waiter &self, Clock::time_point end) {
    self.is_first.wait_until(lock, end, [&] { return *waiters.all.begin() == &self; });
}

// What the first one waits for.
void wait_for_others(Clock::time_point least, Clock::time_point end, const std::function<bool()> &over) {
    std::this_thread::sleep_until(least);
    for (int looks = 0; !over() && !others_sleep() && Clock::now() < end; looks++) {
        if (looks < kYields) {
            sched_yield();
        } else {
            std::this_thread::sleep_for(kLook);
        }
    }
}

}  // namespace

void pause(uint32_t steps, uint64_t tie, const std::function<bool()> &over) {
    const Clock::time_point least = Clock::now() + steps * kStep;
    const Clock::time_point end = least + kMost;
    Waiters &waiters = shake::waiters();
    std::unique_lock<std::mutex> lock(waiters.mutex);
    Waiter self(waiters.now + steps, tie);
    waiters.all.insert(&self);
    for (;;) {
        wait_until_first(lock, waiters, self, end);
        lock.unlock();
        wait_for_others(least, end, over);
        lock.lock();
        // somebody may have come who has less to wait
        if (*waiters.all.begin() == &self || over() || Clock::now() >= end) break;
    }
    waiters.all.erase(&self);
    waiters.now = std::max(waiters.now, self.due);
    if (!waiters.all.empty()) (*waiters.all.begin())->is_first.notify_one();
    passed_a_point();
}

}  // namespace rankunit::shake
