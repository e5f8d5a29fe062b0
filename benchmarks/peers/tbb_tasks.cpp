// A flow graph of oneTBB: a continue_node for each task, an edge for each dependency. When all are made, each node
// without a predecessor gets a message, and the graph is waited for. Arguments and output: tasks.h.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>

#include <deque>

#include "tasks.h"

namespace {

using oneapi::tbb::flow::continue_msg;
using oneapi::tbb::flow::continue_node;

tasks::Seconds round(const tasks::Shape &shape) {
    tasks::Clock clock;
    oneapi::tbb::flow::graph graph;
    std::deque<continue_node<continue_msg>> nodes;
    for (uint64_t i = 0; i < shape.tasks; i++) {
        nodes.emplace_back(graph, [](const continue_msg &) { tasks::do_nothing(); });
        if (shape.chains > 0 && i >= shape.chains) {
            oneapi::tbb::flow::make_edge(nodes[i - shape.chains], nodes[i]);
        }
    }
    const double made = clock.lap();
    const uint64_t first = shape.chains > 0 ? shape.chains : shape.tasks;
    for (uint64_t i = 0; i < first; i++) nodes[i].try_put(continue_msg());
    graph.wait_for_all();
    return {made, clock.lap()};
}

}  // namespace

int main(int argc, char **argv) {
    tasks::use_two_cores();
    const oneapi::tbb::global_control threads(oneapi::tbb::global_control::max_allowed_parallelism, 2);
    return tasks::measure(argc, argv, round);
}
