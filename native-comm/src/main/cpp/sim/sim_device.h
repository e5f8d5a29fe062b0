// The simulator's device: memory of the process, and kernels that are functions of shared libraries.
#ifndef RANKUNIT_SIM_SIM_DEVICE_H
#define RANKUNIT_SIM_SIM_DEVICE_H

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace rankunit::sim {

// A function in a shared library, which stays loaded as long as this object lives.
class SimKernel {
public:
    SimKernel(const std::string &library_path, const std::string &symbol);

    // Throws if the kernel returns another value than 0.
    void launch(const uint64_t *args, int nargs) const;

private:
    using Function = int (*)(const uint64_t *, int);
    struct Close {
        void operator()(void *library) const;
    };

    std::string name_;
    std::unique_ptr<void, Close> library_;
    Function function_;
};

// Owns the memory and the kernels made through it. Safe for threads.
class SimDevice {
public:
    explicit SimDevice(int id);
    SimDevice(const SimDevice &) = delete;
    SimDevice &operator=(const SimDevice &) = delete;
    ~SimDevice();

    uint64_t allocate(size_t bytes);
    void free(uint64_t address);
    void adopt(uint64_t address, size_t bytes);
    void disown(uint64_t address);
    SimKernel *load(const std::string &library_path, const std::string &symbol);

    // Throws the vendor error that this device was told to have, if any.
    void check_fault() const;

private:
    const int fault_;
    std::mutex mutex_;
    std::set<uint64_t> allocations_;
    std::set<uint64_t> adopted_;
    std::list<SimKernel> kernels_;
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_SIM_SIM_DEVICE_H
