// Recording signals to semaphore cells, and what waits see of them.
#ifndef RANKUNIT_RECORD_CELL_EVENTS_H
#define RANKUNIT_RECORD_CELL_EVENTS_H

#include <cstdint>
#include <vector>

#include "record/record.h"

namespace rankunit::record {

// Changes a cell with `change`, which returns what it found, and records this as a signal.
template <typename Change>
void in_order(uint64_t cell, uint64_t signal, int32_t value, Change change) {
    Log *const to = log();
    if (to == nullptr) {
        change();
        return;
    }
    CellOrder::Held held(to->order(), cell);
    const auto found = static_cast<uint32_t>(change());
    now(kSignal, cell, halves(signal, found), static_cast<uint32_t>(value), held.next(), place());
}

// A cell as a thread saw it.
struct Seen {
    uint64_t cell;
    uint64_t order;
    int32_t found;
};

// Reads a cell with `read`. Something must be recorded.
template <typename Read>
Seen seen_of(uint64_t cell, Read read) {
    Log *const to = log();
    if (to == nullptr) return {cell, 0, read()};
    const CellOrder::Held held(to->order(), cell);
    return {cell, held.seen(), read()};
}

void seen(const std::vector<Seen> &cells, uint64_t compare, int32_t value, Look look, const Span &span) noexcept;

}  // namespace rankunit::record

#endif  // RANKUNIT_RECORD_CELL_EVENTS_H
