// Finding out why tasks depend on each other in a cycle.
#ifndef RANKUNIT_GRAPH_MODEL_CYCLE_H
#define RANKUNIT_GRAPH_MODEL_CYCLE_H

#include <cstddef>
#include <functional>
#include <string>

#include "graph/model/task.h"

namespace rankunit::graph {

// "task 1 "a" -> task 2 "b" -> task 1 "a"" of some cycle; empty if there is none. The tasks are numbered from 1 to
// `count`; `edges` gives what leads from one.
std::string text_of_cycle(size_t count, const std::function<const Task &(uint64_t)> &task,
                          const std::function<const Edge *(const Task &)> &edges);

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_MODEL_CYCLE_H
