#include "graph/graph_engine.h"

#include <utility>

#include "graph/runtimes/aicpu_build_graph.h"
#include "graph/runtimes/host_build_graph.h"
#include "graph/runtimes/tensormap_and_ringbuffer.h"
#include "rankunit/device.h"

namespace rankunit::graph {

GraphEngine::GraphEngine(device::Device &device, device::Cores &cores, FunctionOf function_of, OnStreams on_streams)
    : device_{device, cores, {}}, function_of_(std::move(function_of)), on_streams_(std::move(on_streams)) {}

GraphEngine::~GraphEngine() {
    for (const std::shared_ptr<Graph> &graph : graphs_.all()) graph->wait_until_idle();
}

uint32_t GraphEngine::create(uint32_t runtime, const std::string &name) {
    if (name.empty()) throw Failure(DEVICE_INVALID_ARGUMENT, "the graph's name is empty");
    return graphs_.add([&](uint32_t) -> std::shared_ptr<Graph> {
        switch (runtime) {
            case GRAPH_HOST_BUILT:
                return std::make_shared<HostBuildGraph>(device_, name);
            case GRAPH_CONTROL_BUILT:
                return std::make_shared<AicpuBuildGraph>(device_, name);
            case GRAPH_TENSOR_MAP:
                return std::make_shared<TensormapAndRingbuffer>(device_, name);
            default:
                refuse_value("runtime", runtime,
                             "0 (host_build_graph), 1 (aicpu_build_graph) or 2 (tensormap_and_ringbuffer)");
        }
    });
}

void GraphEngine::destroy(uint32_t graph) {
    graphs_.get(graph)->require_idle();
    graphs_.remove(graph);
    on_streams_.throw_if_untold(graph);
}

uint32_t GraphEngine::add_kernel(uint32_t graph, const device::Kernel &kernel, uint32_t cores, int32_t nargs,
                                 const char *name) {
    return graphs_.get(graph)->add_kernel(function_of_(kernel), cores, nargs, name);
}

void GraphEngine::run_on_stream(uint32_t stream, uint32_t graph, std::vector<uint64_t> args) {
    const auto reserved = std::make_shared<Graph::Reservation>(graphs_.get(graph));
    on_streams_.put(
        stream, graph,
        [this, reserved, args = std::move(args)] {
            const int64_t timeout_ms = device_.cores.interruption.timeout().count();
            reserved->graph().run(args.data(), static_cast<int32_t>(args.size()), timeout_ms);
        },
        [reserved] { return "the run of graph \"" + reserved->graph().name() + "\""; });
}

}  // namespace rankunit::graph
