#include "graph/schedule/deferrals.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "graph/schedule/scheduler.h"
#include "rankunit/device.h"
#include "record/record.h"
#include "support/failure.h"

namespace rankunit::graph {

uint64_t Deferrals::add(std::shared_ptr<Scheduler> scheduler, Task &task) {
    const std::lock_guard<std::mutex> lock(mutex_);
    all_.emplace(++last_, Deferral{std::move(scheduler), &task, false});
    record::now(record::kDefer, last_, task.actor);
    return last_;
}

void Deferrals::complete(uint64_t token) {
    std::shared_ptr<Scheduler> scheduler;
    Task *task = nullptr;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = all_.find(token);
        if (found == all_.end() || found->second.completing) {
            throw Failure(DEVICE_INVALID_ARGUMENT,
                          "token " + std::to_string(token) +
                              " is not valid: no task of this device deferred with it, it has been used, or the "
                              "run of its task has ended");
        }
        found->second.completing = true;
        scheduler = found->second.scheduler;
        task = found->second.task;
        record::now(record::kDeferredComplete, token, task->actor);
    }
    scheduler->deferral_ended(*task);
    // Only now: until what follows from the completion is queued, the run must look as if it waited for it.
    const std::lock_guard<std::mutex> lock(mutex_);
    all_.erase(token);
    completed_.notify_all();
}

void Deferrals::forget(const Scheduler &scheduler) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto is_its = [&](const auto &entry) { return entry.second.scheduler.get() == &scheduler; };
    completed_.wait(lock, [&] {
        return std::none_of(all_.begin(), all_.end(),
                            [&](const auto &entry) { return is_its(entry) && entry.second.completing; });
    });
    for (auto at = all_.begin(); at != all_.end();) at = is_its(*at) ? all_.erase(at) : std::next(at);
}

std::vector<std::string> Deferrals::texts(const Scheduler &scheduler) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::string> texts;
    for (const auto &[token, deferral] : all_) {
        if (deferral.scheduler.get() != &scheduler || deferral.completing) continue;
        texts.push_back(deferral.task->text() + " is to be completed with token " + std::to_string(token));
    }
    return texts;
}

bool Deferrals::has(const Scheduler &scheduler) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto &[token, deferral] : all_) {
        if (deferral.scheduler.get() == &scheduler) return true;
    }
    return false;
}

}  // namespace rankunit::graph
