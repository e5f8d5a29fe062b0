#include "backends/ascend/hccl/collectives.h"

#include <array>
#include <cstring>
#include <vector>

#include "backends/ascend/memory/local_memory.h"
#include "backends/ascend/memory/window_exchange.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "device/memory_map.h"
#include "rankunit/coll.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::ascend {
namespace {

using device::MemoryMap;

struct Type {
    const char *name;
    uint64_t bytes;
    HcclDataType number;
};

// By CollType. COLL_BYTES is not here: HCCL has no such type, and FP8, which has no type in our list, has other numbers
// from one CANN to the next.
constexpr std::array<Type, COLL_BYTES> kTypes{{
    {"float32", 4, HCCL_DATA_TYPE_FP32},
    {"float16", 2, HCCL_DATA_TYPE_FP16},
    {"bfloat16", 2, HCCL_DATA_TYPE_BFP16},
    {"float64", 8, HCCL_DATA_TYPE_FP64},
    {"int8", 1, HCCL_DATA_TYPE_INT8},
    {"int16", 2, HCCL_DATA_TYPE_INT16},
    {"int32", 4, HCCL_DATA_TYPE_INT32},
    {"int64", 8, HCCL_DATA_TYPE_INT64},
    {"uint8", 1, HCCL_DATA_TYPE_UINT8},
    {"uint16", 2, HCCL_DATA_TYPE_UINT16},
    {"uint32", 4, HCCL_DATA_TYPE_UINT32},
    {"uint64", 8, HCCL_DATA_TYPE_UINT64},
}};
static_assert(COLL_FLOAT32 == 0 && COLL_INT8 == 4 && COLL_UINT8 == 8 && COLL_UINT64 + 1 == COLL_BYTES);

// By CollReduction, whose numbers are HCCL's.
constexpr const char *kReductions[] = {"sum", "prod", "max", "min"};
static_assert(int{COLL_SUM} == HCCL_REDUCE_SUM && int{COLL_PROD} == HCCL_REDUCE_PROD &&
              int{COLL_MAX} == HCCL_REDUCE_MAX && int{COLL_MIN} == HCCL_REDUCE_MIN);

const Type &type_of(const VendorRun &run) {
    return kTypes.at(run.type);
}

const char *function_of(CollVendorOperation operation) {
    switch (operation) {
        case COLL_VENDOR_ALL_REDUCE:
            return "HcclAllReduce";
        case COLL_VENDOR_ALL_GATHER:
            return "HcclAllGather";
        case COLL_VENDOR_REDUCE_SCATTER:
            return "HcclReduceScatter";
        case COLL_VENDOR_BROADCAST:
            return "HcclBroadcast";
        case COLL_VENDOR_SEND:
            return "HcclSend";
        case COLL_VENDOR_RECV:
            return "HcclRecv";
    }
    return "";
}

bool has(const HcclApi &api, CollVendorOperation operation) {
    switch (operation) {
        case COLL_VENDOR_ALL_REDUCE:
            return api.HcclAllReduce != nullptr;
        case COLL_VENDOR_ALL_GATHER:
            return api.HcclAllGather != nullptr;
        case COLL_VENDOR_REDUCE_SCATTER:
            return api.HcclReduceScatter != nullptr;
        case COLL_VENDOR_BROADCAST:
            return api.HcclBroadcast != nullptr;
        case COLL_VENDOR_SEND:
            return api.HcclSend != nullptr;
        case COLL_VENDOR_RECV:
            return api.HcclRecv != nullptr;
    }
    return false;
}

HcclResult call(const VendorRun &run, HcclComm comm, aclrtStream stream) {
    const HcclApi &api = hccl();
    void *const send = reinterpret_cast<void *>(run.send);
    void *const recv = reinterpret_cast<void *>(run.recv);
    const HcclDataType type = type_of(run).number;
    const auto reduction = static_cast<HcclReduceOp>(run.reduction);
    switch (run.operation) {
        case COLL_VENDOR_ALL_REDUCE:
            return api.HcclAllReduce(send, recv, run.count, type, reduction, comm, stream);
        case COLL_VENDOR_ALL_GATHER:
            return api.HcclAllGather(send, recv, run.count, type, comm, stream);
        case COLL_VENDOR_REDUCE_SCATTER:
            return api.HcclReduceScatter(send, recv, run.count, type, reduction, comm, stream);
        case COLL_VENDOR_BROADCAST:
            return api.HcclBroadcast(send, run.count, type, run.peer_or_root, comm, stream);
        case COLL_VENDOR_SEND:
            return api.HcclSend(send, run.count, type, run.peer_or_root, comm, stream);
        case COLL_VENDOR_RECV:
            return api.HcclRecv(recv, run.count, type, run.peer_or_root, comm, stream);
    }
    return HCCL_SUCCESS;
}

bool is_of_two(CollVendorOperation operation) {
    return operation == COLL_VENDOR_SEND || operation == COLL_VENDOR_RECV;
}

bool reduces(CollVendorOperation operation) {
    return operation == COLL_VENDOR_ALL_REDUCE || operation == COLL_VENDOR_REDUCE_SCATTER;
}

// What all ranks of an operation must say alike.
struct Wish {
    CollVendorOperation operation;
    CollType type;
    CollReduction reduction;
    uint32_t root;
    uint64_t count;
};

bool operator==(const Wish &one, const Wish &other) {
    return one.operation == other.operation && one.type == other.type && one.reduction == other.reduction &&
           one.root == other.root && one.count == other.count;
}

// What the operation does not look at is as if it were the same; a receive is the send that it belongs to.
Wish wish_of(const VendorRun &run) {
    const bool two = is_of_two(run.operation);
    return {two ? COLL_VENDOR_SEND : run.operation, run.type, reduces(run.operation) ? run.reduction : COLL_SUM,
            run.operation == COLL_VENDOR_BROADCAST ? run.peer_or_root : 0, run.count};
}

std::string elements(uint64_t count, CollType type) {
    return " of " + std::to_string(count) + " " + kTypes.at(type).name;
}

std::string text_of(const Wish &wish) {
    std::string text = function_of(wish.operation) + elements(wish.count, wish.type);
    if (reduces(wish.operation)) text += std::string(", ") + kReductions[wish.reduction];
    if (wish.operation == COLL_VENDOR_BROADCAST) text += ", root " + std::to_string(wish.root);
    return text;
}

// The sender first.
std::vector<uint32_t> ranks_of(const VendorRun &run, int self, int nranks) {
    const auto own = static_cast<uint32_t>(self);
    if (run.operation == COLL_VENDOR_SEND) return {own, run.peer_or_root};
    if (run.operation == COLL_VENDOR_RECV) return {run.peer_or_root, own};
    std::vector<uint32_t> all;
    for (uint32_t rank = 0; rank < static_cast<uint32_t>(nranks); rank++) all.push_back(rank);
    return all;
}

const HcclApi &require_hccl() {
    try {
        return hccl();
    } catch (const VendorUnavailable &missing) {
        throw Failure(COMM_NOT_SUPPORTED, missing.what());
    }
}

[[noreturn]] void refuse(const std::string &text) {
    throw Failure(COMM_INVALID_ARGUMENT, text);
}

}  // namespace

