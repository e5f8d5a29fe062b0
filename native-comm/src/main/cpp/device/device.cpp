#include "device/device.h"

#include <cstdio>
#include <optional>

#include "device/freed_memory.h"
#include "device/memory_map.h"
#include "rankunit/device.h"
#include "record/record.h"
#include "support/failure.h"

namespace rankunit::device {
namespace {

void *pointer(uint64_t address) {
    return reinterpret_cast<void *>(address);
}

}  // namespace

uint64_t Device::allocate(size_t bytes) {
    if (bytes == 0) throw Failure(DEVICE_INVALID_ARGUMENT, "size = 0; at least 1 byte must be requested");
    void *memory = bytes > SIZE_MAX - kAlignment ? nullptr : make_memory(bytes);
    if (memory == nullptr) {
        throw Failure(DEVICE_OUT_OF_MEMORY, "there is no device memory for " + std::to_string(bytes) + " bytes");
    }
    const auto address = reinterpret_cast<uint64_t>(memory);
    const std::lock_guard<std::mutex> lock(mutex_);
    allocations_.insert(address);
    MemoryMap::of_process().add(address, bytes);
    FreedMemory::of_process().allocated(address, bytes);
    record::now(record::kAllocate, address, bytes, record::place());
    return address;
}

void Device::free(uint64_t address) {
    settle();
    const std::lock_guard<std::mutex> lock(mutex_);
    if (allocations_.erase(address) == 0) {
        char text[96];
        std::snprintf(text, sizeof(text), "address 0x%llx is not the start of memory of this device",
                      static_cast<unsigned long long>(address));
        const std::string freed = FreedMemory::of_process().text_of(address);
        throw Failure(DEVICE_BAD_ADDRESS, freed.empty() ? text : text + (": " + freed));
    }
    // before its addresses can be given out again
    record::now(record::kFree, address, record::place());
    FreedMemory::of_process().freed(address);
    MemoryMap::of_process().remove(address, [&] { free_memory(pointer(address)); });
}

void Device::adopt(uint64_t address, size_t bytes) {
    if (address == 0 || bytes == 0 || bytes > UINT64_MAX - address) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "address = " + std::to_string(address) +
                                                   ", size = " + std::to_string(bytes) + ": not a range of memory");
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    MemoryMap::of_process().add(address, bytes);
    adopted_.insert(address);
    FreedMemory::of_process().allocated(address, bytes);
    record::now(record::kAllocate, address, bytes, record::place());
}

void Device::disown(uint64_t address) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (adopted_.erase(address) == 0) {
        throw Failure(DEVICE_BAD_ADDRESS, "address " + std::to_string(address) + " was not adopted");
    }
    record::now(record::kFree, address, record::place());
    FreedMemory::of_process().freed(address);
    MemoryMap::of_process().remove(address, [] {});
}

void Device::zero(uint64_t address, size_t bytes) {
    settle();
    const record::Span span;
    MemoryMap::of_process().access(address, bytes, MemoryMap::Use::kWrite, [&] {
        if (bytes > 0) zero_bytes(pointer(address), bytes);
    });
    span.end(record::kCopy, record::kZero, address, 0, bytes, record::place());
}

void Device::copy_in(uint64_t target, const void *source, size_t bytes) {
    settle();
    const record::Span span;
    MemoryMap::of_process().access(target, bytes, MemoryMap::Use::kWrite, [&] {
        if (bytes > 0) copy_bytes(pointer(target), source, bytes, Way::kIn);
    });
    span.end(record::kCopy, record::kIn, target, reinterpret_cast<uint64_t>(source), bytes, record::place());
}

void Device::copy_out(void *target, uint64_t source, size_t bytes) {
    settle();
    const record::Span span;
    MemoryMap::of_process().access(source, bytes, MemoryMap::Use::kRead, [&] {
        if (bytes > 0) copy_bytes(target, pointer(source), bytes, Way::kOut);
    });
    span.end(record::kCopy, record::kOut, reinterpret_cast<uint64_t>(target), source, bytes, record::place());
}

void Device::copy(uint64_t target, uint64_t source, size_t bytes) {
    settle();
    const record::Span span;
    MemoryMap::of_process().access(source, target, bytes, [&] {
        if (bytes > 0) copy_bytes(pointer(target), pointer(source), bytes, Way::kAcross);
    });
    span.end(record::kCopy, record::kAcross, target, source, bytes, record::place());
}

Kernel *Device::load(const std::string &library_path, const std::string &symbol) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return kernels_.emplace_back(make_kernel(library_path, symbol)).get();
}

bool Device::owns(uint64_t address) const {
    const std::optional<uint64_t> start = MemoryMap::of_process().start_of(address);
    const std::lock_guard<std::mutex> lock(mutex_);
    return start.has_value() && allocations_.count(*start) > 0;
}

const Kernel *Device::find_kernel(const void *handle) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const std::unique_ptr<Kernel> &kernel : kernels_) {
        if (kernel.get() == handle) return kernel.get();
    }
    return nullptr;
}

graph::GraphEngine &Device::graphs() {
    throw Failure(DEVICE_NOT_SUPPORTED, "this backend has no task graphs");
}

StreamEngine &Device::streams() {
    throw Failure(DEVICE_NOT_SUPPORTED, "this backend has no streams");
}

void Device::record(const std::string & /*path*/, const std::string & /*order_path*/, uint64_t /*capacity*/) {
    throw Failure(DEVICE_NOT_SUPPORTED, "this backend records no events");
}

void Device::note_running(const std::string & /*path*/) {
    throw Failure(DEVICE_NOT_SUPPORTED, "this backend does not note which kernels run");
}

void Device::shake(shake::Strategy /*strategy*/, uint64_t /*seed*/) {
    throw Failure(DEVICE_NOT_SUPPORTED, "the schedule of this backend cannot be shaken");
}

void Device::shake_group(const std::string & /*path*/, int /*rank*/, int /*nranks*/) {
    throw Failure(DEVICE_NOT_SUPPORTED, "the schedule of this backend cannot be shaken");
}

shake::Result Device::end_shaking(const std::string & /*path*/) {
    throw Failure(DEVICE_NOT_SUPPORTED, "the schedule of this backend cannot be shaken");
}

void Device::set_platform(const std::string & /*platform*/) {
    throw Failure(DEVICE_NOT_SUPPORTED, "the platform of this device cannot be chosen");
}

void Device::free_all() noexcept {
    kernels_.clear();
    for (const uint64_t address : allocations_) {
        try {
            FreedMemory::of_process().freed(address);
            MemoryMap::of_process().remove(address, [&] { free_memory(pointer(address)); });
        } catch (const std::exception &) {
            // Memory that a broken device does not free is freed when the process ends.
        }
    }
    for (const uint64_t address : adopted_) {
        FreedMemory::of_process().freed(address);
        MemoryMap::of_process().remove(address, [] {});
    }
}

}  // namespace rankunit::device
