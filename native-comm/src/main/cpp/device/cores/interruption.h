// What ends the waits of a device before what they wait for happens.
#ifndef RANKUNIT_DEVICE_CORES_INTERRUPTION_H
#define RANKUNIT_DEVICE_CORES_INTERRUPTION_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "support/deadline.h"
#include "support/futex.h"

namespace rankunit::device {

// Something outside of the devices that ends their waits: a communicator that may be aborted.
class AbortSource {
public:
    virtual ~AbortSource() = default;
    // Why waits must end; none as long as they need not. Called often, from any thread.
    virtual std::optional<std::string> abort_reason() const = 0;
    // Becomes another value than 0 with the abort, and is then woken as a futex. It may be shared with other processes,
    // so that a thread that aborts wakes the waits of all.
    virtual const std::atomic<uint32_t> &abort_word() const = 0;
};

// Registers a source for all devices of this process as long as the object lives.
class AbortRegistration {
public:
    explicit AbortRegistration(const AbortSource &source);
    AbortRegistration(const AbortRegistration &) = delete;
    AbortRegistration &operator=(const AbortRegistration &) = delete;
    ~AbortRegistration();

private:
    const AbortSource &source_;
};

// One device's. Every wait sleeps in sleep_on and looks at `check` afterwards. Thread-safe.
class Interruption {
public:
    // How long a wait may sleep for something that wakes no thread.
    static constexpr std::chrono::milliseconds kSlice{20};

    // Ends all waits, now and later, with a Failure of this code and text. The first call counts.
    void interrupt(int code, const std::string &text);

    // Throws the Failure of interrupt, or DEVICE_ABORTED if a source gives a reason.
    void check() const;

    // Sleeps as long as the word has the value, until it is woken, `check` would throw, or `at_most` has passed. May
    // return early. On systems that cannot wait for several words, it returns after kSlice, so that an interruption is
    // noticed then.
    void sleep_on(const std::atomic<uint32_t> &word, uint32_t value, Clock::duration at_most) const;
    void sleep_on(const std::atomic<int32_t> &word, int32_t value, Clock::duration at_most) const;

    void set_timeout_ms(int64_t milliseconds) { timeout_ms_.store(milliseconds, std::memory_order_relaxed); }
    std::chrono::milliseconds timeout() const {
        return std::chrono::milliseconds{timeout_ms_.load(std::memory_order_relaxed)};
    }

private:
    void sleep_on(const FutexWord &word, Clock::duration at_most) const;

    std::atomic<uint32_t> interrupted_{0};  // a futex
    mutable std::mutex mutex_;
    int code_ = 0;
    std::string text_;
    std::atomic<int64_t> timeout_ms_{120'000};
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_INTERRUPTION_H
