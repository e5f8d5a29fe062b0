#include "backends/ascend/memory/window_exchange.h"

#include <cstdlib>

#include "backends/ascend/memory/local_memory.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "device/memory_map.h"

namespace rankunit::ascend {
namespace {

using device::MemoryMap;

// Windows by a Sharing, which is this object's from now on.
class SharedWindows : public Windows {
public:
    SharedWindows(size_t bytes, std::vector<uint64_t> addresses, size_t own, const StreamHome &home,
                  std::unique_ptr<Sharing> sharing)
        : Windows(bytes, std::move(addresses)), own_(own), home_(home), sharing_(std::move(sharing)) {
        for (const uint64_t address : this->addresses()) MemoryMap::of_process().add(address, this->bytes());
        add_local_memory(home.device, own_address(), bytes);
    }

    ~SharedWindows() override {
        detach();
        MemoryMap::of_process().remove(addresses()[own_], [this] {
            remove_local_memory(own_address());
            with_context([this] { sharing_->free_own(); });
        });
    }

    void detach() override {
        if (detached_) return;
        detached_ = true;
        for (size_t i = 0; i < addresses().size(); i++) {
            if (i != own_) MemoryMap::of_process().remove(addresses()[i], [] {});
        }
        with_context([this] { sharing_->close_views(); });
    }

private:
    const void *own_address() const { return reinterpret_cast<const void *>(addresses()[own_]); }

    // Where the device was closed before, all of this is gone with it.
    template <typename Body>
    void with_context(Body body) noexcept {
        try {
            const ContextScope scope(home_);
            body();
        } catch (const std::exception &) {
        }
    }

