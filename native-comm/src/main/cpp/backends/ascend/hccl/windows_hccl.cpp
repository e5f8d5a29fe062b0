// Windows that are HCCL's own buffers. The last way: it goes by functions and layouts that are no public interface, but
// it needs nothing else of the machine than that HCCL works there.
#include <cstring>

#include "backends/ascend/hccl/hccl_group.h"
#include "backends/ascend/memory/local_memory.h"
#include "backends/ascend/memory/window_exchange.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "device/memory_map.h"

namespace rankunit::ascend {
namespace {

using device::MemoryMap;

constexpr uint32_t kSlotsBefore950 = 32;  // of ranks, in the layout of the 910 family; 950 has 64

// What the buffers are asked for with: "BatchWrite" among the devices of one machine.
struct ResourceRequest {
    uint32_t version = 100;
    uint32_t count = 1;
    uint32_t offsets[8] = {64};
    uint8_t unused1[4] = {};
    uint16_t blocks = 48;
    uint8_t device_kind = 4;
    uint8_t unused2[20] = {};
    uint8_t operation_version = 1;
    uint8_t unused3[9] = {};
    uint8_t engine = 3;
    uint8_t unused4[2] = {};
    char group[128] = {};
    char algorithm[128] = "BatchWrite=level0:fullmesh";
    uint32_t operation = 18;
    uint32_t reduction = 0;
};
static_assert(offsetof(ResourceRequest, blocks) == 44 && offsetof(ResourceRequest, device_kind) == 46);
static_assert(offsetof(ResourceRequest, operation_version) == 67 && offsetof(ResourceRequest, engine) == 77);
static_assert(offsetof(ResourceRequest, group) == 80 && offsetof(ResourceRequest, algorithm) == 208);
static_assert(offsetof(ResourceRequest, operation) == 336 && sizeof(ResourceRequest) == 344);

// How each of the two layouts begins. In one, the windows of all ranks follow; in the other, this rank's own.
struct ResourceHead {
    uint64_t workspace[2];
    uint32_t rank;
    uint32_t nranks;
    uint64_t window_bytes;
    uint64_t own_window;
};
static_assert(offsetof(ResourceHead, rank) == 16 && offsetof(ResourceHead, own_window) == 32);
constexpr size_t kWindows = 32;  // of all ranks
constexpr size_t kWindowOfRelation = 8;

// In the other layout: for each rank where its record lies.
struct RelationAddress {
    uint64_t on_host;
    uint64_t on_device;
};

// Where these addresses begin, as the layout says itself: from the start of it, and the size of each.
constexpr size_t kRelationsPlace = 192;
struct RelationsPlace {
    uint32_t start;
    uint32_t step;
};
constexpr uint32_t kRelationsOfOld = 2984;     // of a CANN that does not say it
constexpr uint32_t kLastRelations = 1u << 20;  // beyond it, nothing was said

class BorrowedWindows : public Windows {
public:
    BorrowedWindows(size_t bytes, std::vector<uint64_t> addresses, size_t own, int device,
                    std::unique_ptr<HcclGroup> group)
        : Windows(bytes, std::move(addresses)),
          own_(reinterpret_cast<const void *>(this->addresses()[own])),
          group_(std::move(group)) {
        for (const uint64_t address : this->addresses()) MemoryMap::of_process().add(address, this->bytes());
        add_local_memory(device, own_, bytes);
    }
    ~BorrowedWindows() override {
        remove_local_memory(own_);
        for (const uint64_t address : addresses()) MemoryMap::of_process().remove(address, [] {});
    }

private:
    const void *const own_;
    std::unique_ptr<HcclGroup> group_;
};

// Reads what HCCL has laid out in the memory of the device.
class Resources {
public:
    Resources(int device, const void *start) : device_(device), start_(static_cast<const char *>(start)) {}

    ResourceHead head() const {
        ResourceHead head{};
        read(start_, &head, sizeof(head));
        return head;
    }

    std::vector<uint64_t> windows_in_a_row(uint32_t nranks) const {
        std::vector<uint64_t> windows(nranks);
        read(start_ + kWindows, windows.data(), nranks * sizeof(uint64_t));
        return windows;
    }

