// The order of signals to semaphore cells and of what waits see of them, across processes.
#ifndef RANKUNIT_RECORD_CELL_ORDER_H
#define RANKUNIT_RECORD_CELL_ORDER_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "record/format.h"

namespace rankunit::record {

// Locks and counters in a small file that all ranks of a group map. Processes map a window at different addresses, but
// a cell has the same offset in its page in each; that is what finds its slot. A lock whose holder does not let go for
// kPatience, because it has died, is taken from it, and that is counted. Thread-safe.
class CellOrder {
public:
    static constexpr uint64_t kPatienceNs = 1'000'000'000;

    // Makes the file or opens it, whichever rank comes first; without a path, the order is that of this process alone.
    // Throws DEVICE_SYSTEM, or DEVICE_INVALID_ARGUMENT if it is another kind of file.
    explicit CellOrder(const std::string &path);
    CellOrder(const CellOrder &) = delete;
    CellOrder &operator=(const CellOrder &) = delete;
    ~CellOrder();

    // The lock of a cell, as long as the object lives. Not for two cells at a time.
    class Held {
    public:
        Held(CellOrder &order, uint64_t cell) noexcept;
        Held(const Held &) = delete;
        Held &operator=(const Held &) = delete;
        ~Held();

        // The order of one more signal.
        uint64_t next() noexcept { return slot_.signals.fetch_add(1, std::memory_order_relaxed) + 1; }
        // The signals so far.
        uint64_t seen() const noexcept { return slot_.signals.load(std::memory_order_relaxed); }

    private:
        OrderSlot &slot_;
        const uint32_t self_;
    };

    uint64_t broken() const noexcept { return header_->broken.load(std::memory_order_relaxed); }

private:
    void lock(OrderSlot &slot, uint32_t self) noexcept;

    OrderHeader *header_;
    OrderSlot *slots_;
};

}  // namespace rankunit::record

#endif  // RANKUNIT_RECORD_CELL_ORDER_H
