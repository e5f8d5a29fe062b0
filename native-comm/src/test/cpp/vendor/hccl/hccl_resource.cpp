// The buffers of a communicator, and what the device is told of them: in three layouts, depending on the machine.
#include <cstdlib>
#include <cstring>

#include "vendor/acl/acl_memory.h"
#include "vendor/declarations.h"
#include "vendor/hccl/hccl_group.h"
#include "vendor/machine.h"

using namespace rankunit::emulator;

namespace {

// What is asked for, by offset: init version, count, first offset; then the part at that offset.
constexpr size_t kTilingGroupName = 64 + 16;
constexpr size_t kTilingOperation = 64 + 272;

struct Word {
    size_t offset;
    uint64_t value;
};

uint32_t word_at(const void *tiling, size_t offset) {
    uint32_t value = 0;
    std::memcpy(&value, static_cast<const char *>(tiling) + offset, sizeof(value));
    return value;
}

bool is_request(const Comm &comm, const void *tiling) {
    return word_at(tiling, 0) == 100 && word_at(tiling, 4) == 1 && word_at(tiling, 8) == 64 &&
           word_at(tiling, kTilingOperation) == 18 && comm.name == static_cast<const char *>(tiling) + kTilingGroupName;
}

char *device_memory(Comm &comm, size_t bytes, bool fill) {
    void *start = map_allocation(SharedMemory::create(bytes, driver_id_of(current_device()), fill));
    comm.mappings.push_back(start);
    return static_cast<char *>(start);
}

void put(char *place, size_t offset, uint64_t value, size_t size = sizeof(uint64_t)) {
    std::memcpy(place + offset, &value, size);
}

void put_head(char *place, const Comm &comm, uint64_t window_bytes) {
    put(place, 16, comm.rank, 4);
    put(place, 20, comm.nranks, 4);
    put(place, 24, window_bytes);
}

// Addresses in two arrays, one slot for each rank that there could be.
char *combined(Comm &comm, const std::vector<char *> &windows, uint64_t bytes, size_t slots) {
    char *place = device_memory(comm, 4096, true);
    put_head(place, comm, bytes);
    for (size_t rank = 0; rank < windows.size(); rank++) {
        put(place, 32 + 8 * rank, reinterpret_cast<uint64_t>(windows[rank]));
        put(place, 32 + 8 * slots + 8 * rank, reinterpret_cast<uint64_t>(windows[rank] + bytes));
    }
    return place;
}

// Where the addresses of records begin. A later CANN says it; that it is elsewhere then is a test's assumption.
constexpr size_t kRelations = RANKUNIT_EMULATOR_GENERATION >= 9 ? 3016 : 2984;

// Its own addresses in the head, those of others in a record each.
char *with_relations(Comm &comm, const std::vector<char *> &windows, uint64_t bytes) {
    char *place = device_memory(comm, 8192, true);
    put_head(place, comm, bytes);
    put(place, 32, reinterpret_cast<uint64_t>(windows[comm.rank]));
    put(place, 40, reinterpret_cast<uint64_t>(windows[comm.rank] + bytes));
    if (RANKUNIT_EMULATOR_GENERATION >= 9) {
        put(place, 192, kRelations, 4);
        put(place, 196, 16, 4);
    }
    for (size_t rank = 0; rank < windows.size(); rank++) {
        char *relation = rank == comm.rank ? nullptr : device_memory(comm, 64, true);
        put(place, kRelations + 16 * rank, 0);
        put(place, kRelations + 16 * rank + 8, reinterpret_cast<uint64_t>(relation));
        if (relation == nullptr) continue;
        put(relation, 8, reinterpret_cast<uint64_t>(windows[rank]));
        put(relation, 16, reinterpret_cast<uint64_t>(windows[rank] + bytes));
    }
    return place;
}

// All ranks' buffers as this process sees them; empty if a rank does not come.
std::vector<char *> exchange_buffers(Comm &comm, uint64_t window_bytes) {
    std::unique_ptr<SharedMemory> memory =
        SharedMemory::create(2 * window_bytes, driver_id_of(current_device()), window_bytes <= 16 << 20);
    GroupMember &own = comm.group->members[comm.rank];
    own.buffer = memory->token();
    std::vector<char *> windows(comm.nranks);
    windows[comm.rank] = static_cast<char *>(map_allocation(std::move(memory)));
    comm.own_buffer = windows[comm.rank];
    own.has_buffer = 1;
    for (uint32_t rank = 0; rank < comm.nranks; rank++) {
        GroupMember &peer = comm.group->members[rank];
        if (!await_members([&] { return peer.has_buffer != 0; })) return {};
        if (rank == comm.rank) continue;
        std::unique_ptr<SharedMemory> imported = SharedMemory::open(peer.buffer);
        if (imported == nullptr) return {};
        windows[rank] = static_cast<char *>(map_allocation(std::move(imported)));
    }
    // the peers first: the owner's is freed last
    for (char *window : windows) {
        if (window != windows[comm.rank]) comm.mappings.push_back(window);
    }
    comm.mappings.push_back(windows[comm.rank]);
    return windows;
}

}  // namespace

HcclResult HcomGetL0TopoTypeEx(const char *group, CommTopo *topology, uint32_t flag) {
    return hccl_call("HcomGetL0TopoTypeEx", text(group, flag), false, [&] {
        *topology = soc_is_a3() ? COMM_TOPO_910_93 : COMM_TOPO_1DMESH;
        return kHcclOk;
    });
}

HcclResult HcclAllocComResourceByTiling(HcclComm comm, void *, void *tiling, void **context) {
    return hccl_call("HcclAllocComResourceByTiling", "", false, [&] {
        Comm &made = *static_cast<Comm *>(comm);
        if (!is_request(made, tiling)) return kHcclParameter;
        const uint64_t window_bytes = std::strtoull(environment("HCCL_BUFFSIZE", "200"), nullptr, 10) << 20;
        const std::vector<char *> windows = exchange_buffers(made, window_bytes);
        if (windows.empty()) return kHcclTimeout;
        *context = soc_is_a3() ? with_relations(made, windows, window_bytes)
                               : combined(made, windows, window_bytes, soc_is_a5() ? 64 : 32);
        return kHcclOk;
    });
}
