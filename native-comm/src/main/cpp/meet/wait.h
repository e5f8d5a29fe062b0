// Waiting for other ranks: cheaply when they are about to come, asleep when they are not.
#ifndef RANKUNIT_MEET_WAIT_H
#define RANKUNIT_MEET_WAIT_H

#include <chrono>

#include "meet/bootstrap_layout.h"
#include "support/deadline.h"

namespace rankunit::meet {

// What a rank does before it sleeps. Going to sleep and being woken costs tens of microseconds, more than most
// waits take. A rank with a core of its own spins. One that shares its core must not, as the rank it waits for may
// need that very core: it yields. But where the core is shared with strangers too, to yield is to give one of them
// a whole time slice, milliseconds; a rank that has met one sleeps at once for a while, as sleepers are served
// first when they wake. For one thread at a time.
class WaitPolicy {
public:
    explicit WaitPolicy(int nranks);

    // Waits awake, for as long as that pays. Returns whether `ready` has become true.
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
            before = now;
        }
        return true;
    }

private:
    // More than all peers on a core take for a turn each, less than the scheduler gives to one that is always busy.
    static constexpr std::chrono::microseconds kStrangersSlice{500};
    // So many that the slices lost in finding out whether the strangers are still there weigh little.
    static constexpr int kSleepyWaits = 200;

    static void cpu_pause() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }
    static void yield_core();

    int spins_;
    std::chrono::microseconds yielding_;
    int sleepy_waits_ = 0;
};

// One turn of sleeping. To be made before the last look at what is waited for:
//
//     Sleeper sleeper(header);
//     if (!ready()) sleeper.sleep(at_most);
//
// `ready` stands for everything that a waker announces: also an abort, and that a peer has left.
// No wake-up is lost: the sleeper first says that it is there and only then looks at what it waits for; a waker
// first changes that and only then looks for sleepers. Both in one total order (seq_cst), so at least one of them
// sees the other; and an event between the look and the sleep changes `events`, which the kernel compares.
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

// Wakes all sleepers if there are any. To be called after a seq_cst change of what they wait for.
void wake_sleepers(BootstrapHeader &header);

}  // namespace rankunit::meet

#endif  // RANKUNIT_MEET_WAIT_H
