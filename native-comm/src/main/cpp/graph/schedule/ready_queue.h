// Tasks that can run.
#ifndef RANKUNIT_GRAPH_SCHEDULE_READY_QUEUE_H
#define RANKUNIT_GRAPH_SCHEDULE_READY_QUEUE_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "graph/model/task.h"

namespace rankunit::graph {

// One queue for each kind of cores. Not thread-safe, but for the two counts.
class ReadyQueue {
public:
    // With `by_priority`, `ready_since` of the tasks is their priority, and those with a lower one go before others
    // that are in the queue.
    void push(TaskList &tasks, bool by_priority = false);

    // The one that has been ready for the longest time, or null.
    Task *first(StreamCores cores) const { return queue(cores).first(); }
    // Which of vector and cube cores the task needs that has been ready for the longest time.
    StreamCores older() const;
    // The next block of the first task, which leaves the queue with its last one.
    uint32_t take_block(StreamCores cores);

    size_t blocks() const { return blocks_.load(std::memory_order_relaxed); }
    bool has_mixed() const { return mixed_.load(std::memory_order_relaxed) > 0; }

private:
    const TaskList &queue(StreamCores cores) const { return queues_[static_cast<size_t>(cores)]; }

    std::array<TaskList, 3> queues_;
    uint64_t pushed_ = 0;
    std::atomic<size_t> blocks_{0};
    std::atomic<size_t> mixed_{0};
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_SCHEDULE_READY_QUEUE_H
