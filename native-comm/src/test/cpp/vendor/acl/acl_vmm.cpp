// Virtual memory: physical memory, addresses, and the mapping of the one to the other.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "vendor/acl/acl_memory.h"
#include "vendor/declarations.h"
#include "vendor/machine.h"

using namespace rankunit::emulator;

namespace {

constexpr size_t kGranularity = size_t{2} << 20;
constexpr bool kGeneration9 = RANKUNIT_EMULATOR_GENERATION >= 9;

using Lock = std::lock_guard<std::recursive_mutex>;

struct Reservation {
    size_t bytes;
    bool mapped = false;
    int driver_device = -1;  // of what is mapped
};

std::map<void *, Reservation> &reservations() {
    static auto &all = *new std::map<void *, Reservation>;
    return all;
}

std::map<uint64_t, SharedMemory *> &exports() {
    static auto &all = *new std::map<uint64_t, SharedMemory *>;
    return all;
}

uint64_t pack(const Token &token) {
    return static_cast<uint64_t>(token.pid) | static_cast<uint64_t>(token.fd) << 22 |
           static_cast<uint64_t>(token.random) << 40;
}

Token unpack(uint64_t shareable) {
    return Token{static_cast<int32_t>(shareable & 0x3fffff), static_cast<int32_t>(shareable >> 22 & 0x3ffff),
                 static_cast<uint32_t>(shareable >> 40)};
}

int import_memory(const Token &token, bool needs_peer_access, aclrtDrvMemHandle *handle) {
    std::unique_ptr<SharedMemory> memory = SharedMemory::open(token);
    if (memory == nullptr || memory->admission().exported == 0) return kInvalidHandle;
    if (!memory->admits(getpid())) return kNoPermission;
    if (needs_peer_access && !reaches(memory->admission().device)) return kDriverInternal;
    *handle = memory.release();
    return kOk;
}

void export_memory(SharedMemory &memory, bool validates) {
    memory.admission().validates = validates;
    memory.admission().exported = 1;
}

}  // namespace

namespace rankunit::emulator {

bool reaches(int driver_device) {
    const Lock lock(machine_mutex());
    const DeviceState &own = *current_context()->device;
    if (driver_id_of(own.logical) == driver_device) return true;
    return std::any_of(own.peers.begin(), own.peers.end(),
                       [&](int peer) { return driver_id_of(peer) == driver_device; });
}

}  // namespace rankunit::emulator

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *, aclrtMemGranularityOptions, size_t *granularity) {
    return acl_call("aclrtMemGetAllocationGranularity", "", kContext, [&] {
        *granularity = kGranularity;
        return kOk;
    });
}

aclError aclrtReserveMemAddress(void **address, size_t size, size_t alignment, void *expected, uint64_t flags) {
    return acl_call("aclrtReserveMemAddress", text(size, alignment, expected, flags), kContext, [&] {
        if (size == 0 || size % kGranularity != 0 || alignment != 0) return kParameter;
        void *start = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (start == MAP_FAILED) return kMemoryAllocation;
        const Lock lock(machine_mutex());
        reservations()[start] = Reservation{size};
        *address = start;
        return kOk;
    });
}

aclError aclrtReleaseMemAddress(void *address) {
    return acl_call("aclrtReleaseMemAddress", text(address), kContextOnly, [&] {
        const Lock lock(machine_mutex());
        const auto found = reservations().find(address);
        if (found == reservations().end() || found->second.mapped) return kParameter;
        munmap(address, found->second.bytes);
        reservations().erase(found);
        return kOk;
    });
}

// The id is the logical one; another device of the process is refused in another way than one that is none.
aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size, const aclrtPhysicalMemProp *properties,
                             uint64_t flags) {
    return acl_call("aclrtMallocPhysical", text(size, properties->location.id, flags), kContext, [&] {
        if (properties->location.id >= visible_devices().size()) return kDeviceId;
        if (static_cast<int>(properties->location.id) != current_device()) return kDriverInternal;
        if (size == 0 || size % kGranularity != 0 || properties->location.type != ACL_MEM_LOCATION_TYPE_DEVICE) {
            return kParameter;
        }
        *handle = SharedMemory::create(size, driver_id_of(current_device())).release();
        return *handle == nullptr ? kMemoryAllocation : kOk;
    });
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
    return acl_call("aclrtFreePhysical", text(handle), kContextOnly, [&] {
        auto *memory = static_cast<SharedMemory *>(handle);
        if (!memory->imported()) {
            if (memory->admission().importers != 0) write_trace("FREED what another process has imported");
            memory->admission().exported = 0;
        }
        const Lock lock(machine_mutex());
        exports().erase(pack(memory->token()));
        delete memory;
        return kOk;
    });
}

