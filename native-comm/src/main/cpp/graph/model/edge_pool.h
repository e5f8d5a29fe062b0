// Memory for edges that come and go.
#ifndef RANKUNIT_GRAPH_MODEL_EDGE_POOL_H
#define RANKUNIT_GRAPH_MODEL_EDGE_POOL_H

#include <atomic>
#include <memory>
#include <vector>

#include "graph/model/task.h"

namespace rankunit::graph {

// Grows to the greatest number of edges that exist at a time. One thread takes; any thread gives back.
class EdgePool {
public:
    Edge &take(Task &after) {
        if (free_ == nullptr) free_ = returned_.exchange(nullptr, std::memory_order_acquire);
        if (free_ == nullptr) grow();
        Edge &edge = *free_;
        free_ = edge.next;
        edge.after = &after;
        return edge;
    }

    // An edge that was not used. For the thread that takes.
    void put(Edge &edge) {
        edge.next = free_;
        free_ = &edge;
    }

    // A list of edges.
    void give_back(Edge *first) noexcept {
        if (first == nullptr) return;
        Edge *last = first;
        while (last->next != nullptr) last = last->next;
        Edge *others = returned_.load(std::memory_order_relaxed);
        do {
            last->next = others;
            // Only whole lists are taken, so it does not matter if `others` went and came back.
        } while (!returned_.compare_exchange_weak(others, first, std::memory_order_release, std::memory_order_relaxed));
    }

private:
    static constexpr size_t kChunk = 256;

    void grow() {
        chunks_.push_back(std::make_unique<Edge[]>(kChunk));
        for (size_t i = 0; i < kChunk; i++) put(chunks_.back()[i]);
    }

    std::vector<std::unique_ptr<Edge[]>> chunks_;
    Edge *free_ = nullptr;
    std::atomic<Edge *> returned_{nullptr};
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_MODEL_EDGE_POOL_H
