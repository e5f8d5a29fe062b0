// Collectives: libhccl in every CANN. Each returns as soon as it is enqueued, but the first one of a communicator,
// which waits within the call until all ranks are connected.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "coll/reduce/reduce.h"
#include "vendor/declarations.h"
#include "vendor/hccl/hccl_group.h"
#include "vendor/machine.h"
#include "vendor/stream.h"

using namespace rankunit::emulator;
using rankunit::coll::baseline_reduction;
using rankunit::coll::Combine;

namespace {

struct Type {
    size_t bytes;
    std::optional<CollType> reduced;  // as the vendor's documents have it of A2 and A3
};

std::optional<Type> type_of(HcclDataType type) {
    switch (type) {
        case HCCL_DATA_TYPE_INT8:
            return Type{1, COLL_INT8};
        case HCCL_DATA_TYPE_INT16:
            return Type{2, COLL_INT16};
        case HCCL_DATA_TYPE_INT32:
            return Type{4, COLL_INT32};
        case HCCL_DATA_TYPE_INT64:
            return Type{8, COLL_INT64};
        case HCCL_DATA_TYPE_FP16:
            return Type{2, COLL_FLOAT16};
        case HCCL_DATA_TYPE_BFP16:
            return Type{2, COLL_BFLOAT16};
        case HCCL_DATA_TYPE_FP32:
            return Type{4, COLL_FLOAT32};
        case HCCL_DATA_TYPE_UINT8:
            return Type{1, {}};
        case HCCL_DATA_TYPE_UINT16:
            return Type{2, {}};
        case HCCL_DATA_TYPE_UINT32:
            return Type{4, {}};
        case HCCL_DATA_TYPE_UINT64:
        case HCCL_DATA_TYPE_FP64:
            return Type{8, {}};
    }
    return std::nullopt;
}

// What a call says of its memory: the bytes of its own device that it reads and writes.
struct Span {
    const void *start;
    size_t bytes;
};

bool is_fit(const Span &span, size_t element) {
    return reinterpret_cast<uintptr_t>(span.start) % element == 0 &&
           device_of_range(span.start, span.bytes) == driver_id_of(current_device());
}

// Waits for another rank; false if the stream is told to stop first.
bool await_on_stream(const std::atomic<bool> &stop, const std::function<bool()> &ready) {
    while (!ready()) {
        if (stop) return false;
        usleep(20);
    }
    return true;
}

std::unique_ptr<SharedMemory> give(Turn &turn, uint32_t number, const Span &data) {
    std::unique_ptr<SharedMemory> memory = SharedMemory::create(std::max<size_t>(data.bytes, 1), 0, false);
    void *pages = memory->map(nullptr, true, memory->bytes());
    std::memcpy(pages, data.start, data.bytes);
    munmap(pages, memory->bytes());
    turn.data = memory->token();
    turn.given = number;
    return memory;
}

// Calls `use` with what another rank has given; false if it is gone.
template <typename Use>
bool take(const Turn &turn, Use use) {
    const std::unique_ptr<SharedMemory> memory = SharedMemory::open(turn.data);
    if (memory == nullptr) return false;
    void *pages = memory->map(nullptr, true, memory->bytes());
    use(static_cast<const char *>(pages));
    munmap(pages, memory->bytes());
    return true;
}

// One operation of all ranks, on the stream of this one.
struct Exchange {
    std::shared_ptr<GroupHeader> group;
    uint32_t rank;
    uint32_t nranks;
    uint32_t number;
    Span given;
    std::function<void(uint32_t peer, const char *data)> use;  // of all ranks, in their order