aclError aclrtMapMem(void *address, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags) {
    return acl_call("aclrtMapMem", text(address, size, offset, handle, flags), kContext, [&] {
        const Lock lock(machine_mutex());
        const auto found = reservations().find(address);
        const auto *memory = static_cast<const SharedMemory *>(handle);
        if (found == reservations().end() || found->second.mapped || size > memory->bytes()) return kParameter;
        // since 9 a mapping is of no use before access has been given
        if (memory->map(address, !kGeneration9, size, offset) == nullptr) return kMemoryAllocation;
        found->second.mapped = true;
        found->second.driver_device = memory->admission().device;
        if (!kGeneration9) add_range(address, size, found->second.driver_device);
        return kOk;
    });
}

aclError aclrtUnmapMem(void *address) {
    return acl_call("aclrtUnmapMem", text(address), kContextOnly, [&] {
        const Lock lock(machine_mutex());
        const auto found = reservations().find(address);
        if (found == reservations().end() || !found->second.mapped) return kParameter;
        remove_range(address);
        mmap(address, found->second.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        found->second.mapped = false;
        return kOk;
    });
}

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType type, uint64_t flags,
                                         uint64_t *shareable) {
    return acl_call("aclrtMemExportToShareableHandle", text(handle, type, flags), kContext, [&] {
        if (flags > (kGeneration9 ? 1 : 0)) return kParameter;
        auto *memory = static_cast<SharedMemory *>(handle);
        export_memory(*memory, flags == 0);
        const Lock lock(machine_mutex());
        *shareable = pack(memory->token());
        exports()[*shareable] = memory;
        return kOk;
    });
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareable, int32_t *pids, size_t count) {
    return acl_call("aclrtMemSetPidToShareableHandle", text(shareable, count), kContext, [&] {
        const Lock lock(machine_mutex());
        const auto found = exports().find(shareable);
        if (found == exports().end()) return kInvalidHandle;
        found->second->admit(pids, count);
        return kOk;
    });
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareable, int32_t device, aclrtDrvMemHandle *handle) {
    return acl_call("aclrtMemImportFromShareableHandle", text(shareable, device), kContext, [&] {
        if (device != current_device()) return int{kDeviceId};
        return import_memory(unpack(shareable), true, handle);
    });
}

#if RANKUNIT_EMULATOR_GENERATION >= 9

// The id is the one the driver knows, not the renumbered one.
aclError aclrtMemSetAccess(void *address, size_t size, aclrtMemAccessDesc *descriptors, size_t count) {
    const uint32_t id = count == 1 ? descriptors->location.id : UINT32_MAX;
    return acl_call("aclrtMemSetAccess", text(address, size, id), kContext, [&] {
        const Lock lock(machine_mutex());
        const auto found = reservations().find(address);
        if (found == reservations().end() || !found->second.mapped || size != found->second.bytes) return kParameter;
        if (id != static_cast<uint32_t>(driver_id_of(current_device()))) return kDriverInternal;
        if (mprotect(address, size, PROT_READ | PROT_WRITE) != 0) return kDriverInternal;
        add_range(address, size, found->second.driver_device);
        return kOk;
    });
}

aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags, aclrtMemSharedHandleType type,
                                           void *shareable) {
    return acl_call("aclrtMemExportToShareableHandleV2", text(handle, flags, type), kContext, [&] {
        // fabric handles are for machines with a fabric
        if (type != ACL_MEM_SHARE_HANDLE_TYPE_FABRIC || !soc_is_a3()) return kNotSupported;
        auto *memory = static_cast<SharedMemory *>(handle);
        export_memory(*memory, flags == 0);
        const Token token = memory->token();
        std::memset(shareable, 0, sizeof(aclrtMemFabricHandle));
        std::memcpy(shareable, &token, sizeof(token));
        return kOk;
    });
}

aclError aclrtMemImportFromShareableHandleV2(void *shareable, aclrtMemSharedHandleType type, uint64_t flags,
                                             aclrtDrvMemHandle *handle) {
    return acl_call("aclrtMemImportFromShareableHandleV2", text(type, flags), kContext, [&] {
        if (type != ACL_MEM_SHARE_HANDLE_TYPE_FABRIC || flags != 0) return int{kParameter};
        Token token{};
        std::memcpy(&token, shareable, sizeof(token));
        return import_memory(token, false, handle);
    });
}

#endif
