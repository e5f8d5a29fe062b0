// Sleeping on words of 4 bytes that processes may share, at different addresses.
#ifndef RANKUNIT_SUPPORT_FUTEX_H
#define RANKUNIT_SUPPORT_FUTEX_H

#include <cstddef>
#include <cstdint>

#include "support/deadline.h"

namespace rankunit {

// A word, and the value with which a thread goes to sleep on it.
struct FutexWord {
    const void *address;
    uint32_t value;
};

constexpr size_t kMostFutexWords = 128;

// Sleeps until the word is woken or `at_most` has passed; not at all if it has another value, or is no longer mapped.
// May return early, so the caller checks what it waits for, and then calls this again.
void futex_wait(const FutexWord &word, Clock::duration at_most);

// The same for at most kMostFutexWords words, any of which ends the sleep. False if this system cannot do it, as before
// Linux 5.16 or where a filter forbids the call: it has then not slept.
bool futex_wait_any(const FutexWord *words, size_t count, Clock::duration at_most);

// Wakes up to so many of the threads that sleep on the word, in all processes.
void futex_wake(const void *address, int threads);
void futex_wake_all(const void *address);

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_FUTEX_H
