// One device, by way of the vendor's runtime. Exercised on an emulator of that runtime only, never on a real device.
#ifndef RANKUNIT_BACKENDS_ASCEND_ASCEND_DEVICE_H
#define RANKUNIT_BACKENDS_ASCEND_ASCEND_DEVICE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "backends/ascend/launch/kernel_binary.h"
#include "backends/ascend/stream/ascend_streams.h"
#include "backends/ascend/vendor/vendor_api.h"
#include "device/device.h"

namespace rankunit::ascend {

// A kernel in a binary that is loaded on a device.
class AscendKernel : public device::Kernel {
public:
    AscendKernel(int device, const std::string &library_path, const std::string &symbol);
    AscendKernel(const AscendKernel &) = delete;
    AscendKernel &operator=(const AscendKernel &) = delete;
    ~AscendKernel() override;

    const std::string &name() const { return name_; }

    void launch(const uint64_t *args, int nargs, uint32_t blocks, aclrtStream stream) const;
    // Throws DEVICE_INVALID_ARGUMENT if it is known to be built for other cores. The runtime runs it on those that it
    // was built for, whatever a launch says.
    void require_cores(BlockCores cores) const;

private:
    void load_for(uint32_t magic, const KernelBinary &binary);
    std::string call(const char *function) const;

    const int device_;
    const std::string name_;
    std::optional<BlockCores> cores_;
    aclrtBinHandle binary_ = nullptr;
    aclrtFuncHandle function_ = nullptr;
};

// Owns a stream of its own, and those of rankunit/stream.h. Each call makes the device's context that of the calling
// thread, whatever the thread had before.
//
// What is launched runs on its own; a copy, like each other call that touches memory, first waits for it, so that a
// program sees the same here and in the simulator.
class AscendDevice : public device::Device {
public:
    explicit AscendDevice(int id);
    // Never fails: what a broken device does not take back ends with the process.
    ~AscendDevice() override;

    void launch(device::Kernel &kernel, const uint64_t *args, int nargs, const device::LaunchShape &shape) override;
    void synchronize() override;
    void *stream() const override { return stream_; }
    device::StreamEngine &streams() override { return *streams_; }
    void end_launches() override;
    // Chip and CANN.
    std::string describe() const override;

protected:
    void settle() override;
    void *make_memory(size_t bytes) override;
    void free_memory(void *memory) override;
    void zero_bytes(void *memory, size_t bytes) override;
    void copy_bytes(void *target, const void *source, size_t bytes, Way way) override;
    std::unique_ptr<device::Kernel> make_kernel(const std::string &library_path, const std::string &symbol) override;

private:
    void make_current();
    void end_stream();

    const int id_;
    aclrtContext context_ = nullptr;
    aclrtStream stream_ = nullptr;
    std::unique_ptr<AscendStreams> streams_;
    std::atomic<bool> pending_{false};  // something was launched and not waited for
    std::atomic<bool> told_{false};     // that it failed
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_ASCEND_DEVICE_H
