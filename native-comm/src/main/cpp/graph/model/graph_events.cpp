#include "graph/model/graph_events.h"

namespace rankunit::graph {

RecordedRun::RecordedRun(const std::string &graph, const std::function<std::string()> &what)
    : number_(record::log() == nullptr ? 0 : record::new_number()) {
    if (number_ != 0) record::now(record::kGraphBegin, number_, record::text(graph), record::text(what()));
}

RecordedRun::~RecordedRun() {
    if (number_ != 0) span_.end(record::kGraphEnd, number_, failed_);
}

RecordedOrchestration::RecordedOrchestration(const std::string &function, uint64_t run) noexcept {
    if (run == 0) return;
    const uint32_t actor = record::new_actor();
    record::now_of(actor, record::kActor, record::kOrchestrationActor, run, record::text(function));
    span_.emplace();
    as_.emplace(record::Here{actor, run});
    record::now(record::kOrchestrationBegin, run);
}

RecordedOrchestration::~RecordedOrchestration() {
    if (as_.has_value()) span_->end(record::kOrchestrationEnd, recorded_run(), failed_);
}

uint64_t recorded_run() noexcept {
    return record::log() == nullptr ? 0 : record::here().work;
}

void record_task(Task &task, uint64_t run) noexcept {
    if (run == 0) return;
    task.actor = record::new_actor();
    record::now(record::kTask, record::halves(task.actor, task.place), run, task.id,
                record::halves(record::text(task.kernel->name), record::text(task.name())),
                record::halves(task.blocks, task.kernel->cores));
}

void record_argument(const Task &task, size_t index, const OrchestrationArgument &argument) noexcept {
    record::now_of(task.actor, record::kArgument, index, argument.kind, argument.value, argument.bytes);
}

void record_task(Task &task, uint64_t run, const TaskShape &shape) noexcept {
    if (run == 0) return;
    record_task(task, run);
    for (size_t i = 0; i < shape.nargs; i++) record_argument(task, i, shape.args[i]);
}

void record_edge(const Task &before, const Task &after, bool derived, bool completed) noexcept {
    if (after.actor == 0) return;
    record::now(record::kEdge, before.actor, after.actor, derived ? 1 : 0, completed ? 1 : 0);
}

}  // namespace rankunit::graph
