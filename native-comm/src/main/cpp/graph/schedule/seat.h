// Where a thread of the scheduler sits.
#ifndef RANKUNIT_GRAPH_SCHEDULE_SEAT_H
#define RANKUNIT_GRAPH_SCHEDULE_SEAT_H

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "device/cores/block_run.h"
#include "device/cores/lanes.h"
#include "graph/model/task.h"

namespace rankunit::graph {

// The core that a thread has, if any, and the block that it runs there. Belongs to the thread; others may only ask for
// the text.
class Seat {
public:
    explicit Seat(device::Lanes &lanes) : lanes_(lanes) {}
    Seat(device::Lanes &lanes, device::CoreKind kind, uint32_t core) : lanes_(lanes), kind_(kind), core_(core) {}
    Seat(const Seat &) = delete;
    Seat &operator=(const Seat &) = delete;
    ~Seat() { leave(); }

    // Takes a core of this kind, and gives back one of the other kind. False if none is free.
    bool sit(device::CoreKind kind);
    // Takes the cores for a block of a mixed kernel. Those of its vector parts are in `mates`, for who runs them.
    bool sit_mixed();
    void leave();

    void begin(Task &task, uint32_t block, uint32_t sub_block);
    // From here on, the task may be gone.
    void end();

    Task &task() const { return *task_; }
    device::BlockPlace place() const;
    std::optional<std::array<uint32_t, 2>> take_mates();
    // "task 3 "sum" on vector core 2"; empty if nothing runs
    std::string text() const;

    bool busy = false;  // guarded by the scheduler

private:
    device::Lanes &lanes_;
    device::CoreKind kind_ = device::CoreKind::kVector;
    std::optional<uint32_t> core_;
    std::optional<std::array<uint32_t, 2>> mates_;
    mutable std::mutex mutex_;  // for the task, as far as others read it
    Task *task_ = nullptr;
    uint32_t block_ = 0;
    uint32_t sub_block_ = 0;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_SCHEDULE_SEAT_H
