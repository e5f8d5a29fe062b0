// The task graphs of one device.
#ifndef RANKUNIT_GRAPH_GRAPH_ENGINE_H
#define RANKUNIT_GRAPH_GRAPH_ENGINE_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/stream/object_table.h"
#include "graph/runtimes/graph.h"

namespace rankunit::graph {

// See rankunit/graph.h for the contract. Failures are thrown. Thread-safe.
class GraphEngine {
public:
    using FunctionOf = std::function<const device::KernelFunction &(const device::Kernel &)>;

    // Runs of graphs on streams.
    struct OnStreams {
        // Puts a run with a text for people on a stream.
        std::function<void(uint32_t stream, uint32_t graph, std::function<void()> run,
                           std::function<std::string()> text)>
            put;
        // Throws what a run of the graph has ended a stream with, if no caller was told of it.
        std::function<void(uint32_t graph)> throw_if_untold;
    };

    // `function_of` gives the function of a kernel of the device. What has been put on streams ends before this object.
    GraphEngine(device::Device &device, device::Cores &cores, FunctionOf function_of, OnStreams on_streams);
    // Stops what goes on, and waits for its end.
    ~GraphEngine();

    uint32_t create(uint32_t runtime, const std::string &name);
    void destroy(uint32_t graph);
    std::shared_ptr<Graph> get(uint32_t graph) const { return graphs_.get(graph); }
    uint32_t add_kernel(uint32_t graph, const device::Kernel &kernel, uint32_t cores, int32_t nargs, const char *name);
    void run_on_stream(uint32_t stream, uint32_t graph, std::vector<uint64_t> args);
    void complete(uint64_t token) { device_.deferrals.complete(token); }

private:
    GraphDevice device_;
    const FunctionOf function_of_;
    const OnStreams on_streams_;
    device::ObjectTable<Graph> graphs_{"graph"};
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_GRAPH_ENGINE_H
