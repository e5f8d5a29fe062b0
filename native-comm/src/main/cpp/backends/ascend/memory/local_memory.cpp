#include "backends/ascend/memory/local_memory.h"

#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace rankunit::ascend {
namespace {

struct Local {
    int device;
    size_t bytes;
};

std::shared_mutex &local_mutex() {
    static std::shared_mutex &mutex = *new std::shared_mutex;
    return mutex;
}

// By start.
std::map<uintptr_t, Local> &local_memory() {
    static auto &all = *new std::map<uintptr_t, Local>;
    return all;
}

}  // namespace

void add_local_memory(int device, const void *start, size_t bytes) {
    const std::unique_lock<std::shared_mutex> lock(local_mutex());
    local_memory()[reinterpret_cast<uintptr_t>(start)] = Local{device, bytes};
}

void remove_local_memory(const void *start) {
    const std::unique_lock<std::shared_mutex> lock(local_mutex());
    local_memory().erase(reinterpret_cast<uintptr_t>(start));
}

bool is_local_memory(int device, const void *address) {
    const std::shared_lock<std::shared_mutex> lock(local_mutex());
    const auto wanted = reinterpret_cast<uintptr_t>(address);
    const auto behind = local_memory().upper_bound(wanted);
    if (behind == local_memory().begin()) return false;
    const auto &[start, found] = *std::prev(behind);
    return found.device == device && wanted - start < found.bytes;
}

}  // namespace rankunit::ascend
