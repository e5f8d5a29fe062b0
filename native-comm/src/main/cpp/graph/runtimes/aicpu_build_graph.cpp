#include "graph/runtimes/aicpu_build_graph.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "graph/model/cycle.h"
#include "rankunit/device.h"

namespace rankunit::graph {
namespace {

constexpr uint64_t kMostTasksEver = uint64_t{1} << 24;
constexpr size_t kMostNamed = 8;

// Task n is tasks_[n - 1].
class AicpuRun : public OrchestrationRun {
public:
    AicpuRun(std::shared_ptr<const Orchestration> orchestration, const GraphKernels &kernels, device::Device &device,
             uint64_t most_tasks, bool concurrent)
        : OrchestrationRun(std::move(orchestration), kernels, device, GRAPH_CONTROL_BUILT),
          most_tasks_(most_tasks),
          concurrent_(concurrent) {}

    void completed(Task &, Edge *edges) noexcept override { edges_.give_back(edges); }

    std::string text_of_rest() const override {
        std::string unpublished;
        size_t count = 0;
        for (const Task &task : tasks_) {
            if (task.published) continue;
            if (count++ < kMostNamed) unpublished += (unpublished.empty() ? "" : ", ") + task.text();
        }
        if (count == 0) return "its tasks depend on each other in a circle: " + cycle();
        if (count > kMostNamed) unpublished += " and " + std::to_string(count - kMostNamed) + " more";
        return unpublished + (count == 1 ? " was" : " were") +
               " never published, and so did not run, nor did what depends on it; call publish for each task";
    }

protected:
    uint64_t submit(const OrchestrationTask &wanted) override {
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

    void add_edge(uint64_t before, uint64_t after) override {
        Task &later = task_at(after);
        if (later.published) {
            throw Failure(DEVICE_INVALID_ARGUMENT, later.text() +
                                                       " has been published, so it may run already; add the "
                                                       "edges that lead to a task before you publish it");
        }
        connect(task_at(before), later);
    }

    void publish(uint64_t number) override {
        Task &task = task_at(number);
        if (task.published) throw Failure(DEVICE_INVALID_ARGUMENT, task.text() + " has been published already");
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
    Task &task_at(uint64_t number) {
        if (number < 1 || number > tasks_.size()) {
            throw Failure(DEVICE_INVALID_ARGUMENT, "there is no task " + std::to_string(number) + ", but " +
                                                       std::to_string(tasks_.size()) +
                                                       " tasks, which are counted from 1");
        }
        return tasks_[number - 1];
    }

    std::string cycle() const {
        return text_of_cycle(
            tasks_.size(), [this](uint64_t number) -> const Task & { return tasks_[number - 1]; },
            [](const Task &task) -> const Edge * {
                return task.has_completed() ? nullptr : task.successors.load(std::memory_order_acquire);
            });
    }

    const uint64_t most_tasks_;
    const bool concurrent_;
    std::deque<Task> tasks_;
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