    const size_t own_;
    const StreamHome home_;
    std::unique_ptr<Sharing> sharing_;
    bool detached_ = false;
};

// Gives back in the right order what was made of windows that did not come about.
class Unfinished {
public:
    explicit Unfinished(std::unique_ptr<Sharing> sharing) : sharing_(std::move(sharing)) {}
    Unfinished(const Unfinished &) = delete;
    Unfinished &operator=(const Unfinished &) = delete;
    ~Unfinished() {
        if (sharing_ == nullptr) return;
        sharing_->close_views();
        sharing_->free_own();
    }
    Sharing *operator->() const { return sharing_.get(); }
    std::unique_ptr<Sharing> finish() { return std::move(sharing_); }

private:
    std::unique_ptr<Sharing> sharing_;
};

Offer make_offer(const Exchange &exchange, const Unfinished &sharing, size_t bytes) {
    Offer offer{};
    try {
        if (!is_wanted(sharing->key())) throw Refusal(kNotWanted);
        if (exchange.bootstrap.spans_machines() && !sharing->spans_machines()) throw Refusal(kOneMachine);
        sharing->create(bytes);
        sharing->offer(&offer);
        offer.process = process_of_driver(exchange.home.device);
        offer.driver_device = driver_id(exchange.home.device);
        offer.bytes = sharing->bytes();
    } catch (const Refusal &refusal) {
        offer.refusal = refusal.code();
    }
    return offer;
}

void require_equal_sizes(const Exchange &exchange, const std::vector<Offer> &offers) {
    for (size_t i = 0; i < offers.size(); i++) {
        if (offers[i].bytes == offers[0].bytes) continue;
        exchange.bootstrap.fail(COMM_MISMATCH, "the window of rank " + std::to_string(exchange.members.rank(i)) +
                                                   " has " + std::to_string(offers[i].bytes) + " bytes, that of rank " +
                                                   std::to_string(exchange.members.rank(0)) + " " +
                                                   std::to_string(offers[0].bytes) + ": are the devices of one kind?");
    }
}

void admit_members(const Exchange &exchange, uint32_t step, const Unfinished &sharing,
                   const std::vector<Offer> &offers) {
    if (!sharing->wants_names()) return;
    std::vector<int32_t> processes;
    for (size_t i = 0; i < offers.size(); i++) {
        if (i != exchange.members.place()) processes.push_back(offers[i].process);
    }
    if (!processes.empty()) sharing->admit(processes);
    say(exchange, step, "for all ranks to admit each other to their windows", "");
}

// Lets this device reach the peer's. That this fails is no failure yet, since not every machine wants it; the text is
// for the error that may follow.
std::string reach(const Exchange &exchange, const Offer &offer) {
    const int device = exchange.home.device;
    const int peer = device_of_driver_id(offer.driver_device);
    if (peer < 0 || peer == device) return "";
    const int code = enable_peer_access(device, peer);
    if (code == ACL_SUCCESS) return "";
    return " (aclrtDeviceEnablePeerAccess of device " + std::to_string(peer) + " had failed with " +
           std::to_string(code) + " before)";
}

uint64_t view(const Exchange &exchange, const Unfinished &sharing, size_t place, const Offer &offer) {
    const std::string trouble = sharing->wants_peer_access() ? reach(exchange, offer) : "";
    try {
        return reinterpret_cast<uint64_t>(sharing->view(offer));
    } catch (const VendorError &error) {
        throw VendorError(
            error.code(), error.vendor_code(),
            "the window of rank " + std::to_string(exchange.members.rank(place)) + ": " + error.what() + trouble);
    }
}

// This rank's addresses of all windows; nothing if the way is refused, with the code.
std::vector<uint64_t> view_all(const Exchange &exchange, const Unfinished &sharing, const std::vector<Offer> &offers,
                               int32_t *refusal) {
    std::vector<uint64_t> addresses;
    try {
        for (size_t i = 0; i < offers.size(); i++) {
            const bool own = i == exchange.members.place();
            addresses.push_back(own ? reinterpret_cast<uint64_t>(sharing->address())
                                    : view(exchange, sharing, i, offers[i]));
        }
    } catch (const Refusal &refused) {
        *refusal = refused.code();
        addresses.clear();
    }
    return addresses;
}

std::string refusal_text(int32_t code) {
    if (code == kNoFunctions) return "its CANN does not have the functions";
    if (code == kNotWanted) return "RANKUNIT_ASCEND_WINDOWS names another way";
    if (code == kNoLibrary) return "libhccl.so of its CANN cannot be opened, or lacks functions";
    if (code == kOneMachine) return "the ranks meet over a network, and this way is for one machine";
    if (code == kNotForDomains) return "a domain cannot have them";
    const ErrorMeaning *meaning = acl_meaning(code);
    return std::to_string(code) + (meaning == nullptr ? "" : std::string(" (") + meaning->name + ")");
}

}  // namespace

std::vector<std::string> say(const Exchange &exchange, uint32_t step, const char *what, const std::string &saying) {
    return exchange.bootstrap.gather(exchange.members, Topic{step, exchange.id, what}, saying);
}

bool refused(const Exchange &exchange, const char *way, const std::vector<int32_t> &codes, Refusals *refusals) {
    for (size_t i = 0; i < codes.size(); i++) {
        if (codes[i] == 0) continue;
        refusals->push_back(std::string(way) + ": rank " + std::to_string(exchange.members.rank(i)) + ": " +
                            refusal_text(codes[i]));
        return true;
    }
    return false;
}

bool is_wanted(const char *key) {
    const char *wanted = std::getenv("RANKUNIT_ASCEND_WINDOWS");
    return wanted == nullptr || *wanted == '\0' || std::string(wanted) == key;
}

namespace {

std::unique_ptr<Windows> share(const Exchange &exchange, uint32_t first, Unfinished &sharing, size_t bytes,
                               Refusals *refusals) {
    const std::vector<Offer> offers = say_all(exchange, first + kOffers, "for all ranks to offer their windows",
                                              make_offer(exchange, sharing, bytes));
    std::vector<int32_t> codes;
    for (const Offer &offer : offers) codes.push_back(offer.refusal);
    if (refused(exchange, sharing->name(), codes, refusals)) return nullptr;
    require_equal_sizes(exchange, offers);
    admit_members(exchange, first + kAdmitted, sharing, offers);
    int32_t refusal = 0;
    std::vector<uint64_t> addresses = view_all(exchange, sharing, offers, &refusal);
    codes = say_all(exchange, first + kMapped, "for all ranks to map the windows", refusal);
    if (refused(exchange, sharing->name(), codes, refusals)) {
        // no rank frees what another one still maps
        sharing->close_views();
        say(exchange, first + kGivenBack, "for all ranks to give up windows that not all can map", "");
        return nullptr;
    }
    return std::make_unique<SharedWindows>(offers[0].bytes, std::move(addresses), exchange.members.place(),
                                           exchange.home, sharing.finish());
}

}  // namespace

std::unique_ptr<Windows> share_windows(const Exchange &exchange, uint32_t number, std::unique_ptr<Sharing> made,
                                       size_t bytes, Refusals *refusals) {
    Unfinished sharing(std::move(made));
    return telling_first(exchange.bootstrap,
                         [&] { return share(exchange, number * kStepsOfWay, sharing, bytes, refusals); });
}

}  // namespace rankunit::ascend
