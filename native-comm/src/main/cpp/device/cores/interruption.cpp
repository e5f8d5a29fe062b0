#include "device/cores/interruption.h"

#include <set>

#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::device {
namespace {

struct Sources {
    std::mutex mutex;
    std::set<const AbortSource *> all;
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
}

AbortRegistration::~AbortRegistration() {
    const std::lock_guard<std::mutex> lock(sources().mutex);
    sources().all.erase(&source_);
}

void Interruption::interrupt(int code, const std::string &text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (interrupted_.load(std::memory_order_relaxed)) return;
    code_ = code;
    text_ = text;
    interrupted_.store(true, std::memory_order_release);
}

void Interruption::check() const {
    if (interrupted_.load(std::memory_order_acquire)) {
        const std::lock_guard<std::mutex> lock(mutex_);
        throw Failure(code_, text_);
    }
    const std::lock_guard<std::mutex> lock(sources().mutex);
    for (const AbortSource *source : sources().all) {
        if (const std::optional<std::string> reason = source->abort_reason()) throw Failure(DEVICE_ABORTED, *reason);
    }
}

}  // namespace rankunit::device
