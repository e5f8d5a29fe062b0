// The simulator's device: memory of the process, kernels that are functions of shared libraries, and cores to run them.
#ifndef RANKUNIT_BACKENDS_SIM_SIM_DEVICE_H
#define RANKUNIT_BACKENDS_SIM_SIM_DEVICE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "backends/sim/stream/sim_streams.h"
#include "device/cores/launch.h"
#include "device/cores/running.h"
#include "device/device.h"
#include "device/guarded_pages.h"
#include "graph/graph_engine.h"
#include "record/record.h"

namespace rankunit::sim {

// A function in a shared library, which stays loaded as long as this object lives.
class SimKernel : public device::Kernel {
public:
    SimKernel(const std::string &library_path, const std::string &symbol);

    const device::KernelFunction &function() const { return function_; }

private:
    struct Close {
        void operator()(void *library) const;
    };

    std::unique_ptr<void, Close> library_;
    device::KernelFunction function_;
};

class SimDevice : public device::Device {
public:
    explicit SimDevice(int id);
    // Ends the waits of its streams and graphs, and waits for kernels that run in them.
    ~SimDevice() override;

    void launch(device::Kernel &kernel, const uint64_t *args, int nargs, const device::LaunchShape &shape) override;
    void synchronize() override { check_fault(); }
    std::string describe() const override { return "a device of the simulator"; }
    device::StreamEngine &streams() override { return *streams_; }
    graph::GraphEngine &graphs() override { return *graphs_; }
    void set_platform(const std::string &platform) override;
    void record(const std::string &path, const std::string &order_path, uint64_t capacity) override;
    void note_running(const std::string &path) override { device::note_running(path); }
    void shake(shake::Strategy strategy, uint64_t seed) override;
    void shake_group(const std::string &path, int rank, int nranks) override;
    shake::Result end_shaking(const std::string &path) override;

    // Throws the vendor error that DEVICE_SIM_FAULTS assigns to this device, if any.
    void check_fault() const;

protected:
    void *make_memory(size_t bytes) override;
    void free_memory(void *memory) override;
    void zero_bytes(void *memory, size_t bytes) override;
    void copy_bytes(void *target, const void *source, size_t bytes, Way way) override;
    std::unique_ptr<device::Kernel> make_kernel(const std::string &library_path, const std::string &symbol) override;

private:
    void end_streams_and_graphs();
    void make_cores(const device::CoreLayout &layout);

    const int fault_;
    std::mutex memory_mutex_;
    uint64_t held_ = 0;                               // allocated bytes
    std::map<void *, device::GuardedMemory> memory_;  // by its address
    device::RetiredPages retired_;
    std::mutex recording_mutex_;
    std::unique_ptr<record::Recording> recording_;
    std::atomic<bool> shakes_{false};
    std::unique_ptr<device::Cores> cores_;
    std::unique_ptr<SimStreams> streams_;
    std::unique_ptr<graph::GraphEngine> graphs_;
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_BACKENDS_SIM_SIM_DEVICE_H
