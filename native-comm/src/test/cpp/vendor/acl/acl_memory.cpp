// Plain device memory, and copies.
#include "vendor/acl/acl_memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "vendor/declarations.h"
#include "vendor/machine.h"
#include "vendor/stream.h"

using namespace rankunit::emulator;

namespace {

constexpr size_t kDeviceBytes = size_t{64} << 30;

struct Allocation {
    std::unique_ptr<SharedMemory> memory;
    int device;
};

std::map<void *, Allocation> &allocations() {
    static auto &all = *new std::map<void *, Allocation>;
    return all;
}

// Host memory that devices reach, by start.
std::map<uintptr_t, size_t> &pinned() {
    static auto &all = *new std::map<uintptr_t, size_t>;
    return all;
}

bool is_pinned(const void *start, size_t bytes) {
    const std::lock_guard<std::recursive_mutex> lock(machine_mutex());
    const auto address = reinterpret_cast<uintptr_t>(start);
    const auto next = pinned().upper_bound(address);
    if (next == pinned().begin()) return false;
    const auto &[first, size] = *std::prev(next);
    return address - first < size && bytes <= size - (address - first);
}

bool is_device_range(const void *start, size_t bytes) {
    return device_of_range(start, bytes) >= 0;
}

// On the device that is current.
bool is_own_range(const void *start, size_t bytes) {
    return device_of_range(start, bytes) == driver_id_of(current_device());
}

// Which of the two ends must be device memory: for a copy that is made at once, of the current device. What the vendor
// does with another one is not known.
bool fits(aclrtMemcpyKind kind, const void *target, const void *source, size_t size) {
    const bool to_device = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    const bool from_device = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
    const bool target_fits = to_device ? is_own_range(target, size) : !is_device_range(target, size);
    const bool source_fits = from_device ? is_own_range(source, size) : !is_device_range(source, size);
    return target_fits && source_fits;
}

}  // namespace

namespace rankunit::emulator {

SharedMemory *allocation_at(void *address) {
    const std::lock_guard<std::recursive_mutex> lock(machine_mutex());
    const auto found = allocations().find(address);
    return found == allocations().end() ? nullptr : found->second.memory.get();
}

void *map_allocation(std::unique_ptr<SharedMemory> memory) {
    void *start = memory->map(nullptr, true, memory->bytes());
    if (start == nullptr) return nullptr;
    add_range(start, memory->bytes(), memory->admission().device);
    const std::lock_guard<std::recursive_mutex> lock(machine_mutex());
    allocations()[start] = Allocation{std::move(memory), current_device()};
    return start;
}

int free_allocation(void *address) {
    const std::lock_guard<std::recursive_mutex> lock(machine_mutex());
    const auto found = allocations().find(address);
    if (found == allocations().end()) return kParameter;
    const SharedMemory &memory = *found->second.memory;
    remove_range(address);
    munmap(address, memory.bytes());
    allocations().erase(found);
    return kOk;
}

}  // namespace rankunit::emulator

aclError aclrtMalloc(void **address, size_t size, aclrtMemMallocPolicy policy) {
    return acl_call("aclrtMalloc", text(size, policy), kContext, [&] {
        if (size == 0) return kParameter;
        if (size > kDeviceBytes) return kMemoryAllocation;
        std::unique_ptr<SharedMemory> memory = SharedMemory::create(size, driver_id_of(current_device()));
        if (memory == nullptr) return kMemoryAllocation;
        *address = map_allocation(std::move(memory));
        return *address == nullptr ? kMemoryAllocation : kOk;
    });
}

aclError aclrtFree(void *address) {
    return acl_call("aclrtFree", text(address), kContextOnly, [&] {
        const SharedMemory *memory = allocation_at(address);
        if (memory != nullptr && !memory->imported() && memory->admission().importers != 0) {
            write_trace("FREED what another process has imported");
        }
        return free_allocation(address);
    });
}

aclError aclrtMemcpy(void *target, size_t target_size, const void *source, size_t size, aclrtMemcpyKind kind) {
    return acl_call("aclrtMemcpy", text(target, target_size, source, size, kind), kContext, [&] {
        if (size > target_size || !fits(kind, target, source, size)) return kParameter;
        std::memcpy(target, source, size);
        return kOk;
    });
}

// Between devices too. Of host memory, what is not pinned is copied within the call, after all that is on the stream;
// in 8.1 what becomes of it is not defined, so it is refused here.
aclError aclrtMemcpyAsync(void *target, size_t target_size, const void *source, size_t size, aclrtMemcpyKind kind,
                          aclrtStream stream) {
    return acl_call("aclrtMemcpyAsync", text(size, kind), kContext | kEnqueues, [&] {
        int refusal = kOk;
        Stream *checked = checked_stream(stream, &refusal);
        if (checked == nullptr) return refusal;
        const bool within = kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
        const bool devices = is_device_range(target, size) && is_device_range(source, size);
        if (size == 0 || size > target_size) return int{kParameter};
        if (within ? !devices : kind == ACL_MEMCPY_HOST_TO_HOST || !fits(kind, target, source, size)) {
            return int{kParameter};
        }
        const bool waits = !within && !is_pinned(kind == ACL_MEMCPY_HOST_TO_DEVICE ? source : target, size);
        if (waits && RANKUNIT_EMULATOR_GENERATION == 8) return int{kParameter};
        enqueue_on(checked, "aclrtMemcpyAsync", [=](const std::atomic<bool> &) {
            std::memcpy(target, source, size);
            return int{kOk};
        });
        return waits ? checked->synchronize(-1) : int{kOk};
    });
}

aclError aclrtMallocHost(void **address, size_t size) {
    return acl_call("aclrtMallocHost", text(size), kContext, [&] {
        *address = size == 0 ? nullptr : std::malloc(size);
        if (*address == nullptr) return kParameter;
        const std::lock_guard<std::recursive_mutex> lock(machine_mutex());
        pinned()[reinterpret_cast<uintptr_t>(*address)] = size;
        return kOk;
    });
}

aclError aclrtFreeHost(void *address) {
    return acl_call("aclrtFreeHost", "", kContextOnly, [&] {
        const std::lock_guard<std::recursive_mutex> lock(machine_mutex());
        if (pinned().erase(reinterpret_cast<uintptr_t>(address)) == 0) return kParameter;
        std::free(address);
        return kOk;
    });
}

aclError aclrtMemsetAsync(void *address, size_t max_size, int32_t value, size_t size, aclrtStream stream) {
    return acl_call("aclrtMemsetAsync", text(max_size, value, size), kContext | kEnqueues, [&] {
        int refusal = kOk;
        Stream *checked = checked_stream(stream, &refusal);
        if (checked == nullptr) return refusal;
        if (size == 0 || size > max_size || !is_own_range(address, size)) return int{kParameter};
        enqueue_on(checked, "aclrtMemsetAsync", [=](const std::atomic<bool> &) {
            set_bytes(address, value, size);
            return int{kOk};
        });
        return int{kOk};
    });
}

aclError aclrtMemset(void *address, size_t max_size, int32_t value, size_t size) {
    return acl_call("aclrtMemset", text(address, max_size, value, size), kContext, [&] {
        if (size > max_size || !is_own_range(address, size)) return kParameter;
        set_bytes(address, value, size);
        return kOk;
    });
}
