// Prints how many empty tasks a second run, and how long a hop of a chain takes; not a test.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "graph_support.h"
#include "harness/ranks.h"

using namespace rankunit::test;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kRounds = 5;

template <typename Run>
void report(const char *what, uint64_t tasks, Run run) {
    std::vector<double> seconds;
    for (int round = 0; round < kRounds; round++) {
        const auto start = Clock::now();
        run();
        seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
    std::sort(seconds.begin(), seconds.end());
    const double median = seconds[kRounds / 2];
    std::printf("%-34s %8.0f tasks/s  %6.3f us a task (median of %d; best %.3f)\n", what,
                static_cast<double>(tasks) / median, 1e6 * median / static_cast<double>(tasks), kRounds,
                1e6 * seconds[0] / static_cast<double>(tasks));
}

void host_graph_on(const GraphDevice &device, const char *what, uint64_t tasks, uint64_t distance) {
    TestGraph graph(device, GRAPH_HOST_BUILT);
    graph.set(GRAPH_TASKS, tasks);
    const uint32_t kernel = graph.kernel("do_nothing");
    for (uint64_t i = 0; i < tasks; i++) {
        const uint32_t task = graph.task(kernel, {});
        if (distance > 0 && i >= distance) graph.edge(task - static_cast<uint32_t>(distance), task);
    }
    report(what, tasks, [&] { graph.run_well(); });
}

void host_graph(const char *what, uint64_t tasks, uint64_t distance) {
    host_graph_on(GraphDevice(), what, tasks, distance);
}

void tensor_graph_on(const GraphDevice &device, const char *what, uint64_t tasks, uint64_t slots) {
    const uint64_t words = device.allocate(8 * 16);
    TestGraph graph(device, GRAPH_TENSOR_MAP);
    graph.set(GRAPH_SLOTS, slots);
    graph.orchestrate("empty_tasks");
    report(what, tasks, [&] { graph.run_well({words, tasks, 50, 16}); });
}

}  // namespace

// The same while everything is recorded.
TEST(throughput_while_recording) {
    constexpr uint64_t kTasks = 100'000;
    const TempFolder folder;
    const std::string path = folder.file("log");
    {
        const GraphDevice device;
        CHECK_STATUS(device_record(device.get(), path.c_str(), nullptr, kRounds * kTasks * 16));
        unlink(path.c_str());
        host_graph_on(device, "recorded: host graph, no edges", kTasks, 0);
        host_graph_on(device, "recorded: host graph, 64 chains", kTasks, 64);
        tensor_graph_on(device, "recorded: tensor map, 64 slots", kTasks, 64);
    }
}

TEST(throughput) {
    host_graph("host graph, no edges", 1'000'000, 0);
    host_graph("host graph, 64 chains", 1'000'000, 64);
    host_graph("host graph, one chain", 200'000, 1);
    const GraphDevice device;
    for (const uint64_t slots : {64, 16'384}) {
        const std::string what = "tensor map, " + std::to_string(slots) + " slots";
        tensor_graph_on(device, what.c_str(), 1'000'000, slots);
    }
}
