// Memory by key; since 9.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "vendor/acl/acl_memory.h"
#include "vendor/declarations.h"
#include "vendor/machine.h"

using namespace rankunit::emulator;

namespace {

struct Exported {
    void *address;
};

std::map<std::string, Exported> &exported_keys() {
    static auto &all = *new std::map<std::string, Exported>;
    return all;
}

std::map<std::string, void *> &imported_keys() {
    static auto &all = *new std::map<std::string, void *>;
    return all;
}

using Lock = std::lock_guard<std::recursive_mutex>;

}  // namespace

aclError aclrtIpcMemGetExportKey(void *address, size_t size, char *key, size_t key_size, uint64_t flags) {
    return acl_call("aclrtIpcMemGetExportKey", text(address, size, flags), kContext, [&] {
        SharedMemory *memory = allocation_at(address);
        if (memory == nullptr || size > memory->bytes() || key_size != ACL_RT_IPC_KEY_BYTES) return kParameter;
        memory->admission().validates = flags == 0;
        memory->admission().exported = 1;
        const Token token = memory->token();
        std::snprintf(key, key_size, "%d:%d:%u", token.pid, token.fd, token.random);
        const Lock lock(machine_mutex());
        exported_keys()[key] = Exported{address};
        return kOk;
    });
}

aclError aclrtIpcMemSetImportPid(const char *key, int32_t *pids, size_t count) {
    return acl_call("aclrtIpcMemSetImportPid", text(key, count), kContext, [&] {
        const Lock lock(machine_mutex());
        const auto found = exported_keys().find(key);
        if (found == exported_keys().end()) return kParameter;
        allocation_at(found->second.address)->admit(pids, count);
        return kOk;
    });
}

aclError aclrtIpcMemImportByKey(void **address, const char *key, uint64_t flags) {
    return acl_call("aclrtIpcMemImportByKey", text(key, flags), kContext, [&] {
        Token token{};
        if (std::sscanf(key, "%d:%d:%u", &token.pid, &token.fd, &token.random) != 3) return kParameter;
        std::unique_ptr<SharedMemory> memory = SharedMemory::open(token);
        if (memory == nullptr || memory->admission().exported == 0) return kDriverInternal;
        if (!memory->admits(getpid())) return kNoPermission;
        const bool reachable = flags == ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS;
        if (!reachable && !reaches(memory->admission().device)) return kDriverInternal;
        *address = map_allocation(std::move(memory));
        const Lock lock(machine_mutex());
        imported_keys()[key] = *address;
        return kOk;
    });
}

aclError aclrtIpcMemClose(const char *key) {
    return acl_call("aclrtIpcMemClose", text(key), kContextOnly, [&] {
        const Lock lock(machine_mutex());
        const auto imported = imported_keys().find(key);
        if (imported != imported_keys().end()) {
            const int result = free_allocation(imported->second);
            imported_keys().erase(imported);
            return result;
        }
        const auto exported = exported_keys().find(key);
        if (exported == exported_keys().end()) return int{kParameter};
        SharedMemory &memory = *allocation_at(exported->second.address);
        if (memory.admission().importers != 0) write_trace("CLOSED what another process has imported");
        memory.admission().exported = 0;
        exported_keys().erase(exported);
        return int{kOk};
    });
}
