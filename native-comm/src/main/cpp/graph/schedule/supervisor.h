// Watches over a run until it ends.
#ifndef RANKUNIT_GRAPH_SCHEDULE_SUPERVISOR_H
#define RANKUNIT_GRAPH_SCHEDULE_SUPERVISOR_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "device/cores/activity.h"
#include "device/cores/interruption.h"
#include "graph/schedule/deferrals.h"
#include "graph/schedule/scheduler.h"
#include "support/deadline.h"

namespace rankunit::graph {

// Polls what tasks wait for, and ends a run that takes too long, that is interrupted, or in which nothing can happen
// any more.
class Supervisor {
public:
    Supervisor(Scheduler &scheduler, const TaskSource &source, const device::Interruption &device,
               const Deferrals &deferrals, milliseconds timeout);

    // Returns when the run has ended. Throws what stopped it, after its threads have ended; if they do not end, after a
    // while.
    void watch();

private:
    void check(const Scheduler::Activity &activity);
    void help_if_stuck_in_kernels(const Scheduler::Activity &activity);
    void show_wait(bool waits);
    void fail_if_stuck(const Scheduler::Activity &activity);
    std::chrono::microseconds pause();
    [[noreturn]] void throw_failure(bool abandoned) const;
    std::string text_of_what_is_left() const;

    Scheduler &scheduler_;
    const TaskSource &source_;
    const device::Interruption &device_;
    const Deferrals &deferrals_;
    const milliseconds timeout_;
    const Deadline deadline_;

    std::chrono::microseconds pause_;
    uint64_t seen_ = 0;  // tasks completed and blocks started
    uint64_t dispatched_ = 0;
    Clock::time_point dispatched_at_;
    std::optional<Clock::time_point> idle_since_;
    std::optional<device::Activity::Wait> wait_;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_SCHEDULE_SUPERVISOR_H
