#include "graph/schedule/supervisor.h"

#include <algorithm>
#include <vector>

#include "rankunit/device.h"

namespace rankunit::graph {
namespace {

using std::chrono::microseconds;

// While tasks wait for cells, these are polled as often: from the first to the second, the longer nothing happens.
constexpr microseconds kShortestPause{20};
constexpr microseconds kLongestPause{1000};
constexpr microseconds kPauseWithoutWaits{5000};

// If no block was started for this time although one could be, kernels may spin on what it does.
constexpr microseconds kPatience{2000};

// For so long, the host or a stream may still change a cell that nothing in the graph changes.
constexpr milliseconds kIdleTime{500};
// Threads may be between two steps, which takes far less.
constexpr milliseconds kIdleTimeWithoutWaits{20};

// After a failure, for threads to end.
constexpr milliseconds kGrace{2000};

constexpr size_t kMostNamed = 8;

std::string joined(const std::vector<std::string> &texts) {
    std::string all;
    for (size_t i = 0; i < std::min(texts.size(), kMostNamed); i++) all += (i == 0 ? "" : "; ") + texts[i];
    if (texts.size() > kMostNamed) all += "; and " + std::to_string(texts.size() - kMostNamed) + " more";
    return all;
}

}  // namespace

Supervisor::Supervisor(Scheduler &scheduler, const TaskSource &source, const device::Interruption &device,
                       const Deferrals &deferrals, milliseconds timeout)
    : scheduler_(scheduler),
      source_(source),
      device_(device),
      deferrals_(deferrals),
      timeout_(timeout),
      deadline_(timeout),
      pause_(kShortestPause),
      dispatched_at_(Clock::now()) {}

void Supervisor::watch() {
    std::optional<Deadline> grace;
    for (;;) {
        scheduler_.wait_for_change(grace.has_value() ? kLongestPause : pause());
        const Scheduler::Activity activity = scheduler_.activity();
        const bool ended = activity.ended && source_.has_ended();
        if (ended && !activity.stopped) return;
        if (activity.stopped) {
            if (!grace.has_value()) grace.emplace(kGrace);
            if (ended || grace->passed()) throw_failure(!ended);
        } else {
            check(activity);
        }
    }
}

microseconds Supervisor::pause() {
    const microseconds left = std::chrono::duration_cast<microseconds>(deadline_.left());
    const microseconds pause = scheduler_.waiting().count() > 0 ? pause_ : kPauseWithoutWaits;
    pause_ = std::min(2 * pause_, kLongestPause);
    return std::max(microseconds{0}, std::min(pause, left));
}

void Supervisor::check(const Scheduler::Activity &activity) {
    try {
        device_.check();
    } catch (const Failure &failure) {
        scheduler_.fail(failure.code(), failure.what());
        return;
    }
    if (deadline_.passed()) {
        const std::string left = text_of_what_is_left();
        scheduler_.fail(DEVICE_TIMEOUT, "it did not end within " + std::to_string(timeout_.count()) + " ms: " + left);
        return;
    }
    scheduler_.poll_waits();
    const uint64_t seen = scheduler_.completed() + activity.dispatched;
    if (seen != seen_) {
        seen_ = seen;
        pause_ = kShortestPause;
        idle_since_.reset();
    }
    help_if_stuck_in_kernels(activity);
    fail_if_stuck(activity);
}

void Supervisor::help_if_stuck_in_kernels(const Scheduler::Activity &activity) {
    const Clock::time_point now = Clock::now();
    if (activity.dispatched != dispatched_ || activity.ready == 0) {
        dispatched_ = activity.dispatched;
        dispatched_at_ = now;
    } else if (now - dispatched_at_ >= kPatience) {
        dispatched_at_ = now;
        scheduler_.add_runner();
    }
}

// What is read last could follow from what is read first, not the other way round. So if all of it is idle for a while,
// without a completion in between, nothing happens any more.
void Supervisor::fail_if_stuck(const Scheduler::Activity &activity) {
    const bool source_is_idle = source_.is_idle();
    const bool waits = scheduler_.waiting().count() > 0;
    const bool stands = activity.busy == 0 && activity.ready == 0 && source_is_idle && !deferrals_.has(scheduler_);
    show_wait(stands && waits);
    const bool idle = stands && (!waits || scheduler_.waiting().all_private());
    const Clock::time_point now = Clock::now();
    if (!idle) {
        idle_since_.reset();
        return;
    }
    if (!idle_since_.has_value()) idle_since_ = now;
    const bool only_rest = !waits && source_.has_ended();
    if (now - *idle_since_ < (only_rest ? kIdleTimeWithoutWaits : kIdleTime)) return;
    if (only_rest) {
        scheduler_.fail(DEVICE_INVALID_ARGUMENT, source_.text_of_rest());
    } else {
        scheduler_.fail(DEVICE_TIMEOUT, "it cannot go on: " + text_of_what_is_left() +
                                            ". Nothing runs any more, and no other rank can change these cells; is a "
                                            "task that signals them missing, or does it depend on one that waits?");
    }
}

// Other ranks can see that the tasks wait for them.
void Supervisor::show_wait(bool waits) {
    if (!waits) {
        wait_.reset();
    } else if (!wait_.has_value()) {
        wait_.emplace([this] { return "a graph in which " + joined(scheduler_.waiting().texts()); },
                      [this] { return scheduler_.waiting().any_can_go_on(); }, timeout_);
    }
}

std::string Supervisor::text_of_what_is_left() const {
    std::vector<std::string> texts = scheduler_.texts_of_running();
    for (std::string &text : texts) text += " runs";
    for (const std::string &text : scheduler_.waiting().texts()) texts.push_back(text);
    for (const std::string &text : deferrals_.texts(scheduler_)) texts.push_back(text);
    if (!source_.has_ended()) texts.insert(texts.begin(), source_.text());
    const uint64_t uncompleted = scheduler_.uncompleted();
    texts.insert(texts.begin(),
                 std::to_string(uncompleted) + (uncompleted == 1 ? " task has" : " tasks have") + " not completed");
    return joined(texts);
}

void Supervisor::throw_failure(bool abandoned) const {
    const FailureRecord failure = *scheduler_.failure();
    if (!abandoned) failure.raise();
    std::vector<std::string> texts = scheduler_.texts_of_running();
    if (!source_.has_ended()) texts.insert(texts.begin(), source_.text());
    throw Failure(failure.code, failure.text + "; it has been stopped, but still goes on: " + joined(texts));
}

}  // namespace rankunit::graph
