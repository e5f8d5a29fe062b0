#include "graph/runtimes/ring_run.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "device/cores/workers.h"
#include "device/guarded_pages.h"
#include "mutate/mutation.h"
#include "rankunit/device.h"
#include "record/record.h"

namespace rankunit::graph {
namespace {

// How a submission waits for room: first it lets others run, then it sleeps, longer and longer.
constexpr int kYields = 100;
constexpr std::chrono::microseconds kFirstSleep{50};
constexpr std::chrono::microseconds kLastSleep{1000};

constexpr uint64_t kSequenceMask = (uint64_t{1} << kRingShift) - 1;

bool is_new(const OrchestrationArgument &argument) {
    return argument.kind == GRAPH_OUT && argument.value == 0;
}

uint64_t heap_bytes_of(const TaskShape &shape) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < shape.nargs; i++) {
        const OrchestrationArgument &argument = shape.args[i];
        if (!is_new(argument)) continue;
        // more than any heap has
        if (argument.bytes > UINT64_MAX / (2 * GRAPH_MAX_TENSORS)) return UINT64_MAX / 2;
        bytes += device::round_up(argument.bytes, GRAPH_HEAP_ALIGNMENT);
    }
    return bytes;
}

std::string text_of(const TaskShape &shape) {
    const bool named = shape.name != nullptr && *shape.name != '\0';
    return named ? "task \"" + std::string(shape.name) + "\"" : "a task of kernel \"" + shape.kernel.name + "\"";
}

}  // namespace

RingRun::RingRun(std::shared_ptr<const Orchestration> orchestration, const GraphKernels &kernels,
                 device::Device &device, uint64_t slots, RingHeaps &heaps)
    : OrchestrationRun(std::move(orchestration), kernels, device, GRAPH_TENSOR_MAP), slots_(slots), heaps_(heaps) {
    begin_scope("the whole orchestration", false);
}

TaskRing &RingRun::ring(uint32_t number) {
    if (rings_[number] == nullptr) rings_[number] = std::make_unique<TaskRing>(number, slots_, heaps_.bytes());
    return *rings_[number];
}

// Each count is the last time that this touches the slot.
void RingRun::completed(Task &task, Edge *edges) noexcept {
    edges_.give_back(edges);
    Slot &slot = static_cast<Slot &>(task);
    for (Slot *used : slot.held) used->uses.fetch_sub(1, std::memory_order_release);
    slot.uses.fetch_sub(1, std::memory_order_release);
}

std::string RingRun::text_of_rest() const {
    return "tasks are left that depend on none that runs";
}

uint64_t RingRun::count(GraphCount count) const {
    if (count == GRAPH_COUNT_MOST_SLOTS) return most_slots_.load();
    if (count == GRAPH_COUNT_MOST_HEAP) return most_heap_.load() / 1024;
    return OrchestrationRun::count(count);
}

void RingRun::begin_scope(const char *name, bool manual) {
    const auto depth = static_cast<uint32_t>(scopes_.size());
    if (manual) repeated_.watch().see();
    // the outermost one is the run itself
    const bool recorded = depth > 0 && !repeated_.are_left_out();
    scopes_.push_back(
        {*name == '\0' ? "of depth " + std::to_string(depth) : name, ++last_scope_, depth, manual, recorded});
    if (recorded) {
        record::now(record::kScopeBegin, recorded_run, last_scope_, record::text(scopes_.back().name), manual ? 1 : 0);
    }
}

void RingRun::end_scope() {
    if (scopes_.size() == 1) throw Failure(DEVICE_INVALID_ARGUMENT, "a scope ends, but none has begun");
    for (Slot *slot = scopes_.back().tasks; slot != nullptr;) {
        Slot *const before = slot->next_of_scope;
        slot->scope = nullptr;
        slot->uses.fetch_sub(1, std::memory_order_release);
        slot = before;
    }
    if (scopes_.back().recorded) record::now(record::kScopeEnd, recorded_run, scopes_.back().number);
    scopes_.pop_back();
}

bool RingRun::returned() {
    if (scopes_.size() > 1) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "it returned without ending " + scopes_.back().text());
    }
    return true;
}