    std::vector<uint64_t> windows_by_relation(const ResourceHead &head) const {
        const uint32_t relations = start_of_relations();
        std::vector<uint64_t> windows;
        for (uint32_t rank = 0; rank < head.nranks; rank++) {
            uint64_t window = head.own_window;
            RelationAddress relation{};
            read(start_ + relations + rank * sizeof(relation), &relation, sizeof(relation));
            if (rank != head.rank) {
                if (relation.on_device == 0) throw unknown("no record of rank " + std::to_string(rank));
                read(reinterpret_cast<const char *>(relation.on_device) + kWindowOfRelation, &window, sizeof(window));
            }
            windows.push_back(window);
        }
        return windows;
    }

    Failure unknown(const std::string &what) const {
        return {COMM_VENDOR, "device " + std::to_string(device_) + ": what HCCL says of its buffers has " + what +
                                 ": this CANN (" + acl_version() +
                                 ") lays them out in a way that this version of RankUnit does not know"};
    }

private:
    uint32_t start_of_relations() const {
        RelationsPlace place{};
        read(start_ + kRelationsPlace, &place, sizeof(place));
        const bool said = place.step == sizeof(RelationAddress) && place.start % alignof(RelationAddress) == 0 &&
                          place.start >= kRelationsPlace + sizeof(place) && place.start < kLastRelations;
        return said ? place.start : kRelationsOfOld;
    }

    void read(const char *source, void *target, size_t bytes) const {
        check_acl(acl().aclrtMemcpy(target, bytes, source, bytes, ACL_MEMCPY_DEVICE_TO_HOST),
                  "aclrtMemcpy of what HCCL says of its buffers", device_);
    }

