#include "support/cores.h"

#include <sched.h>
#include <unistd.h>

#include <chrono>

namespace rankunit {

namespace {

// Longer than a move, so that the others notice it before it is their turn.
constexpr std::chrono::microseconds kTurn{500};

}  // namespace

int usable_cores() {
    cpu_set_t cores;
    // Fails on machines with more cores than a cpu_set_t has bits.
    if (sched_getaffinity(0, sizeof(cores), &cores) == 0) return CPU_COUNT(&cores);
    return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

bool move_to_another_core() {
    cpu_set_t cores;
    const int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof(cores), &cores) != 0) return false;
    cpu_set_t others = cores;
    CPU_CLR(here, &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof(others), &others) != 0) return false;
    // The kernel has just accepted a part of these.
    sched_setaffinity(0, sizeof(cores), &cores);
    return true;
}

bool is_turn_to_move(Clock::time_point now, int self, int count) {
    // The clock is that of the machine, so the turns are the same in all processes.
    return now.time_since_epoch() / kTurn % count == self;
}

}  // namespace rankunit