    int run(const std::atomic<bool> &stop) const {
        GroupMember *members = group->members;
        const std::unique_ptr<SharedMemory> own = give(members[rank].turn, number, given);
        for (uint32_t peer = 0; peer < nranks; peer++) {
            const Turn &turn = members[peer].turn;
            if (!await_on_stream(stop, [&] { return turn.given >= number; })) return kOk;
            if (!take(turn, [&](const char *data) { use(peer, data); })) return kAicpuException;
        }
        members[rank].turn.taken = number;
        for (uint32_t peer = 0; peer < nranks; peer++) {
            if (!await_on_stream(stop, [&] { return members[peer].turn.taken >= number; })) return kOk;
        }
        return kOk;
    }
};

// As in the vendor's library, the links between devices are made when they are needed first.
bool connect(Comm &comm) {
    if (comm.operations > 0) return true;
    GroupMember *members = comm.group->members;
    members[comm.rank].connected = 1;
    return await_members([&] {
        return std::all_of(members, members + comm.nranks, [](const auto &each) { return each.connected == 1; });
    });
}

// Puts `work` on the stream, after the checks that all operations make.
template <typename MakeWork>
int operation(const char *function, const std::string &arguments, HcclComm comm, aclrtStream stream,
              MakeWork make_work) {
    return hccl_call(function, arguments, true, [&]() -> int {
        if (comm == nullptr) return kHcclPointer;
        int refusal = 0;
        Stream *checked = checked_stream(stream, &refusal);
        if (checked == nullptr || checked->context()->device->broken) return kHcclRuntime;
        Comm &made = *static_cast<Comm *>(comm);
        // it goes by the buffers of its communicator
        if (made.own_buffer != nullptr) std::memset(made.own_buffer, 0x5A, 64);
        Work work;
        const int result = make_work(made, &work);
        if (result == kHcclOk) enqueue_on(checked, function, std::move(work));
        return result;
    });
}

int of_all(Comm &made, const Span &given, std::function<void(uint32_t, const char *)> use, Work *work) {
    if (!connect(made)) return kHcclTimeout;
    const Exchange exchange{made.group, made.rank, made.nranks, ++made.operations, given, std::move(use)};
    *work = [exchange](const std::atomic<bool> &stop) { return exchange.run(stop); };
    return kHcclOk;
}

// Reduces `count` elements of each rank, which begin at `offset` of what it gives.
int reduce(Comm &made, const Span &given, const Span &result, size_t offset, HcclDataType type, HcclReduceOp reduction,
           Work *work) {
    const std::optional<Type> element = type_of(type);
    if (!element.has_value() || reduction < HCCL_REDUCE_SUM || reduction > HCCL_REDUCE_MIN) return kHcclParameter;
    if (!element->reduced.has_value()) return kHcclNotSupported;
    if (!is_fit(given, element->bytes) || !is_fit(result, element->bytes)) return kHcclParameter;
    const Combine combine = baseline_reduction(*element->reduced, static_cast<CollReduction>(reduction));
    auto *target = const_cast<char *>(static_cast<const char *>(result.start));
    return of_all(
        made, given,
        [=, bytes = result.bytes, count = result.bytes / element->bytes](uint32_t peer, const char *data) {
            if (peer == 0) {
                std::memcpy(target, data + offset, bytes);
            } else {
                combine(target, target, data + offset, count);
            }
        },
        work);
}

size_t bytes_of(uint64_t count, HcclDataType type) {
    const std::optional<Type> element = type_of(type);
    return element.has_value() ? count * element->bytes : 0;
}

bool is_peer(const Comm &comm, uint32_t rank) {
    return rank < comm.nranks && rank != comm.rank;
}

}  // namespace

HcclResult HcclAllReduce(void *send, void *recv, uint64_t count, HcclDataType type, HcclReduceOp reduction,
                         HcclComm comm, aclrtStream stream) {
    return operation("HcclAllReduce", text(count, type, reduction), comm, stream, [&](Comm &made, Work *work) {
        const size_t bytes = bytes_of(count, type);
        return reduce(made, Span{send, bytes}, Span{recv, bytes}, 0, type, reduction, work);
    });
}

HcclResult HcclReduceScatter(void *send, void *recv, uint64_t recv_count, HcclDataType type, HcclReduceOp reduction,
                             HcclComm comm, aclrtStream stream) {
    return operation("HcclReduceScatter", text(recv_count, type, reduction), comm, stream, [&](Comm &made, Work *work) {
        const size_t bytes = bytes_of(recv_count, type);
        return reduce(made, Span{send, bytes * made.nranks}, Span{recv, bytes}, bytes * made.rank, type, reduction,
                      work);
    });
}

