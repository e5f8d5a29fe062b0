// What a communicator does in the Ascend backend's own way. Exercised on an emulator of the vendor's libraries only,
// never on real devices.
#include <string>
#include <vector>

#include "backends/ascend/hccl/collectives.h"
#include "backends/ascend/launch/rank_wait.h"
#include "backends/ascend/memory/local_memory.h"
#include "backends/ascend/memory/window_exchange.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "comm/device_side.h"
#include "device/memory_map.h"
#include "rankunit/comm.h"

namespace rankunit::ascend {
namespace {

using device::MemoryMap;

class AscendSide : public comm::DeviceSide {
public:
    explicit AscendSide(aclrtStream stream) : stream_(stream), home_(home_of(stream)) {}
    ~AscendSide() override;

    void join(Bootstrap &bootstrap) override { bootstrap_ = &bootstrap; }
    std::unique_ptr<Windows> allocate(Bootstrap &bootstrap, const Members &members, size_t bytes, uint64_t id) override;
    uint64_t publish(const CommContext &context) override;
    void withdraw(uint64_t address) noexcept override;
    // The driver takes memory away from any process that still maps it.
    bool frees_after_views() const override { return true; }
    std::string describe() const override { return made_by_; }
    void finish(const Deadline &deadline) override;
    void run_vendor(const comm::VendorRun &run) override;

private:
    void note(const char *way, const Refusals &refusals);

    const aclrtStream stream_;
    const StreamHome home_;
    Bootstrap *bootstrap_ = nullptr;
    std::string made_by_;      // how the windows came to be shared
    bool unfinished_ = false;  // the last wait for the stream has failed
    std::unique_ptr<Collectives> collectives_;
};

// A kernel that waits for a rank that is gone would keep the stream forever, and with it the device.
AscendSide::~AscendSide() {
    if (!unfinished_ || acl().aclrtStreamAbort == nullptr) return;
    try {
        const ContextScope scope(home_);
        acl().aclrtStreamAbort(stream_);
    } catch (const std::exception &) {
    }
}

std::unique_ptr<Windows> AscendSide::allocate(Bootstrap &bootstrap, const Members &members, size_t bytes, uint64_t id) {
    const ContextScope scope(home_);
    const Exchange exchange{bootstrap, members, id, home_};
    Refusals refusals;
    uint32_t number = 0;
    for (const auto &way : {share_by_fabric_handle, share_by_handle, share_by_key}) {
        std::unique_ptr<Sharing> sharing = way(home_.device);
        const char *name = sharing->name();
        std::unique_ptr<Windows> windows = share_windows(exchange, ++number, std::move(sharing), bytes, &refusals);
        if (windows != nullptr) {
            note(name, refusals);
            return windows;
        }
    }
    // the last way: a communicator takes seconds, ports, and by default 400 MB of the device
    std::unique_ptr<Windows> windows = borrow_windows(exchange, stream_, bytes, &refusals);
    if (windows != nullptr) {
        note("the buffers of an HCCL communicator", refusals);
        return windows;
    }
    std::string text = "there is no way in which all ranks can map each other's windows:";
    for (const std::string &refusal : refusals) text += " " + refusal + ";";
    text.pop_back();
    throw Failure(COMM_VENDOR, text);
}

void AscendSide::note(const char *way, const Refusals &refusals) {
    made_by_ = "shared by " + std::string(way);
    for (const std::string &refusal : refusals) made_by_ += "; not by " + refusal;
}

uint64_t AscendSide::publish(const CommContext &context) {
    const ContextScope scope(home_);
    const AclApi &api = acl();
    void *copy = nullptr;
    check_acl(api.aclrtMalloc(&copy, sizeof(context), ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc of a context",
              home_.device);
    const aclError result =
        api.aclrtMemcpy(copy, sizeof(context), &context, sizeof(context), ACL_MEMCPY_HOST_TO_DEVICE);
    if (result != ACL_SUCCESS) api.aclrtFree(copy);
    check_acl(result, "aclrtMemcpy of a context", home_.device);
    const auto address = reinterpret_cast<uint64_t>(copy);
    MemoryMap::of_process().add(address, sizeof(context), MemoryMap::Use::kRead);
    add_local_memory(home_.device, copy, sizeof(context));
    return address;
}

void AscendSide::withdraw(uint64_t address) noexcept {
    MemoryMap::of_process().remove(address, [&] {
        remove_local_memory(reinterpret_cast<const void *>(address));
        try {
            const ContextScope scope(home_);
            acl().aclrtFree(reinterpret_cast<void *>(address));
        } catch (const std::exception &) {
            // The context is gone with the device, and this memory with it.
        }
    });
}

void AscendSide::finish(const Deadline &deadline) {
    const ContextScope scope(home_);
    unfinished_ = true;
    const StreamWait wait{"for what runs on its device before a barrier", "before a barrier",
                          "a kernel still runs there"};
    telling_first(*bootstrap_, [&] { wait_for_streams(*bootstrap_, home_, {stream_}, deadline, wait); });
    unfinished_ = false;
}

void AscendSide::run_vendor(const comm::VendorRun &run) {
    const ContextScope scope(home_);
    if (collectives_ == nullptr) collectives_ = std::make_unique<Collectives>(*bootstrap_, home_, stream_);
    collectives_->require(run);
    const std::string text = text_of(run);
    unfinished_ = true;
    telling_first(*bootstrap_, [&] {
        collectives_->enqueue(run);
        wait_for_streams(*bootstrap_, home_, {stream_}, Deadline{bootstrap_->timeout()},
                         {"for the end of " + text, "after " + text, "it is not over"});
    });
    unfinished_ = false;
}

}  // namespace
}  // namespace rankunit::ascend

std::unique_ptr<rankunit::comm::DeviceSide> rankunit::comm::make_device_side(int /*rank*/, int /*nranks*/,
                                                                             void *stream) {
    return std::make_unique<rankunit::ascend::AscendSide>(stream);
}
