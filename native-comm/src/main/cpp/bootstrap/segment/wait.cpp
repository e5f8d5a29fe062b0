#include "bootstrap/segment/wait.h"

#include <sched.h>

#include "support/cores.h"
#include "support/futex.h"

namespace rankunit::bootstrap {

WaitPolicy::WaitPolicy(int self, int nranks) : self_(self), nranks_(nranks) {
    core_each_ = nranks <= usable_cores();
    spins_ = core_each_ ? 200 : 0;
    yielding_ = std::chrono::microseconds(1000);
}

void WaitPolicy::yield_core() {
    sched_yield();
}

void WaitPolicy::leave_core(Clock::time_point now) {
    if (!is_turn_to_move(now, self_, nranks_) || now - left_core_ < kBetweenMoves) return;
    left_core_ = now;
    move_to_another_core();
}

Sleeper::Sleeper(BootstrapHeader &header) : header_(header) {
    header_.sleepers.fetch_add(1, std::memory_order_seq_cst);
    // acquire: values read after this are at least as new as this event
    seen_ = header_.events.load(std::memory_order_acquire);
}

// relaxed: a waker that still counts this sleeper only makes one unnecessary call
Sleeper::~Sleeper() {
    header_.sleepers.fetch_sub(1, std::memory_order_relaxed);
}

void Sleeper::sleep(Clock::duration at_most) {
    // Woken, timed out, interrupted, or `events` has changed: the caller checks again in each case.
    futex_wait({&header_.events, seen_}, at_most);
}

void wake_sleepers(BootstrapHeader &header) {
    if (header.sleepers.load(std::memory_order_seq_cst) == 0) return;
    // release: a sleeper that reads the new value sees everything that happened before it
    header.events.fetch_add(1, std::memory_order_release);
    futex_wake_all(&header.events);
}

}  // namespace rankunit::bootstrap