    const int device_;
    const char *start_;
};

std::string group_name(HcclComm comm, int device) {
    char name[128 + 1] = {};
    check_hccl(hccl().HcclGetCommName(comm, name), "HcclGetCommName", device);
    return name;
}

bool has_relations(const std::string &group, int device) {
    CommTopo topology = COMM_TOPO_CLOS;
    check_hccl(hccl().HcomGetL0TopoTypeEx(group.c_str(), &topology, 0), "HcomGetL0TopoTypeEx", device);
    // on 910_93 and nowhere else the ranks are told of in records
    return topology == COMM_TOPO_910_93;
}

bool has_slots_of_950() {
    const char *soc = acl().aclrtGetSocName();
    return soc != nullptr && std::strncmp(soc, "Ascend950", 9) == 0;
}

void require_plausible(const Resources &resources, const ResourceHead &head, const Bootstrap &bootstrap) {
    if (head.rank != static_cast<uint32_t>(bootstrap.rank()) ||
        head.nranks != static_cast<uint32_t>(bootstrap.nranks())) {
        throw resources.unknown("rank " + std::to_string(head.rank) + " of " + std::to_string(head.nranks) +
                                " instead of " + std::to_string(bootstrap.rank()) + " of " +
                                std::to_string(bootstrap.nranks()));
    }
    constexpr uint64_t kMost = uint64_t{1} << 40;
    if (head.window_bytes == 0 || head.window_bytes > kMost) {
        throw resources.unknown("windows of " + std::to_string(head.window_bytes) + " bytes");
    }
}

const void *ask_for_buffers(const Exchange &exchange, HcclGroup &own_group, aclrtStream stream,
                            const std::string &group) {
    struct Asked {
        ResourceRequest request;
        void *resources = nullptr;
    };
    const auto asked = std::make_shared<Asked>();
    std::strncpy(asked->request.group, group.c_str(), sizeof(asked->request.group) - 1);
    own_group.call_leaving(
        exchange.bootstrap, "HcclAllocComResourceByTiling",
        [asked, stream, device = exchange.home.device](HcclComm comm) {
            check_hccl(hccl().HcclAllocComResourceByTiling(comm, stream, &asked->request, &asked->resources),
                       "HcclAllocComResourceByTiling", device);
        });
    return asked->resources;
}

int32_t own_refusal(const Exchange &exchange) {
    if (!is_wanted("hccl")) return kNotWanted;
    // One pair of buffers for each communicator, of all its ranks: there is none for a domain.
    const bool all = exchange.members.count() == static_cast<size_t>(exchange.bootstrap.nranks());
    if (!all) return kNotForDomains;
    try {
        const HcclApi &api = hccl();
        const bool functions = api.HcclAllocComResourceByTiling != nullptr && api.HcclGetCommName != nullptr &&
                               api.HcomGetL0TopoTypeEx != nullptr;
        return functions ? 0 : kNoFunctions;
    } catch (const VendorUnavailable &) {
        return kNoLibrary;
    }
}

std::vector<uint64_t> read_windows(const Exchange &exchange, const Resources &resources, const std::string &group,
                                   size_t *bytes) {
    const ResourceHead head = resources.head();
    require_plausible(resources, head, exchange.bootstrap);
    *bytes = head.window_bytes;
    std::vector<uint64_t> windows = has_relations(group, exchange.home.device)
                                        ? resources.windows_by_relation(head)
                                        : resources.windows_in_a_row(head.nranks);
    for (size_t rank = 0; rank < windows.size(); rank++) {
        if (windows[rank] == 0) throw resources.unknown("no window of rank " + std::to_string(rank));
    }
    return windows;
}

void require_room(const Exchange &exchange, size_t bytes, size_t made) {
    struct Sizes {
        uint64_t bytes;
    };
    for (const Sizes &size : say_all(exchange, kHcclMade, "for the buffers of HCCL", Sizes{made})) {
        if (size.bytes == made) continue;
        exchange.bootstrap.fail(COMM_MISMATCH, "the buffers of HCCL have " + std::to_string(size.bytes) +
                                                   " bytes on one rank, " + std::to_string(made) +
                                                   " on another: HCCL_BUFFSIZE must be the same");
    }
    if (made >= bytes) return;
    exchange.bootstrap.fail(COMM_OUT_OF_MEMORY, "a window of " + std::to_string(bytes) +
                                                    " bytes was asked for; here it is a buffer of HCCL, which has " +
                                                    std::to_string(made) +
                                                    ": set HCCL_BUFFSIZE to as many MiB as it takes");
}

// The windows in the buffers of a communicator, this rank's own zeroed.
std::vector<uint64_t> windows_of(const Exchange &exchange, HcclGroup &own_group, aclrtStream stream, size_t bytes,
                                 size_t *made) {
    const int device = exchange.home.device;
    const std::string group = group_name(own_group.get(), device);
    const Resources resources(device, ask_for_buffers(exchange, own_group, stream, group));
    std::vector<uint64_t> windows = read_windows(exchange, resources, group, made);
    require_room(exchange, bytes, *made);
    void *own = reinterpret_cast<void *>(windows[exchange.members.place()]);
    check_acl(acl().aclrtMemset(own, *made, 0, *made), "aclrtMemset of a buffer of HCCL", device);
    return windows;
}

}  // namespace

std::unique_ptr<Windows> borrow_windows(const Exchange &exchange, aclrtStream stream, size_t bytes,
                                        Refusals *refusals) {
    const std::vector<int32_t> codes =
        say_all(exchange, kHcclReady, "for all ranks to have buffers of HCCL", own_refusal(exchange));
    if (refused(exchange, "HCCL's buffers", codes, refusals)) return nullptr;
    if (!has_slots_of_950() && exchange.bootstrap.nranks() > static_cast<int>(kSlotsBefore950)) {
        exchange.bootstrap.fail(COMM_VENDOR, "HCCL's buffers are for at most 32 ranks on this kind of device");
    }
    std::unique_ptr<HcclGroup> own_group = telling_first(exchange.bootstrap, [&] {
        return std::make_unique<HcclGroup>(exchange.bootstrap, exchange.home, kHcclRootInfo);
    });
    size_t made = 0;
    std::vector<uint64_t> windows =
        telling_first(exchange.bootstrap, [&] { return windows_of(exchange, *own_group, stream, bytes, &made); });
    return std::make_unique<BorrowedWindows>(made, std::move(windows), exchange.members.place(), exchange.home.device,
                                             std::move(own_group));
}

}  // namespace rankunit::ascend
