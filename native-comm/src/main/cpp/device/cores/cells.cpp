#include "device/cores/cells.h"

#include <atomic>
#include <cstdio>
#include <optional>
#include <vector>

#include "device/cores/activity.h"
#include "device/cores/workers.h"
#include "device/memory_map.h"
#include "rankunit/device.h"
#include "record/cell_events.h"
#include "support/deadline.h"
#include "support/failure.h"
#include "support/futex.h"

namespace rankunit::device {
namespace {

using Cell = std::atomic<int32_t>;
static_assert(Cell::is_always_lock_free && sizeof(Cell) == sizeof(int32_t), "cells are shared between processes");

constexpr uint64_t kCellBytes = sizeof(int32_t);

Cell &cell_at(uint64_t address) {
    return *reinterpret_cast<Cell *>(address);
}

bool holds(int32_t cell, KernelCompare compare, int32_t value) {
    switch (compare) {
        case KERNEL_EQ:
            return cell == value;
        case KERNEL_NE:
            return cell != value;
        case KERNEL_GT:
            return cell > value;
        case KERNEL_GE:
            return cell >= value;
        case KERNEL_LT:
            return cell < value;
        case KERNEL_LE:
            return cell <= value;
    }
    return false;
}

const char *sign_of(KernelCompare compare) {
    switch (compare) {
        case KERNEL_EQ:
            return "==";
        case KERNEL_NE:
            return "!=";
        case KERNEL_GT:
            return ">";
        case KERNEL_GE:
            return ">=";
        case KERNEL_LT:
            return "<";
        case KERNEL_LE:
            return "<=";
    }
    return "?";
}

struct Unsatisfied {
    uint64_t address;
    int32_t value;
};

// The first cell that does not satisfy the comparison. Reading it acquires what its last signal released.
std::optional<Unsatisfied> first_unsatisfied(const KernelCells &cells, KernelCompare compare, int32_t value) {
    for (uint32_t row = 0; row < cells.rows; row++) {
        for (uint32_t column = 0; column < cells.columns; column++) {
            const uint64_t address = cells.address + row * cells.row_bytes + column * kCellBytes;
            const int32_t found = cell_at(address).load(std::memory_order_seq_cst);
            if (!holds(found, compare, value)) return Unsatisfied{address, found};
        }
    }
    return std::nullopt;
}

uint64_t bytes_of(const KernelCells &cells) {
    return (cells.rows - 1) * cells.row_bytes + cells.columns * kCellBytes;
}

KernelCompare opposite_of(KernelCompare compare) {
    switch (compare) {
        case KERNEL_EQ:
            return KERNEL_NE;
        case KERNEL_NE:
            return KERNEL_EQ;
        case KERNEL_GT:
            return KERNEL_LE;
        case KERNEL_GE:
            return KERNEL_LT;
        case KERNEL_LT:
            return KERNEL_GE;
        case KERNEL_LE:
            return KERNEL_GT;
    }
    return compare;
}

// Looks at cells, each in its order with the signals, up to the first one that is not satisfied. Returns whether all
// are.
bool look_at(const KernelCells &cells, KernelCompare compare, int32_t value, std::vector<record::Seen> &all) {
    bool satisfied = true;
    MemoryMap::of_process().access(cells.address, bytes_of(cells), MemoryMap::Use::kRead, [&] {
        for (uint32_t row = 0; row < cells.rows && satisfied; row++) {
            for (uint32_t column = 0; column < cells.columns && satisfied; column++) {
                const uint64_t address = cells.address + row * cells.row_bytes + column * kCellBytes;
                all.push_back(
                    record::seen_of(address, [address] { return cell_at(address).load(std::memory_order_seq_cst); }));
                satisfied = holds(all.back().found, compare, value);
            }
        }
    });
    return satisfied;
}

// Looks at all cells once more, and records what it finds if all are satisfied.
bool observe(const KernelCells &cells, KernelCompare compare, int32_t value, record::Look look,
             const record::Span &span) {
    std::vector<record::Seen> all;
    const bool satisfied = look_at(cells, compare, value, all);
    if (satisfied) record::seen(all, compare, value, look, span);
    return satisfied;
}

std::string hex(uint64_t address) {
    char text[24];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
    return text;
}

void require_aligned(uint64_t cell) {
    if (cell % kCellBytes != 0) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "cell = " + hex(cell) + " is not a multiple of 4");
    }
}

// For a look from another thread. Memory that was freed is noticed by the wait itself.
bool is_over(const KernelCells &cells, KernelCompare compare, int32_t value) {
    try {
        return cells_satisfy(cells, compare, value);
    } catch (const Failure &) {
        return true;
    }
}

[[noreturn]] void throw_timeout(const std::string &who, const std::string &what, int64_t waited_ms,
                                const Unsatisfied &unsatisfied) {
    throw Failure(DEVICE_TIMEOUT, who + " waited " + std::to_string(waited_ms) + " ms for " + what + "; the cell at " +
                                      hex(unsatisfied.address) + " is " + std::to_string(unsatisfied.value));
}

}  // namespace

