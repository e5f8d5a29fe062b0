// The runtime host_build_graph: the host makes tasks and edges, by calls or in an orchestration function.
#ifndef RANKUNIT_GRAPH_RUNTIMES_HOST_BUILD_GRAPH_H
#define RANKUNIT_GRAPH_RUNTIMES_HOST_BUILD_GRAPH_H

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "graph/runtimes/orchestration.h"

namespace rankunit::graph {

class HostBuildGraph : public OrchestratedGraph {
public:
    HostBuildGraph(GraphDevice &device, std::string name);

protected:
    bool try_set(GraphSetting setting, uint64_t value) override;
    void do_set_orchestration(const char *library_path, const char *symbol) override;
    uint32_t do_add_task(const TaskShape &shape) override;
    void do_add_edge(uint32_t before, uint32_t after) override;
    Task &task(uint32_t number) override;
    std::string what() const override;
    std::shared_ptr<RunSource> make_source(const std::vector<uint64_t> &args) override;
    void begin(const std::shared_ptr<RunSource> &source, const std::shared_ptr<Scheduler> &scheduler,
               const std::vector<uint64_t> &args) override;

private:
    class Tasks;

    // Throws unless the host makes the tasks by calls.
    void require_made_by_calls() const;
    void check_cycles();
    void check_tensors() const;

    // What calls have made. Shared with the run, which may end after the graph.
    std::shared_ptr<Tasks> tasks_;
    uint64_t most_tasks_ = 131'072;
    bool checked_ = true;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_HOST_BUILD_GRAPH_H
