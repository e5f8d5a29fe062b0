#include "graph/runtimes/repeated_tasks.h"

#include <utility>

#include "device/memory_map.h"
#include "mutate/mutation.h"
#include "record/memory_copies.h"

namespace rankunit::graph {
namespace {

// So many have to complete, and are recorded, of each run: more than a timeline shows, and few enough for a check of
// each.
constexpr uint64_t kMostRecorded = 65'536;

// A scalar that may be an address tells that its kernel may use the memory there. No memory begins so low.
constexpr uint64_t kLeastAddress = 4096;

bool is_address(uint64_t value) {
    return value >= kLeastAddress && device::MemoryMap::of_process().start_of(value).has_value();
}

}  // namespace

size_t RepeatedTasks::Hash::operator()(const Argument &argument) const {
    // Fibonacci hashing: the upper bits depend on all bits
    const uint64_t mixed = (argument.value ^ (argument.bytes << 20) ^ argument.kind) * 0x9e37'79b9'7f4a'7c15;
    return static_cast<size_t>(mixed ^ mixed >> 32);
}

bool RepeatedTasks::are_known(const TaskShape &shape) {
    bool known = true;
    bool has_tensor = false;
    for (size_t i = 0; i < shape.nargs; i++) {
        const OrchestrationArgument &argument = shape.args[i];
        const bool is_tensor = argument.kind != GRAPH_SCALAR;
        has_tensor = has_tensor || is_tensor;
        if (!is_tensor && !is_address(argument.value)) continue;
        if (known_.insert({argument.value, is_tensor ? argument.bytes : 0, argument.kind}).second) known = false;
    }
    return has_tensor ? known : std::exchange(knows_none_, true) && known;
}

bool RepeatedTasks::leaves_out(const TaskShape &shape, uint64_t completed) {
    if (shape.kernel.function.tells || mutate::is_wanted()) watch_.see();
    if (watch_.has_seen() || record::MemoryCopies::of_process().wanted()) return false;
    const bool known = are_known(shape);
    if (completed < kMostRecorded || !known) return false;
    count_.fetch_add(1, std::memory_order_relaxed);
    return true;
}

}  // namespace rankunit::graph
