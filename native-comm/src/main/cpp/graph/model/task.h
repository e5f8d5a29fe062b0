// The one model of a task, for all runtimes.
#ifndef RANKUNIT_GRAPH_MODEL_TASK_H
#define RANKUNIT_GRAPH_MODEL_TASK_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/cores/block_run.h"
#include "graph/model/condition.h"
#include "rankunit/stream.h"

namespace rankunit::graph {

// A kernel as a graph knows it.
struct GraphKernel {
    const device::KernelFunction &function;
    std::string name;
    StreamCores cores;
    int32_t nargs;  // -1: any number
};

struct Task;

// `after` depends on the task in whose list this edge is.
struct Edge {
    Task *after;
    Edge *next;
};

// A task in a ring has the number of the ring in the upper bits of its number.
constexpr uint32_t kRingShift = 56;

struct TaskConditions {
    std::vector<Condition> waits;
    std::optional<Condition> predicate;
    size_t first_to_check = 0;  // index in `waits`: the one that did not hold the last time
};

// The memory of an argument.
struct TaskMemory {
    size_t argument;
    bool read;
    bool written;
    uint64_t address;
    uint64_t bytes;
};

// What few tasks have, or only those that are recorded.
struct TaskDetails {
    std::string name;
    uint32_t place = 0;              // in the program, where it was made: a text of the log of events
    std::vector<TaskMemory> memory;  // of its arguments, if it is to be copied
};

// Of a large graph, no task is in the cache when its turn comes: what the scheduler needs of each is in its first 64
// bytes.
struct Task {
    // Tasks that this one depends on and that have not completed, and 1 as long as it is not published.
    std::atomic<uint32_t> pending{1};
    // Blocks, or parts of mixed ones, that have not ended, and deferred completions.
    std::atomic<uint32_t> unended{0};
    // What depends on it; `completed_edges` once it has completed.
    std::atomic<Edge *> successors{nullptr};
    // Of the list or queue that the task is in.
    Task *next = nullptr;
    uint64_t ready_since = 0;
    uint32_t next_block = 0;
    bool was_skipped = false;  // since its predicate was false

    // Set before the task is published, and only read after that.
    bool published = false;
    uint32_t blocks = 1;
    uint32_t actor = 0;  // in the log of events, for the present run
    const GraphKernel *kernel = nullptr;
    std::unique_ptr<TaskConditions> conditions;  // null if it has none
    uint64_t id = 0;
    std::vector<uint64_t> args;
    std::unique_ptr<TaskDetails> details;  // null if it has none

    std::string name() const { return details == nullptr ? "" : details->name; }
    // Lets the processor fetch what a thread that will run the task needs of it.
    void prefetch() const {
        const auto *bytes = reinterpret_cast<const char *>(this);
        __builtin_prefetch(bytes, 1);
        __builtin_prefetch(bytes + 64);
    }

    uint32_t parts() const;
    bool has_completed() const;
    // "task 7 "sum"", or "task 7 (kernel "k")" if it has no name
    std::string text() const;
};

// A block of a mixed kernel is one cube core, then two vector cores.
constexpr uint32_t kPartsOfMixed = 3;

Edge *completed_edges();

// Before its next run: it depends on `pending` tasks, its edges begin with `successors`.
void reset(Task &task, uint32_t pending, Edge *successors);

// Makes `edge` one of `before`; false if that has completed, and then nothing has changed. Thread-safe.
bool add_edge(Task &before, Edge &edge);

// Tasks in order, without memory of its own. A task is in one list at a time.
class TaskList {
public:
    bool empty() const { return first_ == nullptr; }
    size_t size() const { return size_; }
    Task *first() const { return first_; }
    void push(Task &task) {
        task.next = nullptr;
        (first_ == nullptr ? first_ : last_->next) = &task;
        last_ = &task;
        size_++;
    }
    // Before the first one for which `goes_before` holds; behind so many for which it does not, at the end.
    template <typename GoesBefore>
    void insert(Task &task, GoesBefore goes_before) {
        Task **at = &first_;
        size_t passed = 0;
        while (*at != nullptr && passed < kMostPassed && !goes_before(**at)) {
            at = &(*at)->next;
            passed++;
        }
        if (*at == nullptr || passed == kMostPassed) {
            push(task);
            return;
        }
        task.next = *at;
        *at = &task;
        size_++;
    }
    // The first one, or null.
    Task *pop() {
        Task *const task = first_;
        if (task == nullptr) return nullptr;
        first_ = task->next;
        size_--;
        return task;
    }

private:
    static constexpr size_t kMostPassed = 1024;

    Task *first_ = nullptr;
    Task *last_ = nullptr;
    size_t size_ = 0;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_MODEL_TASK_H
