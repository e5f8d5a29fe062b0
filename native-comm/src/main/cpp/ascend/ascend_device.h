// One device, by way of the vendor's runtime. Exercised on an emulator of that runtime only, never on a real device.
#ifndef RANKUNIT_ASCEND_ASCEND_DEVICE_H
#define RANKUNIT_ASCEND_ASCEND_DEVICE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <set>
#include <string>

#include "ascend/vendor_api.h"

namespace rankunit::ascend {

// A kernel in a binary that is loaded on a device.
class AscendKernel {
public:
    AscendKernel(int device, const std::string &library_path, const std::string &symbol);
    AscendKernel(const AscendKernel &) = delete;
    AscendKernel &operator=(const AscendKernel &) = delete;
    ~AscendKernel();

    void launch(const uint64_t *args, int nargs, aclrtStream stream) const;

private:
    std::string call(const char *function) const;

    const int device_;
    const std::string name_;
    aclrtBinHandle binary_ = nullptr;
    aclrtFuncHandle function_ = nullptr;
};

// Owns a stream, and the memory and the kernels made through it. Safe for threads: each call makes the device's context
// that of the calling thread, whatever the thread had before.
//
// What is launched runs on its own; a copy, like each other call that touches memory, first waits for it, so that a
// program sees the same here and in the simulator.
class AscendDevice {
public:
    explicit AscendDevice(int id);
    AscendDevice(const AscendDevice &) = delete;
    AscendDevice &operator=(const AscendDevice &) = delete;
    // Never fails: what a broken device does not take back ends with the process.
    ~AscendDevice();

    uint64_t allocate(size_t bytes);
    void free(uint64_t address);
    void adopt(uint64_t address, size_t bytes);
    void disown(uint64_t address);
    void zero(uint64_t address, size_t bytes);
    void copy_in(uint64_t target, const void *source, size_t bytes);
    void copy_out(void *target, uint64_t source, size_t bytes);
    void copy(uint64_t target, uint64_t source, size_t bytes);

    AscendKernel *load(const std::string &library_path, const std::string &symbol);
    void launch(const AscendKernel &kernel, const uint64_t *args, int nargs);
    void synchronize();

    // Chip and CANN, for people.
    std::string describe() const;

    int id() const { return id_; }
    aclrtStream stream() const { return stream_; }

private:
    void make_current();
    void settle();
    void copy_bytes(void *target, const void *source, size_t bytes, aclrtMemcpyKind kind);
    void end_stream();

    const int id_;
    aclrtContext context_ = nullptr;
    aclrtStream stream_ = nullptr;
    std::atomic<bool> pending_{false};  // something was launched and not waited for
    std::mutex mutex_;
    std::set<uint64_t> allocations_;
    std::set<uint64_t> adopted_;
    std::list<AscendKernel> kernels_;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_ASCEND_ASCEND_DEVICE_H
