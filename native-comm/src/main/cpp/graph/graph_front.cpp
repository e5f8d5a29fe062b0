// Implements rankunit/graph.h: checks arguments and turns errors into status codes.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "device/front.h"
#include "graph/graph_engine.h"
#include "rankunit/graph.h"

using rankunit::device::acting;
using rankunit::device::Device;
using rankunit::device::guarded;
using rankunit::device::require;
using rankunit::device::require_in;
using rankunit::device::require_pointer;
using rankunit::graph::Graph;

namespace {

std::shared_ptr<Graph> graph_of(DeviceHandle device, uint32_t graph) {
    return require(device).graphs().get(graph);
}

}  // namespace

int graph_create(DeviceHandle device, uint32_t runtime, const char *name, uint32_t *graph_out) {
    return guarded([&] {
        Device &of_handle = require(device);
        require_pointer(name, "name");
        require_pointer(graph_out, "graph_out");
        *graph_out = of_handle.graphs().create(runtime, name);
    });
}

int graph_destroy(DeviceHandle device, uint32_t graph) {
    return guarded([&] { require(device).graphs().destroy(graph); });
}

int graph_set(DeviceHandle device, uint32_t graph, uint32_t setting, uint64_t value) {
    return guarded([&] { graph_of(device, graph)->set(setting, value); });
}

int graph_add_kernel(DeviceHandle device, uint32_t graph, KernelHandle kernel, uint32_t cores, int32_t nargs,
                     const char *name, uint32_t *kernel_out) {
    return guarded([&] {
        Device &of_handle = require(device);
        require_pointer(kernel, "kernel");
        require_pointer(name, "name");
        require_pointer(kernel_out, "kernel_out");
        const auto *const loaded = of_handle.find_kernel(kernel);
        if (loaded == nullptr) {
            throw rankunit::Failure(DEVICE_INVALID_ARGUMENT, "kernel does not belong to this device");
        }
        *kernel_out = of_handle.graphs().add_kernel(graph, *loaded, cores, nargs, name);
    });
}

int graph_set_orchestration(DeviceHandle device, uint32_t graph, const char *library_path, const char *symbol) {
    return guarded([&] {
        require(device);
        require_pointer(library_path, "library_path");
        require_pointer(symbol, "symbol");
        graph_of(device, graph)->set_orchestration(library_path, symbol);
    });
}

int graph_add_task(DeviceHandle device, uint32_t graph, uint32_t kernel, uint32_t blocks, const char *name,
                   const uint64_t *args, size_t nargs, uint32_t *task_out) {
    return guarded([&] {
        const std::shared_ptr<Graph> of_number = graph_of(device, graph);
        require_pointer(name, "name");
        require_pointer(task_out, "task_out");
        require_in("nargs", static_cast<int64_t>(std::min<size_t>(nargs, INT32_MAX)), 0,
                   GRAPH_MAX_TENSORS + GRAPH_MAX_SCALARS);
        if (nargs > 0) require_pointer(args, "args");
        *task_out = of_number->add_task(kernel, blocks, name, args, nargs);
    });
}

int graph_add_edge(DeviceHandle device, uint32_t graph, uint32_t before, uint32_t after) {
    return guarded([&] { graph_of(device, graph)->add_edge(before, after); });
}

int graph_add_wait(DeviceHandle device, uint32_t graph, uint32_t task, uint64_t cells, uint32_t rows, uint32_t columns,
                   uint64_t row_bytes, uint32_t compare, int32_t value) {
    return guarded([&] { graph_of(device, graph)->add_wait(task, {cells, rows, columns, row_bytes}, compare, value); });
}

int graph_set_predicate(DeviceHandle device, uint32_t graph, uint32_t task, uint64_t cell, uint32_t compare,
                        int32_t value) {
    return guarded(
        [&] { graph_of(device, graph)->set_predicate(task, {cell, 1, 1, sizeof(int32_t)}, compare, value); });
}

int graph_run(DeviceHandle device, uint32_t graph, const uint64_t *args, int32_t nargs, int64_t timeout_ms) {
    return acting([&] {
        const std::shared_ptr<Graph> of_number = graph_of(device, graph);
        require_in("nargs", nargs, 0, DEVICE_MAX_KERNEL_ARGS);
        require_in("timeout_ms", timeout_ms, 1, INT32_MAX);
        if (nargs > 0) require_pointer(args, "args");
        of_number->run(args, nargs, timeout_ms);
    });
}

int stream_run_graph(DeviceHandle device, uint32_t stream, uint32_t graph, const uint64_t *args, int32_t nargs) {
    return acting([&] {
        Device &of_handle = require(device);
        require_in("nargs", nargs, 0, DEVICE_MAX_KERNEL_ARGS);
        if (nargs > 0) require_pointer(args, "args");
        of_handle.graphs().run_on_stream(stream, graph, std::vector<uint64_t>(args, args + nargs));
    });
}

int graph_complete(DeviceHandle device, uint64_t token) {
    return acting([&] { require(device).graphs().complete(token); });
}

int graph_count(DeviceHandle device, uint32_t graph, uint32_t count, uint32_t *value_out) {
    return guarded([&] {
        const std::shared_ptr<Graph> of_number = graph_of(device, graph);
        require_pointer(value_out, "value_out");
        *value_out = static_cast<uint32_t>(std::min<uint64_t>(of_number->count(count), UINT32_MAX));
    });
}

int graph_describe(DeviceHandle device, uint32_t graph, char *text_out, size_t capacity) {
    return guarded([&] {
        const std::shared_ptr<Graph> of_number = graph_of(device, graph);
        require_pointer(text_out, "text_out");
        rankunit::copy_text(of_number->describe(), text_out, capacity);
    });
}
