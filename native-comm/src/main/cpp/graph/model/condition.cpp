#include "graph/model/condition.h"

#include <atomic>
#include <cstdio>
#include <optional>

#include "device/cores/cells.h"
#include "device/memory_map.h"
#include "support/failure.h"

namespace rankunit::graph {
namespace {

constexpr uint64_t kCellBytes = sizeof(int32_t);

std::string hex(uint64_t address) {
    char text[24];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
    return text;
}

int32_t value_at(uint64_t cell) {
    int32_t value = 0;
    device::MemoryMap::of_process().access(cell, kCellBytes, device::MemoryMap::Use::kRead, [&] {
        value = reinterpret_cast<const std::atomic<int32_t> *>(cell)->load(std::memory_order_seq_cst);
    });
    return value;
}

}  // namespace

bool Condition::holds() const {
    return device::cells_satisfy(cells, compare, value);
}

std::string Condition::text() const {
    const std::string what = device::text_of(cells, compare, value);
    for (uint32_t row = 0; row < cells.rows; row++) {
        for (uint32_t column = 0; column < cells.columns; column++) {
            const uint64_t cell = cells.address + row * cells.row_bytes + column * kCellBytes;
            if (device::cells_satisfy({cell, 1, 1, kCellBytes}, compare, value)) continue;
            const std::string found = std::to_string(value_at(cell));
            const bool one = cells.rows == 1 && cells.columns == 1;
            return what + (one ? ", which is " + found : "; the cell at " + hex(cell) + " is " + found);
        }
    }
    return what;
}

Condition make_condition(device::Device &device, const KernelCells &cells, uint32_t compare, int32_t value) {
    Condition condition{cells, device::require_compare(compare), value, false};
    if (cells.rows == 1) condition.cells.row_bytes = cells.columns * kCellBytes;
    condition.holds();
    condition.private_cells = device.owns(cells.address);
    return condition;
}

}  // namespace rankunit::graph
