#include "graph/model/task.h"

namespace rankunit::graph {

uint32_t Task::parts() const {
    return kernel->cores == STREAM_CORES_MIXED ? blocks * kPartsOfMixed : blocks;
}

bool Task::has_completed() const {
    return successors.load(std::memory_order_acquire) == completed_edges();
}

std::string Task::text() const {
    const uint64_t ring = id >> kRingShift;
    const std::string number = "task " + std::to_string(id & ((uint64_t{1} << kRingShift) - 1)) +
                               (ring == 0 ? "" : " of ring " + std::to_string(ring));
    const std::string given = name();
    return number + (given.empty() ? " (kernel \"" + kernel->name + "\")" : " \"" + given + "\"");
}

Edge *completed_edges() {
    static Edge completed{nullptr, nullptr};
    return &completed;
}

void reset(Task &task, uint32_t pending, Edge *successors) {
    task.pending.store(pending, std::memory_order_relaxed);
    task.unended.store(task.parts(), std::memory_order_relaxed);
    task.successors.store(successors, std::memory_order_relaxed);
    task.next = nullptr;
    task.next_block = 0;
    task.was_skipped = false;
    if (task.conditions != nullptr) task.conditions->first_to_check = 0;
}

bool add_edge(Task &before, Edge &edge) {
    Edge *first = before.successors.load(std::memory_order_acquire);
    do {
        if (first == completed_edges()) return false;
        edge.next = first;
        // release: who completes `before` reads the edge
    } while (
        !before.successors.compare_exchange_weak(first, &edge, std::memory_order_release, std::memory_order_acquire));
    return true;
}

}  // namespace rankunit::graph
