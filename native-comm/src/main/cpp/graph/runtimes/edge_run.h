// A run whose orchestration function makes tasks and edges.
#ifndef RANKUNIT_GRAPH_RUNTIMES_EDGE_RUN_H
#define RANKUNIT_GRAPH_RUNTIMES_EDGE_RUN_H

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "graph/runtimes/orchestration.h"

namespace rankunit::graph {

// Exceeds every limit that a graph can be given.
inline constexpr uint64_t kMostTasksEver = uint64_t{1} << 24;

// What host_build_graph and aicpu_build_graph share. When the tasks run is up to them.
class EdgeRun : public OrchestrationRun {
public:
    EdgeRun(std::shared_ptr<const Orchestration> orchestration, const GraphKernels &kernels, device::Device &device,
            GraphRuntime runtime, uint64_t most_tasks);

    void completed(Task &, Edge *edges) noexcept override { edges_.give_back(edges); }

protected:
    uint64_t submit(const OrchestrationTask &wanted) override;
    void add_edge(uint64_t before, uint64_t after) override;

    // Throws if there is no such task.
    Task &task_at(uint64_t number);
    // Of tasks that have not completed; empty if there is none.
    std::string text_of_cycle() const;

    // Task n is tasks_[n - 1].
    std::deque<Task> tasks_;

private:
    const uint64_t most_tasks_;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_EDGE_RUN_H
