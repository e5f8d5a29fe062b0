// The runtime aicpu_build_graph: an orchestration function makes tasks and edges, and publishes each task.
#ifndef RANKUNIT_GRAPH_RUNTIMES_AICPU_BUILD_GRAPH_H
#define RANKUNIT_GRAPH_RUNTIMES_AICPU_BUILD_GRAPH_H

#include <memory>
#include <string>
#include <vector>

#include "graph/runtimes/orchestration.h"

namespace rankunit::graph {

class AicpuBuildGraph : public OrchestratedGraph {
public:
    using OrchestratedGraph::OrchestratedGraph;

protected:
    bool try_set(GraphSetting setting, uint64_t value) override;
    std::string what() const override;
    std::shared_ptr<RunSource> make_source(const std::vector<uint64_t> &args) override;

private:
    uint64_t most_tasks_ = 1024;
    bool concurrent_ = true;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_AICPU_BUILD_GRAPH_H
