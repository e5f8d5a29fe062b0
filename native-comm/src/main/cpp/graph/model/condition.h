// Conditions on cells: what a task waits for, and what decides whether it runs.
#ifndef RANKUNIT_GRAPH_MODEL_CONDITION_H
#define RANKUNIT_GRAPH_MODEL_CONDITION_H

#include <cstdint>
#include <string>

#include "device/device.h"
#include "rankunit/kernel.h"

namespace rankunit::graph {

// Thread-safe. Failures, such as memory that has been freed, are thrown.
struct Condition {
    KernelCells cells;
    KernelCompare compare;
    int32_t value;
    // Whether the cells lie in memory of the graph's device, so that no other rank changes them.
    bool private_cells;

    bool holds() const;
    // "the cell at 0x7f00 >= 3, which is 1", with the first cell that does not satisfy the comparison
    std::string text() const;
};

// Checks what comes from a caller.
Condition make_condition(device::Device &device, const KernelCells &cells, uint32_t compare, int32_t value);

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_MODEL_CONDITION_H
