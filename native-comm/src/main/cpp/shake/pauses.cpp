#include "shake/pauses.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

#include "shake/group.h"
#include "shake/members.h"
#include "shake/of_process.h"

namespace rankunit::shake {
namespace {

constexpr std::chrono::microseconds kStep{100};
constexpr std::chrono::microseconds kLook{50};
// Without progress of any thread.
constexpr std::chrono::seconds kMost{5};
// Before the sleeps between two looks, others are let run so often.
constexpr int kYields = 4;

struct Waiter {
    explicit Waiter(const Turn &of_waiter) : turn(of_waiter) {}

    const Turn turn;
    std::condition_variable is_first;
};

struct Order {
    bool operator()(const Waiter *a, const Waiter *b) const {
        return std::make_tuple(a->turn.due, a->turn.tie, a) < std::make_tuple(b->turn.due, b->turn.tie, b);
    }
};

struct Waiters {
    std::mutex mutex;
    std::set<Waiter *, Order> all;

    bool is_first(const Waiter &waiter) const { return *all.begin() == &waiter; }
    // Called with the mutex held.
    void tell_first(Group &group) const {
        group.set_first(all.empty() ? std::nullopt : std::optional((*all.begin())->turn));
    }
};

OfProcess<Waiters> waiters_of_process;

// No rank takes this thread for one that sleeps, although it may wait for a lock.
class Arrives {
public:
    explicit Arrives(Group &group) : group_(group) { group_.own().arriving.fetch_add(1); }
    Arrives(const Arrives &) = delete;
    Arrives &operator=(const Arrives &) = delete;
    ~Arrives() { group_.own().arriving.fetch_sub(1); }

private:
    Group &group_;
};

// What the first one waits for. Returns false if it is not the first one any longer.
bool wait_for_turn(Group &group, const Turn &turn, Clock::time_point least, const std::function<bool()> &over) {
    std::this_thread::sleep_until(least);
    uint64_t progress = group.progress();
    Clock::time_point end = Clock::now() + kMost;
    for (int looks = 0; !over(); looks++) {
        const uint32_t bell = group.bell();
        const Group::Look found = group.look(turn);
        if (found == Group::Look::kGoesOn) return true;
        if (found == Group::Look::kIsNotFirst) return false;
        if (found == Group::Look::kIsNotFirstRank) {
            group.sleep_until_first(bell);
        } else if (looks < kYields) {
            sched_yield();
        } else {
            std::this_thread::sleep_for(kLook);
        }
        if (group.progress() != progress) {
            progress = group.progress();
            end = Clock::now() + kMost;
        } else if (Clock::now() >= end) {
            group.give_up_others(turn);
            return true;
        }
    }
    return true;
}

}  // namespace

void pause(uint32_t steps, uint64_t tie, const std::function<bool()> &over) {
    const Clock::time_point least = Clock::now() + steps * kStep;
    Waiters &waiters = waiters_of_process.get();
    Group &group = shake::group();
    std::optional<Arrives> arrives(group);
    std::unique_lock<std::mutex> lock(waiters.mutex);
    Waiter self({static_cast<pid_t>(syscall(SYS_gettid)), group.now() + steps, tie});
    waiters.all.insert(&self);
    if (waiters.is_first(self)) waiters.tell_first(group);
    is_at_point();
    arrives.reset();
    for (bool is_its_turn = false; !is_its_turn;) {
        self.is_first.wait(lock, [&] { return waiters.is_first(self); });
        lock.unlock();
        is_its_turn = wait_for_turn(group, self.turn, least, over);
        lock.lock();
        // a thread may have come that has less to wait
        is_its_turn = (is_its_turn && waiters.is_first(self)) || over();
    }
    waiters.all.erase(&self);
    passed_a_point();
    group.pass(self.turn);
    waiters.tell_first(group);
    if (!waiters.all.empty()) (*waiters.all.begin())->is_first.notify_one();
}

void forget_waiters_in_child() noexcept {
    waiters_of_process.forget_in_child();
}

}  // namespace rankunit::shake
