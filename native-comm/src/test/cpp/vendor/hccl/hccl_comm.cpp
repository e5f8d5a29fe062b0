// Making and ending communicators: libhccl in CANN 8, libhcomm in CANN 9.
#include <cstring>

#include "vendor/declarations.h"
#include "vendor/hccl/hccl_group.h"
#include "vendor/machine.h"

using namespace rankunit::emulator;

namespace {

constexpr uint64_t kRootInfoMagic = 0x4f464e4954'4f4f52;

struct RootInfo {
    uint64_t magic;
    Token token;
};

// The root's pages live as long as its process, as the vendor's root server does.
RootInfo new_group() {
    const SharedMemory *memory = SharedMemory::create(sizeof(GroupHeader), 0, false).release();
    return RootInfo{kRootInfoMagic, memory->token()};
}

int join(Comm &comm) {
    uint32_t none = 0;
    comm.group->nranks.compare_exchange_strong(none, comm.nranks);
    if (comm.group->nranks != comm.nranks) return kHcclParameter;
    if (comm.group->members[comm.rank].joined.exchange(1) != 0) return kHcclParameter;
    comm.group->joined++;
    return await_members([&] { return comm.group->joined == comm.nranks; }) ? kHcclOk : kHcclTimeout;
}

}  // namespace

HcclResult HcclGetRootInfo(HcclRootInfo *info) {
    return hccl_call("HcclGetRootInfo", "", false, [&] {
        if (current_context() == nullptr) return kHcclRuntime;
        std::memset(info, 0, sizeof(*info));
        const RootInfo root = new_group();
        std::memcpy(info->internal, &root, sizeof(root));
        return kHcclOk;
    });
}

HcclResult HcclCommInitRootInfo(uint32_t nranks, const HcclRootInfo *info, uint32_t rank, HcclComm *comm) {
    return hccl_call("HcclCommInitRootInfo", text(nranks, rank), false, [&]() -> int {
        if (current_context() == nullptr) return kHcclRuntime;
        if (nranks == 0 || nranks > kMaxGroup || rank >= nranks) return kHcclParameter;
        RootInfo root{};
        std::memcpy(&root, info->internal, sizeof(root));
        if (root.magic != kRootInfoMagic) return kHcclParameter;
        auto made = std::make_unique<Comm>();
        made->group = open_group(root.token);
        if (made->group == nullptr) return kHcclTimeout;
        made->rank = rank;
        made->nranks = nranks;
        made->name = "rankunit_emulator_" + std::to_string(root.token.random);
        const int result = join(*made);
        if (result == kHcclOk) *comm = made.release();
        return result;
    });
}

HcclResult HcclCommDestroy(HcclComm comm) {
    return hccl_call("HcclCommDestroy", "", false, [&] {
        if (comm == nullptr) return kHcclPointer;
        delete static_cast<Comm *>(comm);
        return kHcclOk;
    });
}

const char *HcclGetErrorString(HcclResult result) {
    return result == kHcclTimeout ? "timeout" : "an error of the emulator";
}

HcclResult HcclGetCommName(HcclComm comm, char *name) {
    return hccl_call("HcclGetCommName", "", false, [&] {
        std::strcpy(name, static_cast<Comm *>(comm)->name.c_str());
        return kHcclOk;
    });
}
