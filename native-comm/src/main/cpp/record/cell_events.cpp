#include "record/cell_events.h"

namespace rankunit::record {

void seen(const std::vector<Seen> &cells, uint64_t compare, int32_t value, Look look, const Span &span) noexcept {
    for (const Seen &seen : cells) {
        span.end(kWait, seen.cell, compare, static_cast<uint32_t>(value), seen.order,
                 halves(static_cast<uint32_t>(seen.found), look));
    }
}

}  // namespace rankunit::record
