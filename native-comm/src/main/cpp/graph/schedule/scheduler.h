// Runs tasks on the cores of a device, in an order that their dependencies allow.
#ifndef RANKUNIT_GRAPH_SCHEDULE_SCHEDULER_H
#define RANKUNIT_GRAPH_SCHEDULE_SCHEDULER_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/cores/launch.h"
#include "graph/model/task.h"
#include "graph/schedule/deferrals.h"
#include "graph/schedule/ready_queue.h"
#include "graph/schedule/seat.h"
#include "graph/schedule/waiting_tasks.h"
#include "record/record.h"
#include "shake/shake.h"
#include "support/failure.h"

namespace rankunit::graph {

// Who makes the tasks of a run, and owns them. Called from any thread.
class TaskSource {
public:
    virtual ~TaskSource() = default;
    // The scheduler does not touch the task any more. `edges` led from it.
    virtual void completed(Task &task, Edge *edges) noexcept = 0;
    // Whether it makes no further task until one completes.
    virtual bool is_idle() const = 0;
    // Whether its function has returned.
    virtual bool has_ended() const = 0;
    // What it is doing, for people, unless it has ended.
    virtual std::string text() const = 0;
    // Why tasks are left although nothing runs and nothing waits. Called when it has ended.
    virtual std::string text_of_rest() const = 0;

    // Sees what its tasks do, if not all of them are recorded.
    virtual record::Watch *watch() { return nullptr; }

    uint64_t recorded_run = 0;  // its number in the log of events
};

// One run of a graph. A task may run once the tasks that it depends on have completed, its waits hold, and it has been
// published. Its blocks run on threads of Workers, which follow one chain of tasks as long as they can: the thread that
// completes a task runs one of its successors itself, on the same core if it is of that kind. Else mixed tasks are
// started before others, and then those first that have been ready for the longest time.
//
// The first failure stops the run: no task is started any more, and kernels that wait are ended. Thread-safe.
class Scheduler : public std::enable_shared_from_this<Scheduler> {
public:
    // `cores` and `deferrals` are the device's.
    // `within`: the run, for the note of what runs.
    Scheduler(std::shared_ptr<TaskSource> source, device::Cores &cores, Deferrals &deferrals, std::string within);
    Scheduler(const Scheduler &) = delete;
    Scheduler &operator=(const Scheduler &) = delete;

    // For the source. Tasks are published one by one, or as a whole graph: then `roots` are those that depend on
    // nothing, and all `tasks` count.
    void publish(Task &task);
    void start(TaskList &roots, uint64_t tasks);
    // There will be no further task.
    void close();
    // Throws what has stopped the run.
    void require_going_on() const;

    // Stops the run. The first failure counts.
    void fail(int code, const std::string &text) noexcept;
    void deferral_ended(Task &task);

    // For the supervisor.
    struct Activity {
        bool ended;           // all tasks have completed or the run was stopped, and no thread is left
        bool stopped;         // by a failure
        uint32_t busy;        // threads that run a task
        size_t ready;         // blocks that could run
        uint64_t dispatched;  // blocks that were taken from the queue so far
    };
    Activity activity() const;
    const std::string &within() const { return within_; }
    // Returns early when the run has ended or stopped.
    void wait_for_change(std::chrono::microseconds at_most);
    void poll_waits();
    // One more thread, since those that there are may spin on what tasks do that they have not started.
    void add_runner();
    std::optional<FailureRecord> failure() const;
    std::vector<std::string> texts_of_running() const;
    const WaitingTasks &waiting() const { return waiting_; }
    uint64_t completed() const { return completed_.load(std::memory_order_acquire); }
    uint64_t skipped() const { return skipped_.load(std::memory_order_relaxed); }
    // Tasks that were published and have not completed.
    uint64_t uncompleted() const { return published_.load(std::memory_order_acquire) - completed(); }

private:
    class PartOwner;

    // Following the dependencies; the tasks of `skipped` complete without having run. scheduler.cpp
    void pass_dependency(Task &task, TaskList &ready, TaskList &skipped);
    void admit(Task &task, TaskList &ready, TaskList &skipped);
    void pass_waits(Task &task, TaskList &ready, TaskList &skipped);
    // Nothing keeps it from running any more.
    static void make_ready(Task &task, TaskList &ready);
    void end_part(Task &task, TaskList &ready);
    void complete(TaskList &done, TaskList &ready);
    void fail_current(const std::string &who) noexcept;
    void poll_waits(TaskList &ready);
    bool is_over() const { return all_done_.load() || stopped_.load(); }
    // Called with the mutex held. Parts of mixed blocks are busy before they have a seat.
    bool has_stood_still() const { return is_over() && seats_.empty() && busy_ == 0; }

    // The threads. scheduler_threads.cpp
    void queue(TaskList &ready);
    bool is_shaken() const { return shaken_.shaking != 0; }
    void pause_before_publication(const Task &task) const;
    uint32_t missing_runners() const;
    bool has_too_many_runners() const;
    void spawn(uint32_t runners);
    void run();
    bool take(Seat &seat);
    bool choose(Seat &seat);
    void linger(std::unique_lock<std::mutex> &lock);
    void start_mates(Seat &seat);
    void run_mate(Task &task, uint32_t block, uint32_t sub_block, uint32_t core);
    void run_part(Seat &seat, TaskList &ready);
    bool follow(Seat &seat, TaskList &ready);
    void enter(Seat &seat);
    void leave(Seat &seat);

    const std::shared_ptr<TaskSource> source_;
    device::Cores &cores_;
    Deferrals &deferrals_;
    const uint32_t most_runners_;  // at the same time, without those whose kernel waits
    const std::string within_;
    const shake::Here shaken_ = shake::here();
    // Ends the waits of this run's kernels.
    device::Interruption interruption_;

    WaitingTasks waiting_;
    std::atomic<uint64_t> published_{0};
    std::atomic<uint64_t> completed_{0};
    std::atomic<uint64_t> skipped_{0};
    std::atomic<bool> closed_{false};
    std::atomic<bool> all_done_{false};
    std::atomic<bool> stopped_{false};
    std::atomic<int64_t> next_poll_us_{0};

    mutable std::mutex mutex_;  // for what follows
    std::condition_variable changed_;
    ReadyQueue ready_;
    std::set<const Seat *> seats_;  // of threads that have begun
    uint32_t runners_ = 0;          // threads, and those that were asked for
    uint32_t busy_ = 0;             // those of them that have a task
    uint32_t blocked_ = 0;          // those of them whose kernel waits
    uint32_t mates_ = 0;            // those of them that run one part of a mixed block
    uint64_t dispatched_ = 0;
    std::optional<FailureRecord> failure_;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_SCHEDULE_SCHEDULER_H
