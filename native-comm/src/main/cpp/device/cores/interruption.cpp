#include "device/cores/interruption.h"

#include <algorithm>
#include <array>
#include <set>

#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::device {
namespace {

struct Sources {
    std::mutex mutex;
    std::set<const AbortSource *> all;
    std::atomic<uint32_t> changes{0};  // of the set; a futex, so that a wait heeds what is registered while it sleeps

    void changed() {
        changes.fetch_add(1, std::memory_order_relaxed);
        futex_wake_all(&changes);
    }
};

Sources &sources() {
    // never destroyed: a stream may still wait when the process ends
    static Sources &sources = *new Sources;
    return sources;
}

}  // namespace

AbortRegistration::AbortRegistration(const AbortSource &source) : source_(source) {
    const std::lock_guard<std::mutex> lock(sources().mutex);
    sources().all.insert(&source_);
    sources().changed();
}

AbortRegistration::~AbortRegistration() {
    const std::lock_guard<std::mutex> lock(sources().mutex);
    sources().all.erase(&source_);
    sources().changed();
}

void Interruption::interrupt(int code, const std::string &text) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (interrupted_.load(std::memory_order_relaxed) != 0) return;
        code_ = code;
        text_ = text;
        // release: who sees it may read the text; the futex looks at it once more before it lets a thread sleep
        interrupted_.store(1, std::memory_order_release);
    }
    futex_wake_all(&interrupted_);
}

void Interruption::check() const {
    if (interrupted_.load(std::memory_order_acquire) != 0) {
        const std::lock_guard<std::mutex> lock(mutex_);
        throw Failure(code_, text_);
    }
    const std::lock_guard<std::mutex> lock(sources().mutex);
    for (const AbortSource *source : sources().all) {
        if (const std::optional<std::string> reason = source->abort_reason()) throw Failure(DEVICE_ABORTED, *reason);
    }
}

void Interruption::sleep_on(const std::atomic<uint32_t> &word, uint32_t value, Clock::duration at_most) const {
    sleep_on(FutexWord{&word, value}, at_most);
}

void Interruption::sleep_on(const std::atomic<int32_t> &word, int32_t value, Clock::duration at_most) const {
    sleep_on(FutexWord{&word, static_cast<uint32_t>(value)}, at_most);
}

void Interruption::sleep_on(const FutexWord &word, Clock::duration at_most) const {
    std::array<FutexWord, kMostFutexWords> words;
    words[0] = word;
    words[1] = {&interrupted_, 0};
    size_t count = 3;
    Clock::duration time = at_most;
    {
        const std::lock_guard<std::mutex> lock(sources().mutex);
        words[2] = {&sources().changes, sources().changes.load(std::memory_order_relaxed)};
        for (const AbortSource *source : sources().all) {
            if (count == words.size()) {
                time = std::min<Clock::duration>(time, kSlice);
                break;
            }
            words[count++] = {&source->abort_word(), 0};
        }
    }
    if (!futex_wait_any(words.data(), count, time)) futex_wait(word, std::min<Clock::duration>(time, kSlice));
}

}  // namespace rankunit::device
