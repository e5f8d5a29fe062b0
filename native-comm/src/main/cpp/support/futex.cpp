#include "support/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <ctime>

namespace rankunit {
namespace {

// As <linux/futex.h> and <sys/syscall.h> of Linux 5.16 have them; the number is the same on all processors.
constexpr long kFutexWaitv = 449;
constexpr uint32_t kFutex32Bits = 2;
struct Waiter {
    uint64_t value;
    uint64_t address;
    uint32_t flags;
    uint32_t reserved;
};

// A time that cannot be reached is as good as none.
constexpr std::chrono::hours kLongest{24 * 365};

timespec timespec_of(std::chrono::nanoseconds time) {
    constexpr int64_t kPerSecond = 1'000'000'000;
    return {static_cast<time_t>(time.count() / kPerSecond), static_cast<long>(time.count() % kPerSecond)};
}

}  // namespace

// Not the *_PRIVATE operations: the word may be in memory that processes share.
void futex_wait(const FutexWord &word, Clock::duration at_most) {
    if (at_most <= Clock::duration::zero()) return;
    const timespec timeout = timespec_of(at_most);
    syscall(SYS_futex, word.address, FUTEX_WAIT, word.value, &timeout, nullptr, 0);
}

bool futex_wait_any(const FutexWord *words, size_t count, Clock::duration at_most) {
    static std::atomic<bool> unavailable{false};
    if (unavailable.load(std::memory_order_relaxed) || count > kMostFutexWords) return false;
    if (at_most <= Clock::duration::zero()) return true;
    std::array<Waiter, kMostFutexWords> waiters;
    for (size_t i = 0; i < count; i++) {
        waiters[i] = {words[i].value, reinterpret_cast<uint64_t>(words[i].address), kFutex32Bits, 0};
    }
    const timespec end = timespec_of(Clock::now().time_since_epoch() + std::min<Clock::duration>(at_most, kLongest));
    const long woken = syscall(kFutexWaitv, waiters.data(), count, 0, &end, CLOCK_MONOTONIC);
    if (woken >= 0 || (errno != ENOSYS && errno != EPERM)) return true;
    unavailable.store(true, std::memory_order_relaxed);
    return false;
}

void futex_wake(const void *address, int threads) {
    syscall(SYS_futex, address, FUTEX_WAKE, threads, nullptr, nullptr, 0);
}

void futex_wake_all(const void *address) {
    futex_wake(address, INT_MAX);
}

}  // namespace rankunit