std::string text_of(const VendorRun &run) {
    if (!is_of_two(run.operation)) return text_of(wish_of(run));
    return function_of(run.operation) + elements(run.count, run.type) +
           (run.operation == COLL_VENDOR_SEND ? " to rank " : " from rank ") + std::to_string(run.peer_or_root);
}

void Collectives::require(const VendorRun &run) const {
    const char *function = function_of(run.operation);
    if (!has(require_hccl(), run.operation)) {
        throw Failure(COMM_NOT_SUPPORTED,
                      std::string("libhccl.so of this CANN (") + acl_version() + ") does not have " + function);
    }
    require_arguments(run);
    if (is_of_two(run.operation) && group_ == nullptr) {
        throw Failure(COMM_INVALID_STATE, std::string(function) +
                                              " is an operation of two ranks, and HCCL's communicator is made by the "
                                              "first one of all ranks, which must be before it");
    }
}

void Collectives::require_arguments(const VendorRun &run) const {
    if (run.type >= kTypes.size()) {
        refuse("type = " + std::to_string(run.type) +
               ": HCCL has no bytes without a type, and the numbers of its FP8 types depend on the version of CANN. "
               "COLL_UINT8 moves any bytes");
    }
    const auto nranks = static_cast<uint64_t>(bootstrap_.nranks());
    const uint64_t bytes_of_each = type_of(run).bytes;
    if (run.count == 0 || run.count > UINT64_MAX / bytes_of_each / nranks) {
        refuse("count = " + std::to_string(run.count) + ", which is none, or more than there can be");
    }
    const bool two = is_of_two(run.operation);
    if (two || run.operation == COLL_VENDOR_BROADCAST) {
        const bool own = run.peer_or_root == static_cast<uint32_t>(bootstrap_.rank());
        if (run.peer_or_root >= nranks || (two && own)) {
            refuse("peer_or_root = " + std::to_string(run.peer_or_root) + " is not " + (two ? "another" : "a") +
                   " rank of these " + std::to_string(nranks));
        }
    }
    const uint64_t bytes = run.count * bytes_of_each;
    const bool scatters = run.operation == COLL_VENDOR_REDUCE_SCATTER;
    const bool gathers = run.operation == COLL_VENDOR_ALL_GATHER;
    const bool in_place = run.operation == COLL_VENDOR_BROADCAST;
    if (run.operation != COLL_VENDOR_RECV)
        require_memory("send", run.send, scatters ? bytes * nranks : bytes, in_place);
    if (run.operation != COLL_VENDOR_SEND && !in_place) {
        require_memory("recv", run.recv, gathers ? bytes * nranks : bytes, true);
    }
}

