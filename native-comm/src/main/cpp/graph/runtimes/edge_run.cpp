#include "graph/runtimes/edge_run.h"

#include <utility>

#include "graph/model/cycle.h"
#include "rankunit/device.h"

namespace rankunit::graph {

EdgeRun::EdgeRun(std::shared_ptr<const Orchestration> orchestration, const GraphKernels &kernels,
                 device::Device &device, GraphRuntime runtime, uint64_t most_tasks)
    : OrchestrationRun(std::move(orchestration), kernels, device, runtime), most_tasks_(most_tasks) {}

uint64_t EdgeRun::submit(const OrchestrationTask &wanted) {
    const uint64_t number = tasks_.size() + 1;
    if (number > most_tasks_) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "it has made " + std::to_string(most_tasks_) +
                                                   " tasks, as many as a run may have; raise GRAPH_TASKS");
    }
    const TaskShape shape = shape_of(wanted);
    require_task(shape, false, [&] {
        const bool named = shape.name != nullptr && *shape.name != '\0';
        return "task " + std::to_string(number) + (named ? " \"" + std::string(shape.name) + "\"" : "");
    });
    Task &task = tasks_.emplace_back();
    set_up(task, number, shape);
    reset(task, 1, nullptr);
    set_conditions(task, wanted);
    for (uint32_t i = 0; i < wanted.nafter; i++) connect(task_at(wanted.after[i]), task);
    return number;
}

void EdgeRun::add_edge(uint64_t before, uint64_t after) {
    Task &later = task_at(after);
    connect(task_at(before), later);
}

Task &EdgeRun::task_at(uint64_t number) {
    if (number < 1 || number > tasks_.size()) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "there is no task " + std::to_string(number) + ", but " +
                                                   std::to_string(tasks_.size()) + " tasks, which are counted from 1");
    }
    return tasks_[number - 1];
}

std::string EdgeRun::text_of_cycle() const {
    return graph::text_of_cycle(
        tasks_.size(), [this](uint64_t number) -> const Task & { return tasks_[number - 1]; },
        [](const Task &task) -> const Edge * {
            return task.has_completed() ? nullptr : task.successors.load(std::memory_order_acquire);
        });
}

}  // namespace rankunit::graph
