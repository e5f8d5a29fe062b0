#include "graph/runtimes/task_ring.h"

namespace rankunit::graph {

// The slots in use are sorted by position, since heap and slots are taken in the same order.
Slot *TaskRing::owner_of(uint64_t offset) const {
    const uint64_t end = heap_next_ % heap_bytes_;
    const uint64_t behind = offset < end ? end - offset : end + heap_bytes_ - offset;
    if (behind > heap_next_) return nullptr;
    const uint64_t position = heap_next_ - behind;
    uint64_t low = oldest_;
    uint64_t high = next_;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (slot(middle).heap_end <= position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == next_ || slot(low).heap_start > position) return nullptr;
    return &slot(low);
}

}  // namespace rankunit::graph