void Collectives::require_memory(const char *name, uint64_t address, uint64_t bytes, bool written) const {
    try {
        const MemoryMap::Use use = written ? MemoryMap::Use::kWrite : MemoryMap::Use::kRead;
        MemoryMap::of_process().access(address, bytes, use, [] {});
    } catch (const Failure &failure) {
        refuse(std::string(name) + ": " + failure.what());
    }
    if (!is_local_memory(home_.device, reinterpret_cast<const void *>(address))) {
        refuse(std::string(name) + " is not memory of this rank's device");
    }
}

// HCCL compares nothing: ranks that want different things wait for each other, or get what none of them wants. And who
// does not come is named here.
void Collectives::agree(const VendorRun &run) {
    const std::vector<uint32_t> ranks = ranks_of(run, bootstrap_.rank(), bootstrap_.nranks());
    const bool two = is_of_two(run.operation);
    const uint32_t place = run.operation == COLL_VENDOR_RECV ? 1 : static_cast<uint32_t>(two ? 0 : bootstrap_.rank());
    const Members members = Members::of(ranks.data(), ranks.size(), place, bootstrap_.nranks(), bootstrap_.rank());
    const uint64_t id = two ? 1 + ranks[0] * uint64_t{UINT32_MAX} + ranks[1] : 0;
    const Exchange exchange{bootstrap_, members, id, home_};
    const std::string what = "for " + std::string(two ? "the other rank" : "all ranks") + " to come to " + text_of(run);
    const Wish own = wish_of(run);
    const std::vector<Wish> wishes = say_all(exchange, kHcclCollective, what.c_str(), own);
    for (size_t i = 0; i < wishes.size(); i++) {
        if (wishes[i] == wishes[0]) continue;
        bootstrap_.fail(COMM_MISMATCH, "rank " + std::to_string(members.rank(0)) + " wants " + text_of(wishes[0]) +
                                           ", rank " + std::to_string(members.rank(i)) + " wants " +
                                           text_of(wishes[i]));
    }
}

void Collectives::enqueue(const VendorRun &run) {
    agree(run);
    if (group_ == nullptr) group_ = std::make_unique<HcclGroup>(bootstrap_, home_, kHcclCollectivesRootInfo);
    // The first one connects the devices, for which HCCL waits within the call.
    group_->call_leaving(bootstrap_, function_of(run.operation),
                         [run, stream = stream_, device = home_.device](HcclComm comm) {
                             check_hccl(call(run, comm, stream), text_of(run), device);
                         });
}

}  // namespace rankunit::ascend