void signal_cell(uint64_t cell, KernelSignal signal, int32_t value) {
    require_aligned(cell);
    MemoryMap::of_process().access(cell, kCellBytes, MemoryMap::Use::kWrite, [&] {
        record::in_order(cell, signal, value, [&] {
            // seq_cst: releases this thread's earlier writes, and is ordered before the wake-up
            return signal == KERNEL_SIGNAL_SET ? cell_at(cell).exchange(value, std::memory_order_seq_cst)
                                               : cell_at(cell).fetch_add(value, std::memory_order_seq_cst);
        });
        futex_wake_all(&cell_at(cell));
    });
}

bool cells_satisfy(const KernelCells &cells, KernelCompare compare, int32_t value) {
    require_cells(cells);
    bool satisfied = false;
    MemoryMap::of_process().access(cells.address, bytes_of(cells), MemoryMap::Use::kRead,
                                   [&] { satisfied = !first_unsatisfied(cells, compare, value).has_value(); });
    return satisfied;
}

bool cells_satisfy(const KernelCells &cells, KernelCompare compare, int32_t value, record::Look look) {
    const record::Span span;
    return cells_satisfy(cells, compare, value) &&
           (record::log() == nullptr || observe(cells, compare, value, look, span));
}

bool predicate_holds(const KernelCells &cells, KernelCompare compare, int32_t value) {
    if (record::log() == nullptr) return cells_satisfy(cells, compare, value);
    require_cells(cells);
    const record::Span span;
    std::vector<record::Seen> all;
    const bool satisfied = look_at(cells, compare, value, all);
    // of those that were looked at, only the last one does not hold
    if (!satisfied) all.erase(all.begin(), all.end() - 1);
    record::seen(all, satisfied ? compare : opposite_of(compare), value, record::kPredicates, span);
    return satisfied;
}

void wait_for_cells(const KernelCells &cells, KernelCompare compare, int32_t value, const Interruption &interruption,
                    const std::string &who, bool has_turn) {
    const record::Span span;
    if (cells_satisfy(cells, compare, value, record::kWaits)) return;
    const Activity::Wait wait([&] { return text_of_state(cells, compare, value); },
                              [&] { return is_over(cells, compare, value); }, interruption.timeout());
    std::optional<Workers::Pause> pause;
    if (has_turn) pause.emplace(Workers::of_process());
    const Deadline deadline(interruption.timeout());
    for (;;) {
        std::optional<Unsatisfied> unsatisfied;
        // Checked in each slice, since the memory may be freed meanwhile.
        MemoryMap::of_process().access(cells.address, bytes_of(cells), MemoryMap::Use::kRead,
                                       [&] { unsatisfied = first_unsatisfied(cells, compare, value); });
        if (!unsatisfied.has_value()) {
            if (record::log() == nullptr || observe(cells, compare, value, record::kWaits, span)) return;
            // another thread has changed it again, or a signal is being made
            continue;
        }
        // Outside of the map's lock, which would hold up allocations; of unmapped memory, the kernel says so. Not for
        // longer than a slice, since code that is not ours may change a cell without waking any thread.
        interruption.sleep_on(cell_at(unsatisfied->address), unsatisfied->value, Interruption::kSlice);
        interruption.check();
        if (deadline.passed()) throw_timeout(who, text_of(cells, compare, value), deadline.waited_ms(), *unsatisfied);
    }
}

std::string text_of(const KernelCells &cells, KernelCompare compare, int32_t value) {
    const bool one = cells.rows == 1 && cells.columns == 1;
    const std::string what =
        one ? "the cell at " : std::to_string(cells.rows) + " x " + std::to_string(cells.columns) + " cells at ";
    return what + hex(cells.address) + " " + sign_of(compare) + " " + std::to_string(value);
}

std::string text_of_state(const KernelCells &cells, KernelCompare compare, int32_t value) {
    const std::string what = text_of(cells, compare, value);
    std::optional<Unsatisfied> unsatisfied;
    MemoryMap::of_process().access(cells.address, bytes_of(cells), MemoryMap::Use::kRead,
                                   [&] { unsatisfied = first_unsatisfied(cells, compare, value); });
    if (!unsatisfied.has_value()) return what;
    const bool one = cells.rows == 1 && cells.columns == 1;
    return what + (one ? ", which is " : "; the cell at " + hex(unsatisfied->address) + " is ") +
           std::to_string(unsatisfied->value);
}

KernelSignal require_signal(uint32_t signal) {
    if (signal > KERNEL_SIGNAL_ADD) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      "signal = " + std::to_string(signal) + " is neither 0 (set) nor 1 (add)");
    }
    return static_cast<KernelSignal>(signal);
}

KernelCompare require_compare(uint32_t compare) {
    if (compare > KERNEL_LE) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "compare = " + std::to_string(compare) + " is not in [0, 5]");
    }
    return static_cast<KernelCompare>(compare);
}

void require_cells(const KernelCells &cells) {
    require_aligned(cells.address);
    if (cells.rows == 0 || cells.columns == 0) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "rows = " + std::to_string(cells.rows) + ", columns = " +
                                                   std::to_string(cells.columns) + ": there must be at least one cell");
    }
    const bool rows_apart =
        cells.rows == 1 || (cells.row_bytes % kCellBytes == 0 && cells.row_bytes >= cells.columns * kCellBytes &&
                            cells.row_bytes <= UINT32_MAX);
    if (!rows_apart) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "row_bytes = " + std::to_string(cells.row_bytes) +
                                                   " is not a multiple of 4 that holds " +
                                                   std::to_string(cells.columns) + " columns");
    }
}

}  // namespace rankunit::device
