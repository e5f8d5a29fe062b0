#include "sim/sim_device.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "host/memory_map.h"
#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::sim {
namespace {

using host::MemoryMap;

constexpr size_t kAlignment = 512;

void release(uint64_t address) {
    MemoryMap::of_process().remove(address, [address] { std::free(reinterpret_cast<void *>(address)); });
}

constexpr int kSetupError = 507033;
constexpr int kHang = -1;

// What is wrong with one device, of a part such as "3:507015"; 0 if the part is of another device.
int fault_in(const std::string &part, int id, const char *all) {
    int device = -1;
    int error = 0;
    int length = 0;
    const bool hangs = std::sscanf(part.c_str(), "%d:hang%n", &device, &length) == 1 && length > 0;
    if (!hangs) std::sscanf(part.c_str(), "%d:%d%n", &device, &error, &length);
    const bool known = device >= 0 && static_cast<size_t>(length) == part.size() && length > 0;
    if (!known || (!hangs && error < DEVICE_VENDOR_ERROR)) {
        throw Failure(DEVICE_INVALID_ARGUMENT, DEVICE_SIM_FAULTS " = \"" + std::string(all) + "\": \"" + part +
                                                   "\" is not a device with an error from " +
                                                   std::to_string(DEVICE_VENDOR_ERROR) +
                                                   " on, or with hang, such as 3:507015");
    }
    return device != id ? 0 : hangs ? kHang : error;
}

// What DEVICE_SIM_FAULTS says is wrong with device `id`; 0 for nothing.
int fault_of(int id) {
    const char *text = std::getenv(DEVICE_SIM_FAULTS);
    std::istringstream faults(text == nullptr ? "" : text);
    for (std::string part; std::getline(faults, part, ',');) {
        const int fault = fault_in(part, id, text);
        if (fault != 0) return fault;
    }
    return 0;
}

}  // namespace

SimKernel::SimKernel(const std::string &library_path, const std::string &symbol) : name_(symbol) {
    // dlopen would look for a name without a slash in the system's folders
    const std::string path = library_path.find('/') == std::string::npos ? "./" + library_path : library_path;
    library_.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (library_ == nullptr) {
        throw Failure(DEVICE_KERNEL_LOAD, std::string("the kernel library cannot be loaded: ") + dlerror());
    }
    function_ = reinterpret_cast<Function>(dlsym(library_.get(), symbol.c_str()));
    if (function_ == nullptr) {
        throw Failure(DEVICE_KERNEL_LOAD, "there is no kernel \"" + symbol + "\" in " + library_path +
                                              "; is it declared with RANKUNIT_KERNEL?");
    }
}

void SimKernel::launch(const uint64_t *args, int nargs) const {
    const int result = function_(args, nargs);
    if (result != 0) {
        throw Failure(DEVICE_KERNEL_FAILED, "kernel \"" + name_ + "\" returned " + std::to_string(result));
    }
}

void SimKernel::Close::operator()(void *library) const {
    dlclose(library);
}

SimDevice::SimDevice(int id) : fault_(fault_of(id)) {
    while (fault_ == kHang) pause();
    if (fault_ == kSetupError) check_fault();
}

void SimDevice::check_fault() const {
    if (fault_ != 0) {
        throw Failure(fault_, "error " + std::to_string(fault_) + ", which " DEVICE_SIM_FAULTS " gives to this device");
    }
}

SimDevice::~SimDevice() {
    for (const uint64_t address : allocations_) release(address);
    for (const uint64_t address : adopted_) MemoryMap::of_process().remove(address, [] {});
}

uint64_t SimDevice::allocate(size_t bytes) {
    if (bytes == 0) throw Failure(DEVICE_INVALID_ARGUMENT, "size = 0; at least 1 byte must be asked for");
    const auto out_of_memory = [bytes] {
        return Failure(DEVICE_OUT_OF_MEMORY, "there is no device memory for " + std::to_string(bytes) + " bytes");
    };
    if (bytes > SIZE_MAX - kAlignment) throw out_of_memory();
    void *memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    if (memory == nullptr) throw out_of_memory();
    const auto address = reinterpret_cast<uint64_t>(memory);
    const std::lock_guard<std::mutex> lock(mutex_);
    allocations_.insert(address);
    MemoryMap::of_process().add(address, bytes);
    return address;
}

void SimDevice::free(uint64_t address) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (allocations_.erase(address) == 0) {
        char text[96];
        std::snprintf(text, sizeof(text), "address 0x%llx is not the start of memory of this device",
                      static_cast<unsigned long long>(address));
        throw Failure(DEVICE_BAD_ADDRESS, text);
    }
    release(address);
}

void SimDevice::adopt(uint64_t address, size_t bytes) {
    if (address == 0 || bytes == 0 || bytes > UINT64_MAX - address) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "address = " + std::to_string(address) +
                                                   ", size = " + std::to_string(bytes) + ": not a range of memory");
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    MemoryMap::of_process().add(address, bytes);
    adopted_.insert(address);
}

void SimDevice::disown(uint64_t address) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (adopted_.erase(address) == 0) {
        throw Failure(DEVICE_BAD_ADDRESS, "address " + std::to_string(address) + " was not adopted");
    }
    MemoryMap::of_process().remove(address, [] {});
}

SimKernel *SimDevice::load(const std::string &library_path, const std::string &symbol) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return &kernels_.emplace_back(library_path, symbol);
}

}  // namespace rankunit::sim
