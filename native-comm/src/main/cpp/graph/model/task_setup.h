// Making a task of what a caller gives.
#ifndef RANKUNIT_GRAPH_MODEL_TASK_SETUP_H
#define RANKUNIT_GRAPH_MODEL_TASK_SETUP_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>

#include "graph/model/task.h"
#include "rankunit/orchestration.h"

namespace rankunit::graph {

// The kernels of a graph, by number and by name. Failures are thrown.
class GraphKernels {
public:
    uint32_t add(const device::KernelFunction &function, uint32_t cores, int32_t nargs, const char *name);
    const GraphKernel &at(uint32_t number) const;
    uint32_t number_of(const std::string &name) const;

private:
    std::deque<GraphKernel> all_;
};

// What a task shall be, apart from its conditions.
struct TaskShape {
    const GraphKernel &kernel;
    uint32_t blocks;
    const char *name;  // may be null
    const OrchestrationArgument *args;
    size_t nargs;
};

// Throws DEVICE_INVALID_ARGUMENT, DEVICE_BAD_ADDRESS or DEVICE_NOT_SUPPORTED if there can be no such task. With
// `allocates`, an output of address 0 is one that is to be allocated. `who` gives the beginning of the text.
void require_task(const TaskShape &shape, bool allocates, const std::function<std::string()> &who);

// Throws DEVICE_BAD_ADDRESS unless the tensor lies in device memory or a window.
void require_tensor(const OrchestrationArgument &tensor);

// Makes a task of this shape, which has been checked, without conditions. With `recorded` false, it is not recorded.
void set_up(Task &task, uint64_t id, const TaskShape &shape, bool recorded = true);

// Adds a wait, or sets the predicate.
void add_wait(Task &task, device::Device &device, const KernelCells &cells, uint32_t compare, int32_t value);
void set_predicate(Task &task, device::Device &device, const KernelCells &cells, uint32_t compare, int32_t value);

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_MODEL_TASK_SETUP_H
