// Tasks that wait for cells.
#ifndef RANKUNIT_GRAPH_SCHEDULE_WAITING_TASKS_H
#define RANKUNIT_GRAPH_SCHEDULE_WAITING_TASKS_H

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "graph/model/task.h"

namespace rankunit::graph {

// Whose dependencies have completed, and whose waits have not. Polled, so that no core is taken. Thread-safe.
class WaitingTasks {
public:
    // False if all waits of the task hold; else it is in this list from now on. Throws what a check throws.
    bool admit(Task &task);

    size_t count() const { return count_.load(std::memory_order_acquire); }

    // Takes out tasks whose waits all hold. Takes out those whose waits cannot be checked too, and gives each to
    // `failed` while the exception is current.
    TaskList poll(const std::function<void(const Task &)> &failed);

    // Whether the next poll finds something to do.
    bool any_can_go_on() const;
    // Whether only this device can change what is waited for.
    bool all_private() const;
    // "task 3 "ffn" waits for the cell at 0x7f00 >= 2, which is 1", for each
    std::vector<std::string> texts() const;

private:
    static bool satisfied(Task &task);

    mutable std::mutex mutex_;
    std::vector<Task *> tasks_;
    std::atomic<size_t> count_{0};
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_SCHEDULE_WAITING_TASKS_H
