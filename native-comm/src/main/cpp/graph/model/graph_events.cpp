#include "graph/model/graph_events.h"

#include "device/memory_map.h"
#include "record/memory_copies.h"
#include "support/failure.h"

namespace rankunit::graph {

RecordedRun::RecordedRun(const std::string &graph, const std::function<std::string()> &what)
    : number_(record::log() == nullptr ? 0 : record::new_number()) {
    if (number_ != 0) record::now(record::kGraphBegin, number_, record::text(graph), record::text(what()));
}

RecordedRun::~RecordedRun() {
    if (number_ != 0) span_.end(record::kGraphEnd, number_, failed_);
}

void RecordedRun::leave_out(uint64_t tasks, bool has_seen) const noexcept {
    if (number_ != 0 && tasks > 0) record::now(record::kUnrecorded, number_, tasks, has_seen ? 1 : 0);
}

RecordedOrchestration::RecordedOrchestration(const std::string &function, uint64_t run, record::Watch *watch) noexcept {
    if (run == 0) return;
    const uint32_t actor = record::new_actor();
    record::now_of(actor, record::kActor, record::kOrchestrationActor, run, record::text(function));
    span_.emplace();
    as_.emplace(record::Here{actor, run, watch});
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
    if (task.details != nullptr) task.details->memory.clear();
    const uint32_t place = task.details == nullptr ? 0 : task.details->place;
    record::now(record::kTask, record::halves(task.actor, place), run, task.id,
                record::halves(record::text(task.kernel->name), record::text(task.name())),
                record::halves(task.blocks, task.kernel->cores));
}

void record_argument(Task &task, size_t index, const OrchestrationArgument &argument) {
    record::now_of(task.actor, record::kArgument, index, argument.kind, argument.value, argument.bytes);
    if (argument.kind == GRAPH_SCALAR || !record::MemoryCopies::of_process().wanted()) return;
    if (task.details == nullptr) task.details = std::make_unique<TaskDetails>();
    task.details->memory.push_back(
        {index, argument.kind != GRAPH_OUT, argument.kind != GRAPH_IN, argument.value, argument.bytes});
}

void record_task(Task &task, uint64_t run, const TaskShape &shape) {
    if (run == 0) return;
    record_task(task, run);
    for (size_t i = 0; i < shape.nargs; i++) record_argument(task, i, shape.args[i]);
}

void record_memory(const Task &task, When when) noexcept {
    if (task.actor == 0 || task.details == nullptr) return;
    const bool after = when == When::kAfter;
    for (const TaskMemory &memory : task.details->memory) {
        if (!(after ? memory.written : memory.read)) continue;
        try {
            device::MemoryMap::of_process().access(memory.address, memory.bytes, device::MemoryMap::Use::kRead, [&] {
                const std::optional<uint64_t> offset =
                    record::MemoryCopies::of_process().add(rankunit_pointer<const void>(memory.address), memory.bytes);
                record::now_of(task.actor, record::kMemoryCopy, record::halves(memory.argument, after ? 1 : 0),
                               offset.value_or(record::kNoCopy), memory.bytes);
            });
        } catch (const Failure &) {
            // It was freed: the task itself must not use it either.
            record::now_of(task.actor, record::kMemoryCopy, record::halves(memory.argument, after ? 1 : 0),
                           record::kNoCopy, memory.bytes);
        }
    }
}

void record_edge(const Task &before, const Task &after, bool derived, bool completed) noexcept {
    if (before.actor == 0 || after.actor == 0) return;
    record::now(record::kEdge, before.actor, after.actor, derived ? 1 : 0, completed ? 1 : 0);
}

}  // namespace rankunit::graph
