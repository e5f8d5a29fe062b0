// The simulator's face to rankunit/device.h.
#include <cstring>
#include <string>

#include "host/memory_map.h"
#include "rankunit/device.h"
#include "sim/sim_device.h"
#include "support/failure.h"

using rankunit::ErrorText;
using rankunit::Failure;
using rankunit::host::MemoryMap;
using rankunit::sim::SimDevice;
using rankunit::sim::SimKernel;

struct DeviceHandle_ {
    explicit DeviceHandle_(int id) : device(id) {}
    SimDevice device;
};

namespace {

thread_local ErrorText last_error;

template <typename Body>
int guarded(Body body) noexcept {
    return rankunit::guarded(last_error, DEVICE_OUT_OF_MEMORY, DEVICE_SYSTEM, body);
}

SimDevice &require(DeviceHandle device) {
    if (device == nullptr) throw Failure(DEVICE_INVALID_ARGUMENT, "the device's handle is NULL");
    return device->device;
}

void require_pointer(const void *pointer, const char *name) {
    if (pointer == nullptr) throw Failure(DEVICE_INVALID_ARGUMENT, std::string(name) + " is NULL");
}

void *pointer(uint64_t address) {
    return reinterpret_cast<void *>(address);
}

}  // namespace

int device_open(int id, DeviceHandle *device_out) {
    return guarded([&] {
        require_pointer(device_out, "device_out");
        *device_out = nullptr;
        if (id < 0) throw Failure(DEVICE_INVALID_ARGUMENT, "id = " + std::to_string(id) + " is negative");
        *device_out = new DeviceHandle_(id);
    });
}

int device_close(DeviceHandle device) {
    return guarded([&] {
        require(device);
        delete device;
    });
}

int device_malloc(DeviceHandle device, size_t size, uint64_t *address_out) {
    return guarded([&] {
        require_pointer(address_out, "address_out");
        *address_out = require(device).allocate(size);
    });
}

int device_free(DeviceHandle device, uint64_t address) {
    return guarded([&] { require(device).free(address); });
}

int device_zero(DeviceHandle device, uint64_t address, size_t size) {
    return guarded([&] {
        require(device);
        MemoryMap::of_process().access(address, size, [&] { std::memset(pointer(address), 0, size); });
    });
}

int device_copy_in(DeviceHandle device, uint64_t target_address, const void *source, size_t size) {
    return guarded([&] {
        require(device);
        require_pointer(source, "source");
        MemoryMap::of_process().access(target_address, size,
                                       [&] { std::memcpy(pointer(target_address), source, size); });
    });
}

int device_copy_out(DeviceHandle device, void *target, uint64_t source_address, size_t size) {
    return guarded([&] {
        require(device);
        require_pointer(target, "target");
        MemoryMap::of_process().access(source_address, size,
                                       [&] { std::memcpy(target, pointer(source_address), size); });
    });
}

int device_copy(DeviceHandle device, uint64_t target_address, uint64_t source_address, size_t size) {
    return guarded([&] {
        require(device);
        const MemoryMap &memory = MemoryMap::of_process();
        memory.access(source_address, target_address, size,
                      [&] { std::memmove(pointer(target_address), pointer(source_address), size); });
    });
}

int device_describe(DeviceHandle device, char *text_out, size_t capacity) {
    return guarded([&] {
        require(device);
        require_pointer(text_out, "text_out");
        rankunit::copy_text("a device of the simulator", text_out, capacity);
    });
}

int device_adopt(DeviceHandle device, uint64_t address, size_t size) {
    return guarded([&] { require(device).adopt(address, size); });
}

int device_disown(DeviceHandle device, uint64_t address) {
    return guarded([&] { require(device).disown(address); });
}

int device_stream(DeviceHandle device, void **stream_out) {
    return guarded([&] {
        require(device);
        require_pointer(stream_out, "stream_out");
        *stream_out = nullptr;
    });
}

int device_load_kernel(DeviceHandle device, const char *library_path, const char *symbol, KernelHandle *kernel_out) {
    return guarded([&] {
        require_pointer(library_path, "library_path");
        require_pointer(symbol, "symbol");
        require_pointer(kernel_out, "kernel_out");
        *kernel_out = reinterpret_cast<KernelHandle>(require(device).load(library_path, symbol));
    });
}

int device_launch(DeviceHandle device, KernelHandle kernel, const uint64_t *args, int nargs) {
    return guarded([&] {
        require(device);
        require_pointer(kernel, "kernel");
        if (nargs < 0 || nargs > DEVICE_MAX_KERNEL_ARGS) {
            throw Failure(DEVICE_INVALID_ARGUMENT, "nargs = " + std::to_string(nargs) + " is not in [0, " +
                                                       std::to_string(DEVICE_MAX_KERNEL_ARGS) + "]");
        }
        if (nargs > 0) require_pointer(args, "args");
        device->device.check_fault();
        reinterpret_cast<const SimKernel *>(kernel)->launch(args, nargs);
    });
}

int device_synchronize(DeviceHandle device) {
    return guarded([&] { require(device).check_fault(); });
}

const char *device_last_error() {
    return last_error.get();
}
