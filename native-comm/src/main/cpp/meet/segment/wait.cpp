#include "meet/segment/wait.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace rankunit::meet {
namespace {

int usable_cores() {
    cpu_set_t cores;
    // Fails on machines with more cores than a cpu_set_t has bits; these have enough cores for any number of ranks.
    if (sched_getaffinity(0, sizeof(cores), &cores) == 0) return CPU_COUNT(&cores);
    return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

// The futex is shared between processes, so the *_PRIVATE operations cannot be used.
long futex(Word &word, int operation, uint32_t value, const timespec *timeout) {
    return syscall(SYS_futex, reinterpret_cast<uint32_t *>(&word), operation, value, timeout, nullptr, 0);
}

}  // namespace

WaitPolicy::WaitPolicy(int nranks) {
    const bool core_each = nranks <= usable_cores();
    spins_ = core_each ? 200 : 0;
    yielding_ = std::chrono::microseconds(1000);
}

void WaitPolicy::yield_core() {
    sched_yield();
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
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(at_most).count();
    if (left <= 0) return;
    const timespec timeout{static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
    // Woken, timed out, interrupted, or `events` has changed: the caller checks again in each case.
    futex(header_.events, FUTEX_WAIT, seen_, &timeout);
}

void wake_sleepers(BootstrapHeader &header) {
    if (header.sleepers.load(std::memory_order_seq_cst) == 0) return;
    // release: a sleeper that reads the new value sees everything that happened before it
    header.events.fetch_add(1, std::memory_order_release);
    futex(header.events, FUTEX_WAKE, INT_MAX, nullptr);
}

}  // namespace rankunit::meet