uint64_t RingRun::submit(const OrchestrationTask &wanted) {
    const TaskShape shape = shape_of(wanted);
    Scope &scope = scopes_.back();
    if (wanted.nafter > 0 && !scope.manual) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      text_of(shape) + " has an `after`, but " + scope.text() +
                          " derives its dependencies; begin a manual scope for tasks that are ordered by hand");
    }
    require_task(shape, true, [&] { return text_of(shape); });
    require_usable(shape);
    const uint64_t bytes = heap_bytes_of(shape);
    TaskRing &ring = this->ring(scope.ring());
    const uint64_t start = wait_for_room(ring, bytes, shape);
    if (bytes > 0) give_addresses(shape, wanted, heaps_.base(scope.ring()), start % ring.heap_bytes());

    const uint64_t id = ring.next_id();
    Slot &slot = ring.take(start, bytes);
    submissions_++;
    if (wanted.nwaits > 0 || wanted.predicate != nullptr) repeated_.watch().see();
    const bool recorded = recorded_run != 0 && !repeated_.leaves_out(shape, scheduler().completed());
    set_up(slot, id, shape, recorded);
    reset(slot, 1, nullptr);
    slot.held.clear();
    slot.scope = &scope;
    slot.next_of_scope = std::exchange(scope.tasks, &slot);
    slot.uses.store(2, std::memory_order_relaxed);  // the task itself, and its scope
    scope.task_count++;
    scope.heap_bytes += bytes;
    count_room(ring);
    if (recorded) {
        record::now(record::kRing, record::halves(recorded_run, scope.ring()), ring.slots_in_use(), ring.slots(),
                    ring.heap_in_use(), ring.heap_bytes());
    }
    set_conditions(slot, wanted);
    derive(slot, shape, scope);
    follow_hand_made(slot, wanted);
    slot.published = true;
    scheduler().publish(slot);
    return id;
}

// An output that the runtime allocated must not be used when its scope has ended: its memory may be another's by then.
void RingRun::require_usable(const TaskShape &shape) {
    for (size_t i = 0; i < shape.nargs; i++) {
        const OrchestrationArgument &argument = shape.args[i];
        if (argument.kind == GRAPH_SCALAR || is_new(argument)) continue;
        const uint32_t number = heaps_.ring_of(argument.value);
        if (number == GRAPH_RINGS) continue;
        const Slot *const owner = owner_of(argument);
        const uint64_t offset = argument.value - heaps_.base(number);
        const uint64_t left = owner == nullptr ? 0 : owner->heap_end % ring(number).heap_bytes();
        const uint64_t end = left == 0 ? ring(number).heap_bytes() : left;
        if (owner != nullptr && owner->scope != nullptr && argument.bytes <= end - offset) continue;
        throw Failure(DEVICE_BAD_ADDRESS,
                      text_of(shape) + ", argument " + std::to_string(i) + ": " + std::to_string(argument.bytes) +
                          " bytes in the heap of ring " + std::to_string(number) +
                          " that belong to no output of a scope that is open; use an output in its scope, or give it "
                          "memory that the host has allocated");
    }
}

Slot *RingRun::owner_of(const OrchestrationArgument &tensor) {
    const uint32_t number = heaps_.ring_of(tensor.value);
    return number == GRAPH_RINGS ? nullptr : ring(number).owner_of(tensor.value - heaps_.base(number));
}

uint64_t RingRun::wait_for_room(TaskRing &ring, uint64_t heap_bytes, const TaskShape &shape) {
    if (heap_bytes > ring.heap_bytes()) {
        throw Failure(DEVICE_INVALID_ARGUMENT, text_of(shape) + " needs " + std::to_string(heap_bytes) +
                                                   " bytes for its outputs, and the heap of a ring has " +
                                                   std::to_string(ring.heap_bytes()) + "; raise GRAPH_HEAP_BYTES");
    }
    std::optional<device::Workers::Pause> pause;
    std::chrono::microseconds sleep = kFirstSleep;
    for (int tries = 0;; tries++) {
        ring.free_ended();
        const std::optional<uint64_t> start = ring.heap_position(heap_bytes);
        if (ring.has_slot() && start.has_value()) {
            idle_.store(false);
            return *start;
        }
        require_end(ring, !ring.has_slot(), heap_bytes, shape);
        scheduler().require_going_on();
        if (tries < kYields) {
            std::this_thread::yield();
            continue;
        }
        if (!pause.has_value()) pause.emplace(device::Workers::of_process());
        idle_.store(true);
        std::this_thread::sleep_for(sleep);
        sleep = std::min(2 * sleep, kLastSleep);
    }
}