HcclResult HcclAllGather(void *send, void *recv, uint64_t send_count, HcclDataType type, HcclComm comm,
                         aclrtStream stream) {
    return operation("HcclAllGather", text(send_count, type), comm, stream, [&](Comm &made, Work *work) -> int {
        const std::optional<Type> element = type_of(type);
        const size_t bytes = bytes_of(send_count, type);
        if (!element.has_value() || !is_fit(Span{send, bytes}, element->bytes) ||
            !is_fit(Span{recv, bytes * made.nranks}, element->bytes)) {
            return kHcclParameter;
        }
        auto *target = static_cast<char *>(recv);
        return of_all(
            made, Span{send, bytes},
            [=](uint32_t peer, const char *data) { std::memcpy(target + peer * bytes, data, bytes); }, work);
    });
}

HcclResult HcclBroadcast(void *buffer, uint64_t count, HcclDataType type, uint32_t root, HcclComm comm,
                         aclrtStream stream) {
    return operation("HcclBroadcast", text(count, type, root), comm, stream, [&](Comm &made, Work *work) -> int {
        const std::optional<Type> element = type_of(type);
        const size_t bytes = bytes_of(count, type);
        if (!element.has_value() || root >= made.nranks || !is_fit(Span{buffer, bytes}, element->bytes)) {
            return kHcclParameter;
        }
        return of_all(
            made, Span{buffer, made.rank == root ? bytes : 0},
            [=, own = made.rank](uint32_t peer, const char *data) {
                if (peer == root && own != root) std::memcpy(buffer, data, bytes);
            },
            work);
    });
}

HcclResult HcclSend(void *send, uint64_t count, HcclDataType type, uint32_t to, HcclComm comm, aclrtStream stream) {
    return operation("HcclSend", text(count, type, to), comm, stream, [&](Comm &made, Work *work) -> int {
        const std::optional<Type> element = type_of(type);
        const Span given{send, bytes_of(count, type)};
        if (!element.has_value() || !is_peer(made, to) || !is_fit(given, element->bytes)) return kHcclParameter;
        *work = [=, group = made.group, rank = made.rank, number = ++made.sent[to]](const std::atomic<bool> &stop) {
            Turn &turn = group->pairs[rank][to];
            const std::unique_ptr<SharedMemory> own = give(turn, number, given);
            await_on_stream(stop, [&] { return turn.taken >= number; });
            return int{kOk};
        };
        return kHcclOk;
    });
}

HcclResult HcclRecv(void *recv, uint64_t count, HcclDataType type, uint32_t from, HcclComm comm, aclrtStream stream) {
    return operation("HcclRecv", text(count, type, from), comm, stream, [&](Comm &made, Work *work) -> int {
        const std::optional<Type> element = type_of(type);
        const size_t bytes = bytes_of(count, type);
        if (!element.has_value() || !is_peer(made, from) || !is_fit(Span{recv, bytes}, element->bytes)) {
            return kHcclParameter;
        }
        *work = [=, group = made.group, rank = made.rank,
                 number = ++made.received[from]](const std::atomic<bool> &stop) -> int {
            Turn &turn = group->pairs[from][rank];
            if (!await_on_stream(stop, [&] { return turn.given >= number; })) return kOk;
            if (!take(turn, [&](const char *data) { std::memcpy(recv, data, bytes); })) return kAicpuException;
            turn.taken = number;
            return kOk;
        };
        return kHcclOk;
    });
}

// The streams of all ranks wait for each other. A synchronisation that follows it ends with 507018, as others have met
// it on real devices. The backend never calls it.
RANKUNIT_VENDOR HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
    return operation("HcclBarrier", "", comm, stream, [&](Comm &made, Work *work) {
        *work = [group = made.group, rank = made.rank, nranks = made.nranks,
                 number = ++made.barriers](const std::atomic<bool> &stop) {
            group->members[rank].barriers = number;
            for (uint32_t peer = 0; peer < nranks; peer++) {
                while (group->members[peer].barriers < number && !stop) usleep(50);
            }
            return int{kAicpuException};
        };
        return kHcclOk;
    });
}
