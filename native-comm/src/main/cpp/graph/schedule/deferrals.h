// Completions that a kernel has put off.
#ifndef RANKUNIT_GRAPH_SCHEDULE_DEFERRALS_H
#define RANKUNIT_GRAPH_SCHEDULE_DEFERRALS_H

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "graph/model/task.h"

namespace rankunit::graph {

class Scheduler;

// The tokens of one device, each good for one completion. Thread-safe.
class Deferrals {
public:
    uint64_t add(std::shared_ptr<Scheduler> scheduler, Task &task);
    // Throws DEVICE_INVALID_ARGUMENT if there is no such token, or none any more.
    void complete(uint64_t token);
    // When a run has ended, its tokens mean nothing any more. Waits for completions that are under way.
    void forget(const Scheduler &scheduler);
    // What `scheduler` waits for, for people.
    std::vector<std::string> texts(const Scheduler &scheduler) const;
    bool has(const Scheduler &scheduler) const;

private:
    struct Deferral {
        std::shared_ptr<Scheduler> scheduler;
        Task *task;
        bool completing;  // the task may be gone at any time
    };

    mutable std::mutex mutex_;
    std::condition_variable completed_;
    uint64_t last_ = 0;
    std::map<uint64_t, Deferral> all_;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_SCHEDULE_DEFERRALS_H
