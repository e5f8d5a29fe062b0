// Waiting for other ranks: cheaply when they are about to come, asleep when they are not.
#ifndef RANKUNIT_SIM_WAIT_H
#define RANKUNIT_SIM_WAIT_H

#include <chrono>

#include "sim/segment_layout.h"
#include "support/deadline.h"

namespace rankunit::sim {

// What a rank does before it sleeps. Going to sleep and being woken costs tens of microseconds, more than most
// waits take. A rank with a core of its own spins. One that shares its core must not: the rank it waits for may
// need that very core.
struct WaitPolicy {
    int spins;
    std::chrono::microseconds yielding;

    static WaitPolicy for_ranks(int nranks);
};

inline void cpu_pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

void yield_core();

// Waits awake as the policy says. Returns whether `ready` has become true.
template <typename Ready>
bool wait_awake(const WaitPolicy &policy, Ready ready) {
    for (int i = 0; i < policy.spins; i++) {
        if (ready()) return true;
        cpu_pause();
    }
    if (policy.yielding.count() == 0) return ready();
    const Clock::time_point end = Clock::now() + policy.yielding;
    do {
        if (ready()) return true;
        yield_core();
    } while (Clock::now() < end);
    return ready();
}

// One turn of sleeping. To be made before the last look at what is waited for:
//
//     Sleeper sleeper(header);
//     if (!ready()) sleeper.sleep(at_most);
//
// No wake-up is lost: the sleeper first says that it is there and only then looks at what it waits for; a waker
// first changes that and only then looks for sleepers. Both in one total order (seq_cst), so at least one of them
// sees the other; and an event between the look and the sleep changes `events`, which the kernel compares.
class Sleeper {
public:
    explicit Sleeper(SegmentHeader &header);
    Sleeper(const Sleeper &) = delete;
    Sleeper &operator=(const Sleeper &) = delete;
    ~Sleeper();

    void sleep(Clock::duration at_most);

private:
    SegmentHeader &header_;
    uint32_t seen_;
};

// Wakes all sleepers if there are any. To be called after a seq_cst change of what they wait for.
void wake_sleepers(SegmentHeader &header);

}  // namespace rankunit::sim

#endif  // RANKUNIT_SIM_WAIT_H
