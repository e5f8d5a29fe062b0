// Who writes and who reads which bytes.
#ifndef RANKUNIT_GRAPH_RUNTIMES_TENSOR_MAP_H
#define RANKUNIT_GRAPH_RUNTIMES_TENSOR_MAP_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "graph/model/task.h"

namespace rankunit::graph {

// A task at the time of its submission; its memory may belong to another one later.
struct TaskUse {
    Task *task;
    uint64_t id;
    uint64_t manual_scope;  // 0 if its dependencies are derived

    bool has_completed() const { return task->id != id || task->has_completed(); }
};

// Derives what a task depends on from the bytes that it uses: what it reads depends on who wrote it last, and what it
// writes on who wrote it last and who has read it since. Tasks of the same manual scope do not depend on each other.
// Searches a map of ranges: O((n + k) log n) for k ranges that a task meets. Forgets what has completed, so it is as
// large as what is under way. Not thread-safe.
class TensorMap {
public:
    struct Range {
        uint64_t start;
        uint64_t end;
    };

    // Adds to `found` who must complete before `use` may access the range; some perhaps more than once.
    void find(const Range &range, bool writes, const TaskUse &use, std::vector<TaskUse> &found) const;

    // From now on, others depend on this access. All finds of a task come before its first add.
    void add(const Range &range, bool writes, const TaskUse &use);

    size_t size() const { return segments_.size(); }

private:
    // By its start. Segments do not overlap.
    struct Segment {
        uint64_t end;
        std::vector<TaskUse> writers;  // several only in a manual scope
        std::vector<TaskUse> readers;  // since the last write
    };
    using Segments = std::map<uint64_t, Segment>;

    Segments::const_iterator first_meeting(const Range &range) const;
    void split(uint64_t at);
    void fill_gaps(const Range &range);
    static void write(Segment &segment, const TaskUse &use);
    void write_whole(const Range &range, const TaskUse &use);
    static void read(Segment &segment, const TaskUse &use);
    void forget_completed();

    Segments segments_;
    size_t forget_at_ = 1024;  // segments
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_TENSOR_MAP_H
