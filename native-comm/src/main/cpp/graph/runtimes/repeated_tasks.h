// Which tasks of a run are not recorded.
#ifndef RANKUNIT_GRAPH_RUNTIMES_REPEATED_TASKS_H
#define RANKUNIT_GRAPH_RUNTIMES_REPEATED_TASKS_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

#include "graph/model/task_setup.h"
#include "record/record.h"

namespace rankunit::graph {

// A run may have so many tasks that recording them takes longer than running them, and more memory than there is. If
// only their arguments order its tasks, and others see nothing of them before the run ends, one that has the arguments
// of earlier ones adds nothing to what a check can find. Such tasks are left out when the run has many. Used by the
// thread that submits tasks; others may read `count` and the watch.
class RepeatedTasks {
public:
    // Whether the task that is submitted next is not recorded. So many have `completed`: what tasks do besides is seen
    // when they run.
    bool leaves_out(const TaskShape &shape, uint64_t completed);
    bool are_left_out() const { return count() > 0; }
    uint64_t count() const { return count_.load(std::memory_order_relaxed); }
    // From when on it has seen something, all tasks are recorded.
    record::Watch &watch() { return watch_; }

private:
    struct Argument {
        uint64_t value;
        uint64_t bytes;
        uint32_t kind;
        bool operator==(const Argument &other) const {
            return value == other.value && bytes == other.bytes && kind == other.kind;
        }
    };
    struct Hash {
        size_t operator()(const Argument &argument) const;
    };

    // Whether they are those of earlier tasks.
    bool are_known(const TaskShape &shape);

    record::Watch watch_;
    std::unordered_set<Argument, Hash> known_;
    bool knows_none_ = false;  // a task without tensors
    std::atomic<uint64_t> count_{0};
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_REPEATED_TASKS_H
