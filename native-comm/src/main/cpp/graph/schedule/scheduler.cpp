#include "graph/schedule/scheduler.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "device/cores/cells.h"
#include "device/cores/workers.h"
#include "graph/model/graph_events.h"
#include "rankunit/device.h"
#include "record/record.h"
#include "support/deadline.h"

namespace rankunit::graph {
namespace {

// How often threads that complete tasks look at cells.
constexpr std::chrono::microseconds kPollInterval{20};

// So many tasks are queued at once.
constexpr size_t kBatch = 256;

int64_t now_us() {
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count();
}

}  // namespace

// Workers lets twice as many threads run as there are processors. More than there are would only delay each other.
Scheduler::Scheduler(std::shared_ptr<TaskSource> source, device::Cores &cores, Deferrals &deferrals, std::string within)
    : source_(std::move(source)),
      cores_(cores),
      deferrals_(deferrals),
      most_runners_(std::max(1u, device::Workers::of_process().limit() / 2)),
      within_(std::move(within)) {
    interruption_.set_timeout_ms(cores.interruption.timeout().count());
}

void Scheduler::publish(Task &task) {
    if (is_shaken()) pause_before_publication(task);
    published_.fetch_add(1);
    if (task.actor != 0) record::now(record::kPublish, task.actor);
    TaskList ready;
    TaskList skipped;
    pass_dependency(task, ready, skipped);
    complete(skipped, ready);
    queue(ready);
}

void Scheduler::pause_before_publication(const Task &task) const {
    const shake::Decision decision = shake::pass(shaken_.of_task(task.id), shake::kPublished);
    if (!decision.waits) return;
    const device::Workers::Pause pause(device::Workers::of_process());
    shake::rest(decision);
}

void Scheduler::start(TaskList &roots, uint64_t tasks) {
    published_.fetch_add(tasks);
    TaskList ready;
    TaskList skipped;
    while (Task *root = roots.pop()) {
        admit(*root, ready, skipped);
        complete(skipped, ready);
        if (ready.size() >= kBatch) queue(ready);
    }
    queue(ready);
}

void Scheduler::close() {
    closed_.store(true);
    TaskList none;
    complete(none, none);
}

void Scheduler::require_going_on() const {
    if (!stopped_.load(std::memory_order_acquire)) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    failure_->raise();
}

// acq_rel: the thread that passes the last dependency has seen what all the others did
void Scheduler::pass_dependency(Task &task, TaskList &ready, TaskList &skipped) {
    if (task.pending.fetch_sub(1, std::memory_order_acq_rel) == 1) admit(task, ready, skipped);
}

void Scheduler::admit(Task &task, TaskList &ready, TaskList &skipped) {
    if (task.conditions == nullptr) {
        make_ready(task, ready);
        return;
    }
    try {
        if (!task.conditions->waits.empty() && waiting_.admit(task)) return;
    } catch (const std::exception &) {
        fail_current(task.text() + " waits for cells");
        return;
    }
    pass_waits(task, ready, skipped);
}

void Scheduler::pass_waits(Task &task, TaskList &ready, TaskList &skipped) {
    const std::optional<Condition> &predicate = task.conditions->predicate;
    try {
        const record::As as({task.actor, 0});
        if (!predicate.has_value() || device::predicate_holds(predicate->cells, predicate->compare, predicate->value)) {
            make_ready(task, ready);
            return;
        }
    } catch (const std::exception &) {
        fail_current(task.text() + " has a predicate");
        return;
    }
    skipped_.fetch_add(1, std::memory_order_relaxed);
    task.was_skipped = true;
    skipped.push(task);
}

void Scheduler::make_ready(Task &task, TaskList &ready) {
    if (task.actor != 0) record_memory(task, When::kBefore);
    ready.push(task);
}

void Scheduler::end_part(Task &task, TaskList &ready) {
    if (task.unended.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    TaskList done;
    done.push(task);
    complete(done, ready);
}

// A loop, since a chain of tasks may be skipped at once.
void Scheduler::complete(TaskList &done, TaskList &ready) {
    uint64_t completed = 0;
    while (Task *task = done.pop()) {
        if (task->actor != 0) {
            if (!task->was_skipped) record_memory(*task, When::kAfter);
            record::now_of(task->actor, record::kTaskEnd, source_->recorded_run, task->was_skipped ? 1 : 0);
        }
        Edge *const edges = task->successors.exchange(completed_edges(), std::memory_order_acq_rel);
        for (const Edge *edge = edges; edge != nullptr;) {
            Task &after = *edge->after;
            edge = edge->next;
            pass_dependency(after, ready, done);
        }
        source_->completed(*task, edges);
        completed++;
    }
    // The last two are seq_cst, as `published_` is: either this sees that the run is closed, or close() sees the count.
    if (completed > 0) completed_.fetch_add(completed);
    if (closed_.load() && completed_.load() == published_.load()) {
        const std::lock_guard<std::mutex> lock(mutex_);
        all_done_.store(true);
        changed_.notify_all();
    }
}

void Scheduler::fail(int code, const std::string &text) noexcept {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (failure_.has_value() || all_done_.load()) return;
        failure_.emplace(code, text);
        stopped_.store(true, std::memory_order_release);
        changed_.notify_all();
    }
    interruption_.interrupt(code, "the run of the graph was stopped: " + text);
}

void Scheduler::fail_current(const std::string &who) noexcept {
    try {
        throw;
    } catch (const Failure &failure) {
        fail(failure.code(), who + ": " + failure.what());
    } catch (const std::exception &exception) {
        fail(DEVICE_KERNEL_FAILED, who + " threw an exception: " + exception.what());
    } catch (...) {
        fail(DEVICE_KERNEL_FAILED, who + " threw an exception of unknown type");
    }
}

void Scheduler::deferral_ended(Task &task) {
    TaskList ready;
    if (is_over()) return;
    end_part(task, ready);
    queue(ready);
}

void Scheduler::poll_waits(TaskList &ready) {
    TaskList satisfied = waiting_.poll([this](const Task &task) { fail_current(task.text() + " waits for cells"); });
    TaskList skipped;
    while (Task *task = satisfied.pop()) pass_waits(*task, ready, skipped);
    complete(skipped, ready);
}

void Scheduler::poll_waits() {
    if (waiting_.count() == 0) return;
    TaskList ready;
    poll_waits(ready);
    queue(ready);
}

bool Scheduler::follow(Seat &seat, TaskList &ready) {
    if (waiting_.count() > 0 && now_us() >= next_poll_us_.load(std::memory_order_relaxed)) {
        next_poll_us_.store(now_us() + kPollInterval.count(), std::memory_order_relaxed);
        poll_waits(ready);
    }
    Task *const next = ready.first();
    if (next == nullptr) return false;
    bool any_mixed = ready_.has_mixed();
    for (const Task *task = next; task != nullptr; task = task->next) {
        any_mixed = any_mixed || task->kernel->cores == STREAM_CORES_MIXED;
    }
    const auto kind = static_cast<device::CoreKind>(next->kernel->cores);
    const bool at_once =
        !any_mixed && !is_shaken() && next->blocks == 1 && !stopped_.load(std::memory_order_relaxed) && seat.sit(kind);
    if (at_once) {
        ready.pop();
        seat.begin(*next, 0, 0);
    }
    queue(ready);
    return at_once;
}

Scheduler::Activity Scheduler::activity() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {has_stood_still(), stopped_.load(), busy_, ready_.blocks(), dispatched_};
}

void Scheduler::wait_for_change(std::chrono::microseconds at_most) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait_for(lock, at_most, [this] { return has_stood_still(); });
}

std::optional<FailureRecord> Scheduler::failure() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return failure_;
}

std::vector<std::string> Scheduler::texts_of_running() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::string> texts;
    for (const Seat *seat : seats_) {
        if (std::string text = seat->text(); !text.empty()) texts.push_back(std::move(text));
    }
    return texts;
}

}  // namespace rankunit::graph
