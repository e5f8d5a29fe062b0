// What ends the waits of a device. A wait that is not ended lets the test program run into its time-out.
#include "device/cores/interruption.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/check.h"
#include "rankunit/device.h"
#include "support/failure.h"
#include "support/futex.h"

using rankunit::Failure;
using rankunit::device::AbortRegistration;
using rankunit::device::AbortSource;
using rankunit::device::Interruption;

namespace {

constexpr std::chrono::hours kLong{1};

class Source : public AbortSource {
public:
    std::optional<std::string> abort_reason() const override {
        if (word_.load() == 0) return std::nullopt;
        return "because of rank 1";
    }
    const std::atomic<uint32_t> &abort_word() const override { return word_; }

    void abort() {
        word_.store(1);
        rankunit::futex_wake_all(&word_);
    }

private:
    std::atomic<uint32_t> word_{0};
};

// A thread that waits forever, until something ends its wait.
class Waiter {
public:
    explicit Waiter(const Interruption &interruption) : thread_([this, &interruption] { wait(interruption); }) {}

    // A thread that has looked at `check` once has gone to sleep, or will not sleep.
    void await_look() const {
        while (looks_.load() == 0) std::this_thread::yield();
    }
    std::string ended_by() {
        thread_.join();
        return text_;
    }

private:
    void wait(const Interruption &interruption) {
        try {
            for (;;) {
                interruption.check();
                looks_++;
                interruption.sleep_on(word_, 0u, kLong);
            }
        } catch (const Failure &failure) {
            text_ = std::to_string(failure.code()) + ": " + failure.what();
        }
    }

    const std::atomic<uint32_t> word_{0};
    std::atomic<uint32_t> looks_{0};
    std::string text_;
    std::thread thread_;
};

const std::string kAborted = std::to_string(DEVICE_ABORTED) + ": because of rank 1";

TEST(an_abort_ends_all_waits) {
    Source source;
    const AbortRegistration registration(source);
    const Interruption first;
    const Interruption second;
    Waiter waiters[] = {Waiter(first), Waiter(first), Waiter(second)};
    for (const Waiter &waiter : waiters) waiter.await_look();
    source.abort();
    for (Waiter &waiter : waiters) CHECK_EQUAL(waiter.ended_by(), kAborted);
}

TEST(an_abort_of_what_was_registered_during_a_wait_ends_it) {
    const Interruption interruption;
    Waiter waiter(interruption);
    waiter.await_look();
    Source source;
    const AbortRegistration registration(source);
    source.abort();
    CHECK_EQUAL(waiter.ended_by(), kAborted);
}

TEST(what_is_no_longer_registered_ends_no_wait) {
    const Interruption interruption_before;
    Source gone;
    {
        const AbortRegistration registration(gone);
    }
    Interruption interruption;
    Waiter waiter(interruption);
    gone.abort();
    interruption_before.check();
    interruption.interrupt(DEVICE_BUSY, "closed");
    CHECK_EQUAL(waiter.ended_by(), std::to_string(DEVICE_BUSY) + ": closed");
}

TEST(an_interruption_ends_the_waits_of_one_device) {
    Source source;
    const AbortRegistration registration(source);
    Interruption interrupted;
    const Interruption other;
    Waiter waiter(interrupted);
    Waiter of_other(other);
    waiter.await_look();
    of_other.await_look();
    interrupted.interrupt(DEVICE_BUSY, "closed");
    interrupted.interrupt(DEVICE_TIMEOUT, "too late");
    CHECK_EQUAL(waiter.ended_by(), std::to_string(DEVICE_BUSY) + ": closed");
    other.check();
    source.abort();
    CHECK_EQUAL(of_other.ended_by(), kAborted);
}

// More than a thread can sleep on.
TEST(each_of_very_many_communicators_ends_a_wait) {
    std::vector<std::unique_ptr<Source>> sources;
    std::vector<std::unique_ptr<AbortRegistration>> registrations;
    for (size_t i = 0; i < 2 * rankunit::kMostFutexWords; i++) {
        sources.push_back(std::make_unique<Source>());
        registrations.push_back(std::make_unique<AbortRegistration>(*sources.back()));
    }
    for (const size_t i : {size_t{0}, sources.size() - 1}) {
        const Interruption interruption;
        Waiter waiter(interruption);
        waiter.await_look();
        sources[i]->abort();
        CHECK_EQUAL(waiter.ended_by(), kAborted);
        registrations[i].reset();
    }
}

TEST(a_signed_word_that_changes_ends_the_sleep) {
    const Interruption interruption;
    std::atomic<int32_t> cell{-1};
    std::thread signaller([&] {
        cell.store(2);
        rankunit::futex_wake_all(&cell);
    });
    while (cell.load() == -1) interruption.sleep_on(cell, -1, kLong);
    signaller.join();
}

}  // namespace
