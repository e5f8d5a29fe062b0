#include "graph/schedule/ready_queue.h"

namespace rankunit::graph {

void ReadyQueue::push(TaskList &tasks, bool by_priority) {
    while (Task *task = tasks.pop()) {
        const StreamCores cores = task->kernel->cores;
        TaskList &queue = queues_[static_cast<size_t>(cores)];
        if (by_priority) {
            queue.insert(*task, [task](const Task &other) { return task->ready_since < other.ready_since; });
        } else {
            task->ready_since = pushed_++;
            queue.push(*task);
        }
        blocks_.fetch_add(task->blocks, std::memory_order_relaxed);
        if (cores == STREAM_CORES_MIXED) mixed_.fetch_add(1, std::memory_order_relaxed);
    }
}

StreamCores ReadyQueue::older() const {
    const Task *vector = first(STREAM_CORES_VECTOR);
    const Task *cube = first(STREAM_CORES_CUBE);
    const bool cube_is_older = cube != nullptr && (vector == nullptr || cube->ready_since < vector->ready_since);
    return cube_is_older ? STREAM_CORES_CUBE : STREAM_CORES_VECTOR;
}

uint32_t ReadyQueue::take_block(StreamCores cores) {
    TaskList &queue = queues_[static_cast<size_t>(cores)];
    Task &task = *queue.first();
    blocks_.fetch_sub(1, std::memory_order_relaxed);
    const uint32_t block = task.next_block++;
    if (task.next_block == task.blocks) {
        queue.pop();
        if (cores == STREAM_CORES_MIXED) mixed_.fetch_sub(1, std::memory_order_relaxed);
    }
    return block;
}

}  // namespace rankunit::graph
