// What graphs record in the log of events (record/format.h). Nothing happens here while nothing is recorded.
#ifndef RANKUNIT_GRAPH_MODEL_GRAPH_EVENTS_H
#define RANKUNIT_GRAPH_MODEL_GRAPH_EVENTS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "graph/model/task.h"
#include "graph/model/task_setup.h"
#include "record/record.h"

namespace rankunit::graph {

// A run, as long as the object lives. Made by the thread that waits for it.
class RecordedRun {
public:
    // `what` says of what kind the graph is, for people.
    RecordedRun(const std::string &graph, const std::function<std::string()> &what);
    RecordedRun(const RecordedRun &) = delete;
    RecordedRun &operator=(const RecordedRun &) = delete;
    ~RecordedRun();

    uint64_t number() const { return number_; }  // 0 if it is not recorded
    void succeeded() noexcept { failed_ = 0; }
    // Some of its tasks were not recorded.
    void leave_out(uint64_t tasks, bool has_seen) const noexcept;

private:
    const uint64_t number_;
    const record::Span span_;
    uint64_t failed_ = 1;
};

// An orchestration function while it runs on this thread.
class RecordedOrchestration {
public:
    // `run`: 0 if the run is not recorded. `watch`: of the run; may be null.
    RecordedOrchestration(const std::string &function, uint64_t run, record::Watch *watch) noexcept;
    RecordedOrchestration(const RecordedOrchestration &) = delete;
    RecordedOrchestration &operator=(const RecordedOrchestration &) = delete;
    ~RecordedOrchestration();

    void succeeded() noexcept { failed_ = 0; }

private:
    std::optional<record::As> as_;
    std::optional<record::Span> span_;
    uint64_t failed_ = 1;
};

// The number of the run that the orchestration function on this thread makes; 0 if it is none, or not recorded.
uint64_t recorded_run() noexcept;

// Copies what the task reads, before its first block, or what it has written, after its last one, if the test asks for
// it. Memory that has been freed is left out.
enum class When { kBefore, kAfter };
void record_memory(const Task &task, When when) noexcept;

// Gives the task an actor. Its edges and arguments follow.
void record_task(Task &task, uint64_t run) noexcept;
void record_argument(Task &task, size_t index, const OrchestrationArgument &argument);
void record_task(Task &task, uint64_t run, const TaskShape &shape);
void record_edge(const Task &before, const Task &after, bool derived, bool completed) noexcept;

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_MODEL_GRAPH_EVENTS_H
