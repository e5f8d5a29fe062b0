#include "backends/ascend/ascend_device.h"

#include <cstdlib>

#include "backends/ascend/device_use.h"
#include "backends/ascend/launch/stream_wait.h"
#include "backends/ascend/memory/copies.h"
#include "backends/ascend/memory/local_memory.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::ascend {
namespace {

constexpr milliseconds kLastWait{1000};  // for what is still running when a device is closed

// The longest time that a synchronisation waits.
int32_t synchronize_limit_ms() {
    const char *text = std::getenv("RANKUNIT_ASCEND_SYNCHRONIZE_MS");
    const long limit = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    return limit > 0 && limit <= INT32_MAX ? static_cast<int32_t>(limit) : 600'000;
}

std::string bytes_text(const char *function, size_t bytes) {
    return std::string(function) + " of " + std::to_string(bytes) + " bytes";
}

}  // namespace

AscendDevice::AscendDevice(int id) : id_(id), context_(begin_use(id)) {
    const aclError result = acl().aclrtCreateStream(&stream_);
    if (result == ACL_SUCCESS) {
        const StreamHome home{id_, context_};
        register_stream(stream_, home);
        streams_ = std::make_unique<AscendStreams>(home, stream_);
        return;
    }
    end_use(id_);
    check_acl(result, "aclrtCreateStream", id_);
}

AscendDevice::~AscendDevice() {
    const AclApi &api = acl();
    api.aclrtSetCurrentContext(context_);
    streams_.reset();
    forget_stream(stream_);
    // What a call uses that was left behind ends with the process.
    if (!has_call_in_progress(id_)) {
        end_stream();
        free_all();
    }
    end_use(id_);
}

// First of all, as what runs there uses all the rest. A stream that cannot be asked is taken for one that is not idle.
void AscendDevice::end_stream() {
    const AclApi &api = acl();
    bool idle = false;
    try {
        idle = ends_within(stream_, kLastWait, "at the end", id_) && api.aclrtSynchronizeStream(stream_) == ACL_SUCCESS;
    } catch (const std::exception &) {
    }
    if (!idle && api.aclrtDestroyStreamForce != nullptr) {
        api.aclrtDestroyStreamForce(stream_);
    } else {
        api.aclrtDestroyStream(stream_);
    }
}

void AscendDevice::make_current() {
    check_acl(acl().aclrtSetCurrentContext(context_), "aclrtSetCurrentContext", id_);
}

void AscendDevice::settle() {
    make_current();
    if (pending_) synchronize();
}

void AscendDevice::end_launches() {
    make_current();
    if (pending_ && !told_) synchronize();
}

void *AscendDevice::make_memory(size_t bytes) {
    make_current();
    void *memory = nullptr;
    check_acl(acl().aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), bytes_text("aclrtMalloc", bytes), id_);
    add_local_memory(id_, memory, bytes);
    return memory;
}

void AscendDevice::free_memory(void *memory) {
    remove_local_memory(memory);
    check_acl(acl().aclrtFree(memory), "aclrtFree", id_);
}

void AscendDevice::zero_bytes(void *memory, size_t bytes) {
    const std::function<void()> wait = [this] { synchronize(); };
    Copies(id_, stream_, wait).zero(memory, bytes);
}

void AscendDevice::copy_bytes(void *target, const void *source, size_t bytes, Way way) {
    const std::function<void()> wait = [this] { synchronize(); };
    const Copies copies(id_, stream_, wait);
    switch (way) {
        case Way::kIn:
            return copies.in(target, source, bytes);
        case Way::kOut:
            return copies.out(target, source, bytes);
        case Way::kAcross:
            return copies.across(target, source, bytes);
    }
}

std::unique_ptr<device::Kernel> AscendDevice::make_kernel(const std::string &library_path, const std::string &symbol) {
    make_current();
    return std::make_unique<AscendKernel>(id_, library_path, symbol);
}

// What runs on a stream of the caller's is the caller's to wait for.
void AscendDevice::launch(device::Kernel &kernel, const uint64_t *args, int nargs, const device::LaunchShape &shape) {
    make_current();
    const bool own = shape.stream == nullptr || shape.stream == stream_;
    if (own) pending_ = true;
    static_cast<const AscendKernel &>(kernel).launch(args, nargs, shape.blocks, own ? stream_ : shape.stream);
}

void AscendDevice::synchronize() {
    make_current();
    // before the wait: what another thread launches meanwhile is pending still
    pending_ = false;
    const int32_t limit = synchronize_limit_ms();
    const aclError result = acl().aclrtSynchronizeStreamWithTimeout(stream_, limit);
    if (result != ACL_SUCCESS) pending_ = true;
    told_ = result != ACL_SUCCESS;
    streams_->throw_if_own_aborted();
    check_acl(result, "aclrtSynchronizeStreamWithTimeout of " + std::to_string(limit) + " ms", id_);
}

std::string AscendDevice::describe() const {
    const char *soc = acl().aclrtGetSocName();
    return std::string(soc == nullptr ? "a chip without a name" : soc) + ", " + acl_version();
}

}  // namespace rankunit::ascend

std::unique_ptr<rankunit::device::Device> rankunit::device::make_device(int id) {
    return std::make_unique<rankunit::ascend::AscendDevice>(id);
}
