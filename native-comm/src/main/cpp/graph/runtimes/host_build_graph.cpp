#include "graph/runtimes/host_build_graph.h"

#include <utility>

#include "graph/model/cycle.h"
#include "graph/model/graph_events.h"
#include "graph/runtimes/edge_run.h"
#include "mutate/mutation.h"
#include "rankunit/device.h"

namespace rankunit::graph {
namespace {

// Two lines of the cache, with the only edge that most tasks have.
struct alignas(64) Node : Task {
    uint32_t dependencies = 0;
    Edge edge{nullptr, nullptr};

    Edge *edges() { return edge.after == nullptr ? nullptr : &edge; }
};
static_assert(sizeof(Node) == 128);

struct Tensor {
    uint32_t task;
    uint32_t argument;
    OrchestrationArgument tensor;
};

[[noreturn]] void refuse_circle(const std::string &cycle, const char *what_to_do) {
    throw Failure(DEVICE_INVALID_ARGUMENT, "its tasks depend on each other in a cycle: " + cycle + "; " + what_to_do);
}

// The tasks of one run, which an orchestration function makes. All of them run after it has returned.
class HostRun : public EdgeRun {
public:
    using EdgeRun::EdgeRun;

    std::string text_of_rest() const override { return "tasks are left that depend on none that runs"; }

protected:
    void publish(uint64_t) override {
        throw Failure(DEVICE_NOT_SUPPORTED,
                      "a host-built graph needs no publish: all its tasks run once the function has returned");
    }

    bool returned() override {
        const std::string cycle = text_of_cycle();
        if (!cycle.empty()) refuse_circle(cycle, "leave out one of these edges");
        TaskList roots;
        for (Task &task : tasks_) {
            task.published = true;
            // Nothing runs yet, so what is left is the number of edges.
            if (task.pending.fetch_sub(1, std::memory_order_relaxed) == 1) roots.push(task);
        }
        scheduler().start(roots, tasks_.size());
        return true;
    }
};

}  // namespace

// Task n is nodes[n - 1].
class HostBuildGraph::Tasks : public RunSource {
public:
    std::deque<Node> nodes;
    std::deque<Edge> further_edges;
    size_t edges = 0;
    std::deque<Tensor> tensors;

    // What the log of events has of a run.
    void record() {
        if (recorded_run == 0) return;
        auto tensor = tensors.begin();
        for (Node &node : nodes) {
            record_task(node, recorded_run);
            for (size_t i = 0; i < node.args.size(); i++) {
                const bool is_tensor = tensor != tensors.end() && tensor->task == node.id && tensor->argument == i;
                record_argument(node, i, is_tensor ? (tensor++)->tensor : rankunit_scalar(node.args[i]));
            }
        }
        for (Node &node : nodes) {
            for (const Edge *edge = node.edges(); edge != nullptr; edge = edge->next) {
                record_edge(node, *edge->after, false, false);
            }
        }
    }

    void completed(Task &, Edge *) noexcept override {}
    bool is_idle() const override { return true; }
    bool has_ended() const override { return true; }
    std::string text() const override { return ""; }
    std::string text_of_rest() const override { return "tasks are left that depend on none that runs"; }
    uint64_t count(GraphCount count) const override { return count == GRAPH_COUNT_EDGES ? edges : 0; }
};

HostBuildGraph::HostBuildGraph(GraphDevice &device, std::string name)
    : OrchestratedGraph(device, std::move(name)), tasks_(std::make_shared<Tasks>()) {}

bool HostBuildGraph::try_set(GraphSetting setting, uint64_t value) {
    if (setting != GRAPH_TASKS) return false;
    if (value < 1 || value > kMostTasksEver) refuse_value("GRAPH_TASKS", value, "in [1, 16777216]");
    most_tasks_ = value;
    return true;
}

void HostBuildGraph::do_set_orchestration(const char *library_path, const char *symbol) {
    if (!tasks_->nodes.empty()) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      "it has " + std::to_string(tasks_->nodes.size()) +
                          " tasks that graph_add_task has made, and so gets no orchestration function, which makes all "
                          "tasks of a graph; create another graph for it");
    }
    OrchestratedGraph::do_set_orchestration(library_path, symbol);
}

