// A ring of task slots, and the ring of memory for the outputs of these tasks.
#ifndef RANKUNIT_GRAPH_RUNTIMES_TASK_RING_H
#define RANKUNIT_GRAPH_RUNTIMES_TASK_RING_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "graph/model/task.h"
#include "rankunit/graph.h"

namespace rankunit::graph {

struct Scope;

// A slot is in use until its task, all tasks that use its outputs, and its scope have ended.
struct Slot : Task {
    std::atomic<uint32_t> uses{0};  // how many of these have not
    std::vector<Slot *> held;       // slots whose outputs the task uses
    uint64_t held_for = 0;          // the last submission that holds this slot
    uint64_t edge_for = 0;          // the last submission that depends on this task
    Scope *scope = nullptr;         // null once it has ended
    Slot *next_of_scope = nullptr;
    // Its part of the heap, as positions that only grow: addresses repeat with the size of the heap.
    uint64_t heap_start = 0;
    uint64_t heap_end = 0;
};

// Slots and heap are taken and freed in the order of submission: slot = sequence & (slots - 1). For the thread of the
// orchestration; what other threads do is to count down `Slot::uses`.
class TaskRing {
public:
    // `heap_bytes` is a multiple of GRAPH_HEAP_ALIGNMENT.
    TaskRing(uint32_t number, uint64_t slots, uint64_t heap_bytes)
        : number_(number), heap_bytes_(heap_bytes), mask_(slots - 1), slots_(std::make_unique<Slot[]>(slots)) {}

    uint64_t slots() const { return mask_ + 1; }
    uint64_t heap_bytes() const { return heap_bytes_; }
    uint64_t next_id() const { return id_of(next_); }

    // Frees what has ended, oldest first.
    void free_ended() {
        // acquire: what used the slot is over
        while (oldest_ < next_ && slot(oldest_).uses.load(std::memory_order_acquire) == 0) {
            heap_oldest_ = slot(oldest_).heap_end;
            oldest_++;
        }
        if (oldest_ == next_) heap_oldest_ = heap_next_;
    }

    // What stands in the way if there is no room; null if nothing is in use.
    Slot *oldest() const { return oldest_ < next_ ? &slot(oldest_) : nullptr; }

    bool has_slot() const { return next_ - oldest_ <= mask_; }

    // Where `bytes`, a multiple of the alignment, can lie in one piece.
    std::optional<uint64_t> heap_position(uint64_t bytes) const {
        const uint64_t offset = heap_next_ % heap_bytes_;
        uint64_t start = heap_next_;
        // wrap to 0
        if (bytes > heap_bytes_ - offset) start += heap_bytes_ - offset;
        // with nothing in use, the room before it is free too
        const uint64_t oldest = oldest_ == next_ ? start : heap_oldest_;
        if (start + bytes - oldest > heap_bytes_) return std::nullopt;
        return start;
    }

    // There must be a slot, and room for `bytes` at `start`.
    Slot &take(uint64_t start, uint64_t bytes) {
        if (oldest_ == next_) heap_oldest_ = start;
        Slot &slot = this->slot(next_);
        slot.heap_start = start;
        slot.heap_end = start + bytes;
        heap_next_ = bytes == 0 ? heap_next_ : slot.heap_end;
        if (bytes == 0) slot.heap_start = slot.heap_end = heap_next_;
        next_++;
        most_slots_ = std::max(most_slots_, next_ - oldest_);
        most_heap_ = std::max(most_heap_, heap_next_ - heap_oldest_);
        return slot;
    }

    // The task of this number, or null if its slot has been freed. The number must have been given out.
    Slot *find(uint64_t sequence) const { return sequence < oldest_ ? nullptr : &slot(sequence); }
    bool has_given_out(uint64_t sequence) const { return sequence >= 1 && sequence < next_; }

    // Whose output lies at this offset of the heap; null if that has been freed.
    Slot *owner_of(uint64_t offset) const;

    // With what has ended and has not been freed.
    uint64_t slots_in_use() const { return next_ - oldest_; }
    uint64_t heap_in_use() const { return heap_next_ - heap_oldest_; }
    uint64_t most_slots() const { return most_slots_; }
    uint64_t most_heap() const { return most_heap_; }

private:
    Slot &slot(uint64_t sequence) const { return slots_[sequence & mask_]; }
    uint64_t id_of(uint64_t sequence) const { return (uint64_t{number_} << kRingShift) | sequence; }

    const uint32_t number_;
    const uint64_t heap_bytes_;
    const uint64_t mask_;
    const std::unique_ptr<Slot[]> slots_;
    uint64_t oldest_ = 1;  // in use, if less than `next_`
    uint64_t next_ = 1;
    uint64_t heap_oldest_ = 0;
    uint64_t heap_next_ = 0;
    uint64_t most_slots_ = 0;
    uint64_t most_heap_ = 0;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_TASK_RING_H
