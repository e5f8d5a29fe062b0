#include "ascend/ascend_device.h"

#include <cstdio>
#include <cstdlib>

#include "ascend/device_use.h"
#include "ascend/vendor_error.h"
#include "ascend/vendor_library.h"
#include "host/memory_map.h"
#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::ascend {
namespace {

using host::MemoryMap;

constexpr int32_t kLastWaitMs = 1000;  // for what is still running when a device is closed
constexpr size_t kAlignment = 512;

// How long a synchronisation waits at the most.
int32_t synchronize_limit_ms() {
    const char *text = std::getenv("RANKUNIT_ASCEND_SYNCHRONIZE_MS");
    const long limit = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
    return limit > 0 && limit <= INT32_MAX ? static_cast<int32_t>(limit) : 600'000;
}

void *pointer(uint64_t address) {
    return reinterpret_cast<void *>(address);
}

std::string bytes_text(const char *function, size_t bytes) {
    return std::string(function) + " of " + std::to_string(bytes) + " bytes";
}

}  // namespace

AscendDevice::AscendDevice(int id) : id_(id), context_(begin_use(id)) {
    const aclError result = acl().aclrtCreateStream(&stream_);
    if (result == ACL_SUCCESS) {
        register_stream(stream_, StreamHome{id_, context_});
        return;
    }
    end_use(id_);
    check_acl(result, "aclrtCreateStream", id_);
}

AscendDevice::~AscendDevice() {
    const AclApi &api = acl();
    api.aclrtSetCurrentContext(context_);
    end_stream();
    kernels_.clear();
    for (const uint64_t address : allocations_) {
        MemoryMap::of_process().remove(address, [&] { api.aclrtFree(pointer(address)); });
    }
    for (const uint64_t address : adopted_) MemoryMap::of_process().remove(address, [] {});
    end_use(id_);
}

// First of all, as what runs there uses all the rest.
void AscendDevice::end_stream() {
    const AclApi &api = acl();
    forget_stream(stream_);
    const bool idle = api.aclrtSynchronizeStreamWithTimeout(stream_, kLastWaitMs) == ACL_SUCCESS;
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

uint64_t AscendDevice::allocate(size_t bytes) {
    if (bytes == 0) throw Failure(DEVICE_INVALID_ARGUMENT, "size = 0; at least 1 byte must be asked for");
    if (bytes > SIZE_MAX - kAlignment) {
        throw Failure(DEVICE_OUT_OF_MEMORY, "there is no device memory for " + std::to_string(bytes) + " bytes");
    }
    make_current();
    void *memory = nullptr;
    check_acl(acl().aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), bytes_text("aclrtMalloc", bytes), id_);
    const auto address = reinterpret_cast<uint64_t>(memory);
    const std::lock_guard<std::mutex> lock(mutex_);
    allocations_.insert(address);
    MemoryMap::of_process().add(address, bytes);
    return address;
}

void AscendDevice::free(uint64_t address) {
    settle();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (allocations_.erase(address) == 0) {
        char text[96];
        std::snprintf(text, sizeof(text), "address 0x%llx is not the start of memory of this device",
                      static_cast<unsigned long long>(address));
        throw Failure(DEVICE_BAD_ADDRESS, text);
    }
    aclError result = ACL_SUCCESS;
    MemoryMap::of_process().remove(address, [&] { result = acl().aclrtFree(pointer(address)); });
    check_acl(result, "aclrtFree", id_);
}

void AscendDevice::adopt(uint64_t address, size_t bytes) {
    if (address == 0 || bytes == 0 || bytes > UINT64_MAX - address) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "address = " + std::to_string(address) +
                                                   ", size = " + std::to_string(bytes) + ": not a range of memory");
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    MemoryMap::of_process().add(address, bytes);
    adopted_.insert(address);
}

void AscendDevice::disown(uint64_t address) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (adopted_.erase(address) == 0) {
        throw Failure(DEVICE_BAD_ADDRESS, "address " + std::to_string(address) + " was not adopted");
    }
    MemoryMap::of_process().remove(address, [] {});
}

void AscendDevice::zero(uint64_t address, size_t bytes) {
    settle();
    MemoryMap::of_process().access(address, bytes, [&] {
        if (bytes == 0) return;
        check_acl(acl().aclrtMemset(pointer(address), bytes, 0, bytes), bytes_text("aclrtMemset", bytes), id_);
    });
}

void AscendDevice::copy_bytes(void *target, const void *source, size_t bytes, aclrtMemcpyKind kind) {
    if (bytes == 0) return;  // which the runtime is not known to take
    check_acl(acl().aclrtMemcpy(target, bytes, source, bytes, kind), bytes_text("aclrtMemcpy", bytes), id_);
}

void AscendDevice::copy_in(uint64_t target, const void *source, size_t bytes) {
    settle();
    MemoryMap::of_process().access(target, bytes,
                                   [&] { copy_bytes(pointer(target), source, bytes, ACL_MEMCPY_HOST_TO_DEVICE); });
}

void AscendDevice::copy_out(void *target, uint64_t source, size_t bytes) {
    settle();
    MemoryMap::of_process().access(source, bytes,
                                   [&] { copy_bytes(target, pointer(source), bytes, ACL_MEMCPY_DEVICE_TO_HOST); });
}

void AscendDevice::copy(uint64_t target, uint64_t source, size_t bytes) {
    settle();
    MemoryMap::of_process().access(source, target, bytes, [&] {
        copy_bytes(pointer(target), pointer(source), bytes, ACL_MEMCPY_DEVICE_TO_DEVICE);
    });
}

AscendKernel *AscendDevice::load(const std::string &library_path, const std::string &symbol) {
    make_current();
    const std::lock_guard<std::mutex> lock(mutex_);
    return &kernels_.emplace_back(id_, library_path, symbol);
}

void AscendDevice::launch(const AscendKernel &kernel, const uint64_t *args, int nargs) {
    make_current();
    pending_ = true;
    kernel.launch(args, nargs, stream_);
}

void AscendDevice::synchronize() {
    make_current();
    // before the wait: what another thread launches meanwhile is pending still
    pending_ = false;
    const int32_t limit = synchronize_limit_ms();
    const aclError result = acl().aclrtSynchronizeStreamWithTimeout(stream_, limit);
    if (result != ACL_SUCCESS) pending_ = true;
    check_acl(result, "aclrtSynchronizeStreamWithTimeout of " + std::to_string(limit) + " ms", id_);
}

std::string AscendDevice::describe() const {
    const char *soc = acl().aclrtGetSocName();
    return std::string(soc == nullptr ? "a chip without a name" : soc) + ", " + acl_version();
}

}  // namespace rankunit::ascend