void HostBuildGraph::require_made_by_calls() const {
    if (!has_orchestration()) return;
    throw Failure(DEVICE_INVALID_ARGUMENT, "orchestration " + name_of_orchestration() +
                                               " makes all its tasks, edges and conditions; create another graph for "
                                               "those that the host adds");
}

uint32_t HostBuildGraph::do_add_task(const TaskShape &shape) {
    require_made_by_calls();
    const auto number = static_cast<uint32_t>(tasks_->nodes.size() + 1);
    if (number > most_tasks_) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      "it has " + std::to_string(most_tasks_) + " tasks, as many as it may have; raise GRAPH_TASKS");
    }
    require_task(shape, false, [&] {
        const bool named = shape.name != nullptr && *shape.name != '\0';
        return "task " + std::to_string(number) + (named ? " \"" + std::string(shape.name) + "\"" : "");
    });
    set_up(tasks_->nodes.emplace_back(), number, shape);
    for (uint32_t i = 0; i < shape.nargs; i++) {
        if (shape.args[i].kind != GRAPH_SCALAR) tasks_->tensors.push_back({number, i, shape.args[i]});
    }
    return number;
}

Task &HostBuildGraph::task(uint32_t number) {
    require_made_by_calls();
    if (number < 1 || number > tasks_->nodes.size()) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "it has no task " + std::to_string(number) + ", but " +
                                                   std::to_string(tasks_->nodes.size()) +
                                                   " tasks, which are counted from 1");
    }
    return tasks_->nodes[number - 1];
}

void HostBuildGraph::do_add_edge(uint32_t before, uint32_t after) {
    task(before);
    if (mutate::leaves_out(mutate::kEdge)) return;
    Node &from = tasks_->nodes[before - 1];
    Task &later = task(after);
    if (from.edges() != nullptr) from.edge.next = &tasks_->further_edges.emplace_back(from.edge);
    from.edge.after = &later;
    tasks_->nodes[after - 1].dependencies++;
    tasks_->edges++;
    checked_ = false;
}

void HostBuildGraph::check_cycles() {
    if (checked_) return;
    const auto edges_of = [this](const Task &task) -> const Edge * { return tasks_->nodes[task.id - 1].edges(); };
    const std::string cycle = text_of_cycle(
        tasks_->nodes.size(), [this](uint64_t number) -> const Task & { return tasks_->nodes[number - 1]; }, edges_of);
    if (!cycle.empty()) refuse_circle(cycle, "take out one of these edges");
    checked_ = true;
}

// Once more, since memory may have been freed after the tasks were added.
void HostBuildGraph::check_tensors() const {
    for (const Tensor &tensor : tasks_->tensors) {
        try {
            require_tensor(tensor.tensor);
        } catch (const Failure &failure) {
            throw Failure(failure.code(), tasks_->nodes[tensor.task - 1].text() + ", argument " +
                                              std::to_string(tensor.argument) + ": " + failure.what());
        }
    }
}

std::string HostBuildGraph::what() const {
    if (has_orchestration()) {
        return "tasks and edges made by orchestration " + name_of_orchestration() + ", to run after it has returned";
    }
    return std::to_string(tasks_->nodes.size()) + " tasks and " + std::to_string(tasks_->edges) +
           " edges made by the host";
}

std::shared_ptr<RunSource> HostBuildGraph::make_source(const std::vector<uint64_t> &args) {
    if (has_orchestration()) {
        return std::make_shared<HostRun>(orchestration(), kernels_, device_.device, GRAPH_HOST_BUILT, most_tasks_);
    }
    if (!args.empty()) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "nargs = " + std::to_string(args.size()) +
                                                   ", and a graph without an orchestration function takes no "
                                                   "arguments");
    }
    check_cycles();
    check_tensors();
    return tasks_;
}

void HostBuildGraph::begin(const std::shared_ptr<RunSource> &source, const std::shared_ptr<Scheduler> &scheduler,
                           const std::vector<uint64_t> &args) {
    if (has_orchestration()) {
        OrchestratedGraph::begin(source, scheduler, args);
        return;
    }
    TaskList roots;
    for (Node &node : tasks_->nodes) {
        reset(node, node.dependencies, node.edges());
        if (node.dependencies == 0) roots.push(node);
    }
    tasks_->record();
    scheduler->start(roots, tasks_->nodes.size());
    scheduler->close();
}

}  // namespace rankunit::graph
