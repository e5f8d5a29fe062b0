// A run whose dependencies follow from what its tasks read and write.
#ifndef RANKUNIT_GRAPH_RUNTIMES_RING_RUN_H
#define RANKUNIT_GRAPH_RUNTIMES_RING_RUN_H

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "graph/runtimes/orchestration.h"
#include "graph/runtimes/repeated_tasks.h"
#include "graph/runtimes/task_ring.h"
#include "graph/runtimes/tensor_map.h"
#include "graph/runtimes/tensormap_and_ringbuffer.h"

namespace rankunit::graph {

// An open scope. Its tasks are in the ring of its depth.
struct Scope {
    std::string name;
    uint64_t number;
    uint32_t depth;
    bool manual;
    bool recorded;
    Slot *tasks = nullptr;  // the last one; each leads to the one before
    uint64_t task_count = 0;
    uint64_t heap_bytes = 0;

    uint32_t ring() const { return depth < GRAPH_RINGS ? depth : GRAPH_RINGS - 1; }
    std::string text() const { return "scope \"" + name + "\""; }
};

class RingRun : public OrchestrationRun {
public:
    RingRun(std::shared_ptr<const Orchestration> orchestration, const GraphKernels &kernels, device::Device &device,
            uint64_t slots, RingHeaps &heaps);

    void completed(Task &task, Edge *edges) noexcept override;
    std::string text_of_rest() const override;
    uint64_t count(GraphCount count) const override;
    record::Watch *watch() override { return &repeated_.watch(); }
    uint64_t unrecorded() const override { return repeated_.count(); }

protected:
    uint64_t submit(const OrchestrationTask &wanted) override;
    void begin_scope(const char *name, bool manual) override;
    void end_scope() override;
    bool returned() override;

private:
    TaskRing &ring(uint32_t number);
    // Waits for a slot and for room in the heap. Throws if that would be forever.
    uint64_t wait_for_room(TaskRing &ring, uint64_t heap_bytes, const TaskShape &shape);
    void require_end(const TaskRing &ring, bool lacks_slot, uint64_t heap_bytes, const TaskShape &shape) const;
    void require_usable(const TaskShape &shape);
    Slot *owner_of(const OrchestrationArgument &tensor);
    void give_addresses(const TaskShape &shape, const OrchestrationTask &wanted, uint64_t base, uint64_t start) const;
    void derive(Slot &slot, const TaskShape &shape, const Scope &scope);
    void follow_hand_made(Slot &slot, const OrchestrationTask &wanted);
    void hold(Slot &slot, Slot &used);
    void count_room(const TaskRing &ring);

    const uint64_t slots_;
    RingHeaps &heaps_;
    std::array<std::unique_ptr<TaskRing>, GRAPH_RINGS> rings_;
    std::deque<Scope> scopes_;  // the innermost one last
    uint64_t last_scope_ = 0;
    uint64_t submissions_ = 0;
    RepeatedTasks repeated_;
    TensorMap map_;
    std::vector<TaskUse> found_;  // by one submission
    std::atomic<uint64_t> most_slots_{0};
    std::atomic<uint64_t> most_heap_{0};
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_RING_RUN_H