// The oldest task of the ring is freed first. If its scope is open, that scope would have to end while this submission,
// which is inside it, waits.
void RingRun::require_end(const TaskRing &ring, bool lacks_slot, uint64_t heap_bytes, const TaskShape &shape) const {
    const Scope *const scope = ring.oldest()->scope;
    if (scope == nullptr) return;
    const std::string what =
        lacks_slot ? std::to_string(scope->task_count) + " tasks, and its ring " + std::to_string(scope->ring()) +
                         " has " + std::to_string(ring.slots()) + " slots"
                   : std::to_string(scope->heap_bytes) + " bytes of outputs, and its ring " +
                         std::to_string(scope->ring()) + " has a heap of " + std::to_string(ring.heap_bytes()) +
                         " bytes, of which " + text_of(shape) + " needs " + std::to_string(heap_bytes);
    throw Failure(DEVICE_INVALID_ARGUMENT, scope->text() + " is too large: it holds " + what +
                                               ". What it holds is freed only when it ends, so it would wait "
                                               "forever; end it earlier, divide it into scopes, or raise " +
                                               (lacks_slot ? "GRAPH_SLOTS" : "GRAPH_HEAP_BYTES"));
}

void RingRun::give_addresses(const TaskShape &shape, const OrchestrationTask &wanted, uint64_t base,
                             uint64_t start) const {
    uint64_t address = base + start;
    for (size_t i = 0; i < shape.nargs; i++) {
        OrchestrationArgument &argument = wanted.args[i];
        if (!is_new(argument)) continue;
        argument.value = address;
        address += device::round_up(argument.bytes, GRAPH_HEAP_ALIGNMENT);
    }
}

// First all finds, then all adds, so that a task that reads and writes the same bytes does not meet itself.
void RingRun::derive(Slot &slot, const TaskShape &shape, const Scope &scope) {
    const TaskUse use{&slot, slot.id, scope.manual ? scope.number : 0};
    found_.clear();
    for (size_t i = 0; i < shape.nargs; i++) {
        const OrchestrationArgument &tensor = shape.args[i];
        if (tensor.kind == GRAPH_SCALAR) continue;
        Slot *const owner = owner_of(tensor);
        // A new output has met no other task.
        if (owner == &slot || !mutate::leaves_out(mutate::kTensor, slot.actor, i)) {
            map_.find({tensor.value, tensor.value + tensor.bytes}, tensor.kind != GRAPH_IN, use, found_);
        }
        if (owner != nullptr && owner != &slot) hold(slot, *owner);
    }
    for (const TaskUse &found : found_) {
        Slot &before = static_cast<Slot &>(*found.task);
        if (std::exchange(before.edge_for, submissions_) == submissions_) continue;
        connect(before, slot, true);
        hold(slot, before);
    }
    for (size_t i = 0; i < shape.nargs; i++) {
        const OrchestrationArgument &tensor = shape.args[i];
        if (tensor.kind == GRAPH_SCALAR) continue;
        map_.add({tensor.value, tensor.value + tensor.bytes}, tensor.kind != GRAPH_IN, use);
    }
}

void RingRun::follow_hand_made(Slot &slot, const OrchestrationTask &wanted) {
    for (uint32_t i = 0; i < wanted.nafter; i++) {
        const uint64_t number = wanted.after[i] >> kRingShift;
        const uint64_t sequence = wanted.after[i] & kSequenceMask;
        const bool known = number < GRAPH_RINGS && rings_[number] != nullptr &&
                           rings_[number]->has_given_out(sequence) && wanted.after[i] != slot.id;
        if (!known) {
            throw Failure(DEVICE_INVALID_ARGUMENT, slot.text() + " comes after task " + std::to_string(sequence) +
                                                       " of ring " + std::to_string(number) + ", which does not exist");
        }
        Slot *const before = rings_[number]->find(sequence);
        if (before == nullptr || std::exchange(before->edge_for, submissions_) == submissions_) continue;
        connect(*before, slot);
    }
}

// Slots are freed by this thread only, so `used` is not freed meanwhile, even if all its uses have just ended.
void RingRun::hold(Slot &slot, Slot &used) {
    if (std::exchange(used.held_for, submissions_) == submissions_) return;
    used.uses.fetch_add(1, std::memory_order_relaxed);
    slot.held.push_back(&used);
}

void RingRun::count_room(const TaskRing &ring) {
    if (ring.most_slots() > most_slots_.load(std::memory_order_relaxed)) most_slots_.store(ring.most_slots());
    if (ring.most_heap() > most_heap_.load(std::memory_order_relaxed)) most_heap_.store(ring.most_heap());
}

}  // namespace rankunit::graph
