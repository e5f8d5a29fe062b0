// Waiting for other ranks: awake while they are likely to arrive soon, asleep otherwise.
#ifndef RANKUNIT_BOOTSTRAP_SEGMENT_WAIT_H
#define RANKUNIT_BOOTSTRAP_SEGMENT_WAIT_H

#include <chrono>

#include "bootstrap/segment/bootstrap_layout.h"
#include "support/deadline.h"

namespace rankunit::bootstrap {

// What a rank does before it sleeps. Going to sleep and being woken costs tens of microseconds, more than most waits
// take. A rank with its own core spins. A rank that shares its core must not spin, since the rank it waits for may need
// the same core: it yields. But if unrelated processes share the core too, yielding may give one of them a whole time
// slice of milliseconds. A rank that has lost such a slice sleeps at once for its next waits, since the scheduler
// favours sleepers when they wake. Two ranks that yield to each other stay on one core even beside an idle one, since
// the scheduler does not move what ran a moment ago: one of them moves. For one thread at a time.
class WaitPolicy {
public:
    WaitPolicy(int self, int nranks);

    // Waits awake for as long as that is worthwhile. Returns whether `ready` has become true.
    template <typename Ready>
    bool wait_awake(Ready ready) {
        for (int i = 0; i < spins_; i++) {
            if (ready()) return true;
            cpu_pause();
        }
        if (yielding_.count() == 0) return ready();
        if (sleepy_waits_ > 0) {
            sleepy_waits_--;
            return ready();
        }
        const Clock::time_point start = Clock::now();
        for (Clock::time_point before = start; !ready();) {
            yield_core();
            const Clock::time_point now = Clock::now();
            if (now - before > kStrangersSlice) sleepy_waits_ = kSleepyWaits;
            if (sleepy_waits_ > 0 || now - start > yielding_) return ready();
            if (core_each_ && now - before > kOwnTurn) leave_core(now);
            before = now;
        }
        return true;
    }

private:
    // Longer than one turn of all peers on a core, shorter than the slice that the scheduler gives to a busy process.
    static constexpr std::chrono::microseconds kStrangersSlice{500};
    // Longer than a yield that no thread takes.
    static constexpr std::chrono::microseconds kOwnTurn{3};
    static constexpr std::chrono::milliseconds kBetweenMoves{10};
    // Enough that the slices lost in checking whether the unrelated processes are still there matter little.
    static constexpr int kSleepyWaits = 200;

    static void cpu_pause() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }
    static void yield_core();
    // Moves to another core if it is the turn of this rank, unless it has just done so: something else runs on this
    // one.
    void leave_core(Clock::time_point now);

    int self_;
    int nranks_;
    bool core_each_;
    int spins_;
    std::chrono::microseconds yielding_;
    int sleepy_waits_ = 0;
    Clock::time_point left_core_{};
};

// One turn of sleeping. Create it before the last check of the condition:
//
//     Sleeper sleeper(header);
//     if (!ready()) sleeper.sleep(at_most);
//
// `ready` must cover everything that a waker announces, including an abort and a peer that has left. No wake-up is
// lost: the sleeper first registers and then checks the condition; a waker first changes the condition and then checks
// for sleepers. These accesses are in one total order (seq_cst), so at least one side sees the other. An event between
// the check and the sleep changes `events`, which the kernel compares.
class Sleeper {
public:
    explicit Sleeper(BootstrapHeader &header);
    Sleeper(const Sleeper &) = delete;
    Sleeper &operator=(const Sleeper &) = delete;
    ~Sleeper();

    void sleep(Clock::duration at_most);

private:
    BootstrapHeader &header_;
    uint32_t seen_;
};

// Wakes all sleepers, if any. Call it after a seq_cst change of the condition that they wait for.
void wake_sleepers(BootstrapHeader &header);

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_SEGMENT_WAIT_H
