// The runtime host_build_graph: the host makes tasks and edges.
#ifndef RANKUNIT_GRAPH_RUNTIMES_HOST_BUILD_GRAPH_H
#define RANKUNIT_GRAPH_RUNTIMES_HOST_BUILD_GRAPH_H

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "graph/runtimes/graph.h"

namespace rankunit::graph {

class HostBuildGraph : public Graph {
public:
    HostBuildGraph(GraphDevice &device, std::string name);

protected:
    bool try_set(GraphSetting setting, uint64_t value) override;
    uint32_t do_add_task(const TaskShape &shape) override;
    void do_add_edge(uint32_t before, uint32_t after) override;
    Task &task(uint32_t number) override;
    std::string what() const override;
    std::shared_ptr<RunSource> make_source(const std::vector<uint64_t> &args) override;
    void begin(const std::shared_ptr<RunSource> &source, const std::shared_ptr<Scheduler> &scheduler,
               const std::vector<uint64_t> &args) override;

private:
    class Tasks;

    void check_cycles();
    void check_tensors() const;

    // Shared with the run, which may end after the graph.
    std::shared_ptr<Tasks> tasks_;
    uint64_t most_tasks_ = 131'072;
    bool checked_ = true;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_HOST_BUILD_GRAPH_H
