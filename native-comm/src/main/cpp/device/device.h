// A device of any backend. This part tracks the ownership of memory; the backend performs the operations on it.
#ifndef RANKUNIT_DEVICE_DEVICE_H
#define RANKUNIT_DEVICE_DEVICE_H

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "shake/shake.h"

namespace rankunit::graph {
class GraphEngine;
}

namespace rankunit::device {

// A loaded kernel; lives as long as its device.
class Kernel {
public:
    virtual ~Kernel() = default;
};

class StreamEngine;

// How a kernel is launched.
struct LaunchShape {
    uint32_t blocks = 1;
    void *stream = nullptr;  // the device's own if null
};

// See rankunit/device.h for the contract. Owns the memory and the kernels made through it. Failures are thrown.
// Thread-safe, so each backend's part must be thread-safe too.
class Device {
public:
    Device() = default;
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;
    virtual ~Device() = default;

    uint64_t allocate(size_t bytes);
    void free(uint64_t address);
    void adopt(uint64_t address, size_t bytes);
    void disown(uint64_t address);
    void zero(uint64_t address, size_t bytes);
    void copy_in(uint64_t target, const void *source, size_t bytes);
    void copy_out(void *target, uint64_t source, size_t bytes);
    void copy(uint64_t target, uint64_t source, size_t bytes);
    Kernel *load(const std::string &library_path, const std::string &symbol);

    // Whether the address lies in memory that this device has allocated, and not in a window, nor adopted.
    bool owns(uint64_t address) const;
    // The kernel that a caller's handle means; null if it is none of this device.
    const Kernel *find_kernel(const void *handle) const;

    virtual void launch(Kernel &kernel, const uint64_t *args, int nargs, const LaunchShape &shape) = 0;
    virtual void synchronize() = 0;
    // Throws DEVICE_NOT_SUPPORTED if this backend has no streams.
    virtual StreamEngine &streams();
    // Throws DEVICE_NOT_SUPPORTED if this backend has no task graphs.
    virtual graph::GraphEngine &graphs();
    // For simulators: chooses the cores and the on-chip memory of this platform. Throws DEVICE_NOT_SUPPORTED elsewhere.
    virtual void set_platform(const std::string &platform);
    // Records what this device does into a file from now on. Throws DEVICE_NOT_SUPPORTED if this backend does not.
    virtual void record(const std::string &path, const std::string &order_path, uint64_t capacity);
    // Notes which kernels run into a file from now on. Throws DEVICE_NOT_SUPPORTED if this backend does not.
    virtual void note_running(const std::string &path);
    // Shakes the schedule of this process from now on. Throw DEVICE_NOT_SUPPORTED if this backend does not.
    virtual void shake(shake::Strategy strategy, uint64_t seed);
    virtual void shake_group(const std::string &path, int rank, int nranks);
    virtual shake::Result end_shaking(const std::string &path);
    virtual void *stream() const { return nullptr; }
    // Waits for what was launched outside of streams. Throws its failure, unless a call has thrown it before.
    virtual void end_launches() {}
    virtual std::string describe() const = 0;

protected:
    enum class Way { kIn, kOut, kAcross };

    // Called before memory is touched or freed.
    virtual void settle() {}
    // Allocates at least 1 byte, aligned to 64; returns null if there is no room.
    virtual void *make_memory(size_t bytes) = 0;
    virtual void free_memory(void *memory) = 0;
    // Called with at least 1 byte; device addresses have been checked.
    virtual void zero_bytes(void *memory, size_t bytes) = 0;
    virtual void copy_bytes(void *target, const void *source, size_t bytes, Way way) = 0;
    virtual std::unique_ptr<Kernel> make_kernel(const std::string &library_path, const std::string &symbol) = 0;

    // Frees kernels and memory; never fails. For the destructor of each backend's class, where its virtual functions
    // can still be called.
    void free_all() noexcept;

    static constexpr size_t kAlignment = 512;

private:
    mutable std::mutex mutex_;
    std::set<uint64_t> allocations_;
    std::set<uint64_t> adopted_;
    std::list<std::unique_ptr<Kernel>> kernels_;
};

// Each backend with devices defines this function. `id` comes from the caller and has not been checked.
std::unique_ptr<Device> make_device(int id);

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_DEVICE_H
