#include "graph/runtimes/aicpu_build_graph.h"

#include <algorithm>
#include <utility>

#include "graph/runtimes/edge_run.h"
#include "mutate/mutation.h"
#include "rankunit/device.h"

namespace rankunit::graph {
namespace {

constexpr size_t kMostNamed = 8;

class AicpuRun : public EdgeRun {
public:
    AicpuRun(std::shared_ptr<const Orchestration> orchestration, const GraphKernels &kernels, device::Device &device,
             uint64_t most_tasks, bool concurrent)
        : EdgeRun(std::move(orchestration), kernels, device, GRAPH_CONTROL_BUILT, most_tasks),
          concurrent_(concurrent) {}

    std::string text_of_rest() const override {
        std::string unpublished;
        size_t count = 0;
        for (const Task &task : tasks_) {
            if (task.published) continue;
            if (count++ < kMostNamed) unpublished += (unpublished.empty() ? "" : ", ") + task.text();
        }
        if (count == 0) return "its tasks depend on each other in a cycle: " + text_of_cycle();
        if (count > kMostNamed) unpublished += " and " + std::to_string(count - kMostNamed) + " more";
        return unpublished + (count == 1 ? " was" : " were") +
               " never published, and so did not run, nor did what depends on it; call publish for each task";
    }

protected:
    void add_edge(uint64_t before, uint64_t after) override {
        const Task &later = task_at(after);
        if (later.published) {
            throw Failure(DEVICE_INVALID_ARGUMENT, later.text() +
                                                       " has been published, so it may run already; add the "
                                                       "edges that lead to a task before you publish it");
        }
        EdgeRun::add_edge(before, after);
    }

    void publish(uint64_t number) override {
        Task &task = task_at(number);
        if (task.published) throw Failure(DEVICE_INVALID_ARGUMENT, task.text() + " has been published already");
        if (mutate::leaves_out(mutate::kPublish)) return;
        task.published = true;
        if (concurrent_) {
            scheduler().publish(task);
        } else {
            held_back_.push_back(&task);
        }
    }

    bool returned() override {
        for (Task *task : held_back_) scheduler().publish(*task);
        return std::all_of(tasks_.begin(), tasks_.end(), [](const Task &task) { return task.published; });
    }

private:
    const bool concurrent_;
    std::vector<Task *> held_back_;
};

}  // namespace

bool AicpuBuildGraph::try_set(GraphSetting setting, uint64_t value) {
    if (setting == GRAPH_TASKS) {
        if (value < 1 || value > kMostTasksEver) refuse_value("GRAPH_TASKS", value, "in [1, 16777216]");
        most_tasks_ = value;
    } else if (setting == GRAPH_CONCURRENT) {
        if (value > 1) refuse_value("GRAPH_CONCURRENT", value, "0 or 1");
        concurrent_ = value == 1;
    } else {
        return false;
    }
    return true;
}

std::string AicpuBuildGraph::what() const {
    return "tasks and edges made by orchestration " + name_of_orchestration() +
           (concurrent_ ? "" : ", to run after it has returned");
}

std::shared_ptr<RunSource> AicpuBuildGraph::make_source(const std::vector<uint64_t> &) {
    return std::make_shared<AicpuRun>(orchestration(), kernels_, device_.device, most_tasks_, concurrent_);
}

}  // namespace rankunit::graph
