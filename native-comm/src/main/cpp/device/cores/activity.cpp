#include "device/cores/activity.h"

#include <algorithm>
#include <utility>

#include "support/failure.h"

namespace rankunit::device {
namespace {

// A caller that sets a shorter time-out wants to see it pass.
constexpr std::chrono::milliseconds kSoon{5000};

thread_local bool is_of_device = false;  // within a Work
thread_local bool works = false;         // and not within a Wait
thread_local const Activity::Text *name = nullptr;

std::string name_of_this_thread() {
    return name == nullptr ? "the host" : (*name)();
}

}  // namespace

Activity &Activity::of_process() {
    static Activity &activity = *new Activity;
    return activity;
}

// The change is counted before it: a snapshot that sees the work ended sees that something has changed, too.
void Activity::add(int64_t working) {
    changes_.fetch_add(1, std::memory_order_seq_cst);
    working_.fetch_add(working, std::memory_order_seq_cst);
}

Activity::Work::Work(Activity &activity) : activity_(activity) {
    activity_.add(1);
    is_of_device = works = true;
}

Activity::Work::Work(Activity &activity, Announced) : activity_(activity) {
    is_of_device = works = true;
}

Activity::Work::~Work() {
    is_of_device = works = false;
    activity_.add(-1);
}

void Activity::announce_work() {
    add(1);
}

Activity::Name::Name(const Text &text) : before_(std::exchange(name, &text)) {}

Activity::Name::~Name() {
    name = before_;
}

Activity::Wait::Wait(Text what, std::function<bool()> over, std::chrono::milliseconds timeout)
    : who_(name_of_this_thread()),
      by_host_(!is_of_device),
      worked_(works),
      what_(std::move(what)),
      over_(std::move(over)),
      ends_soon_(timeout < kSoon) {
    Activity &activity = of_process();
    const std::lock_guard<std::mutex> lock(activity.mutex_);
    activity.waits_.insert(this);
    activity.add(worked_ ? -1 : 0);
    works = false;
}

Activity::Wait::~Wait() {
    Activity &activity = of_process();
    const std::lock_guard<std::mutex> lock(activity.mutex_);
    activity.waits_.erase(this);
    activity.add(worked_ ? 1 : 0);
    works = worked_;
}

std::string Activity::Wait::text() const {
    std::string what;
    try {
        what = what_();
    } catch (const Failure &failure) {
        what = failure.what();
    }
    return what.empty() ? "" : who_ + " waits for " + what;
}

Activity::Snapshot Activity::snapshot() {
    const std::lock_guard<std::mutex> lock(mutex_);
    Snapshot seen{working_.load(std::memory_order_seq_cst) > 0, false, 0, {}};
    std::vector<std::string> others;
    for (const Wait *wait : waits_) {
        if (wait->ends_soon_ || wait->over_()) seen.works = true;
        seen.host_waits = seen.host_waits || wait->by_host_;
        const std::string text = wait->text();
        if (!text.empty()) (wait->by_host_ ? seen.waits : others).push_back(text);
    }
    std::sort(others.begin(), others.end());
    seen.waits.insert(seen.waits.end(), others.begin(), others.end());
    seen.changes = changes_.load(std::memory_order_seq_cst);
    return seen;
}

}  // namespace rankunit::device
