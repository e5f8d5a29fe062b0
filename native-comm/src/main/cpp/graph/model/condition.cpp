#include "graph/model/condition.h"

#include "device/cores/cells.h"

namespace rankunit::graph {
namespace {

constexpr uint64_t kCellBytes = sizeof(int32_t);

}  // namespace

bool Condition::holds() const {
    return device::cells_satisfy(cells, compare, value);
}

std::string Condition::text() const {
    return device::text_of_state(cells, compare, value);
}

Condition make_condition(device::Device &device, const KernelCells &cells, uint32_t compare, int32_t value) {
    Condition condition{cells, device::require_compare(compare), value, false};
    if (cells.rows == 1) condition.cells.row_bytes = cells.columns * kCellBytes;
    condition.holds();
    condition.private_cells = device.owns(cells.address);
    return condition;
}

}  // namespace rankunit::graph
