// What the tests of task graphs share.
#ifndef RANKUNIT_TEST_GRAPH_SUPPORT_H
#define RANKUNIT_TEST_GRAPH_SUPPORT_H

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/check.h"
#include "rankunit/graph.h"
#include "rankunit/kernel.h"

namespace rankunit::test {

class GraphDevice {
public:
    GraphDevice() { CHECK_EQUAL(device_open(0, &handle_), DEVICE_OK); }
    GraphDevice(const GraphDevice &) = delete;
    GraphDevice &operator=(const GraphDevice &) = delete;
    ~GraphDevice() { device_close(handle_); }

    DeviceHandle get() const { return handle_; }

    // Zeros.
    uint64_t allocate(size_t bytes) const {
        uint64_t address = 0;
        CHECK_EQUAL(device_malloc(handle_, bytes, &address), DEVICE_OK);
        CHECK_EQUAL(device_zero(handle_, address, bytes), DEVICE_OK);
        return address;
    }

    uint64_t word(uint64_t address) const {
        uint64_t value = 0;
        CHECK_EQUAL(device_copy_out(handle_, &value, address, sizeof(value)), DEVICE_OK);
        return value;
    }

    void set_word(uint64_t address, uint64_t value) const {
        CHECK_EQUAL(device_copy_in(handle_, address, &value, sizeof(value)), DEVICE_OK);
    }

private:
    DeviceHandle handle_ = nullptr;
};

inline void check_status(const char *file, int line, int status) {
    if (status != DEVICE_OK) failed(file, line, std::to_string(status) + ": " + device_last_error());
}
#define CHECK_STATUS(call) rankunit::test::check_status(__FILE__, __LINE__, call)

// A graph of a device, with kernels of graph_kernels.cpp.
class TestGraph {
public:
    TestGraph(const GraphDevice &device, GraphRuntime runtime, const char *name = "g") : device_(device.get()) {
        CHECK_EQUAL(graph_create(device_, runtime, name, &number_), DEVICE_OK);
    }

    uint32_t number() const { return number_; }

    uint32_t kernel(const char *name, StreamCores cores = STREAM_CORES_VECTOR, int32_t nargs = -1) {
        const std::string known = name + std::to_string(cores);
        if (const auto found = kernels_.find(known); found != kernels_.end()) return found->second;
        KernelHandle handle = nullptr;
        CHECK_EQUAL(device_load_kernel(device_, TEST_GRAPH_KERNELS, name, &handle), DEVICE_OK);
        uint32_t number = 0;
        const std::string of_graph = cores == STREAM_CORES_VECTOR ? name : known;
        CHECK_EQUAL(graph_add_kernel(device_, number_, handle, cores, nargs, of_graph.c_str(), &number), DEVICE_OK);
        return kernels_[known] = number;
    }

    // All arguments are scalars.
    uint32_t task(uint32_t kernel, const std::vector<uint64_t> &values, const char *name = "", uint32_t blocks = 1) {
        std::vector<uint64_t> words;
        for (const uint64_t value : values) words.insert(words.end(), {GRAPH_SCALAR, value, 0});
        return declared_task(kernel, words, name, blocks);
    }

    // Each argument has its GRAPH_ARGUMENT_WORDS words.
    uint32_t declared_task(uint32_t kernel, const std::vector<uint64_t> &words, const char *name, uint32_t blocks = 1) {
        uint32_t task = 0;
        CHECK_STATUS(graph_add_task(device_, number_, kernel, blocks, name, words.data(),
                                    words.size() / GRAPH_ARGUMENT_WORDS, &task));
        return task;
    }

    uint32_t task(const char *kernel, const std::vector<uint64_t> &values, const char *name = "") {
        return task(this->kernel(kernel), values, name);
    }

    void edge(uint32_t before, uint32_t after) { CHECK_STATUS(graph_add_edge(device_, number_, before, after)); }

    void wait(uint32_t task, uint64_t cell, int32_t at_least) {
        CHECK_STATUS(graph_add_wait(device_, number_, task, cell, 1, 1, 4, KERNEL_GE, at_least));
    }

    void set(GraphSetting setting, uint64_t value) { CHECK_STATUS(graph_set(device_, number_, setting, value)); }

    void orchestrate(const char *symbol) {
        for (const char *used :
             {"do_nothing", "stamp", "add", "scale_and_add_one", "sum", "mix", "signal_cell", "wait_for_cell"}) {
            kernel(used);
        }
        kernel("put", STREAM_CORES_VECTOR, 2);
        CHECK_STATUS(graph_set_orchestration(device_, number_, TEST_GRAPH_KERNELS, symbol));
    }

    int run(const std::vector<uint64_t> &args = {}, int64_t timeout_ms = 60'000) {
        return graph_run(device_, number_, args.data(), static_cast<int32_t>(args.size()), timeout_ms);
    }

    void run_well(const std::vector<uint64_t> &args = {}) { CHECK_STATUS(run(args)); }

    uint32_t count(GraphCount count) {
        uint32_t value = 0;
        CHECK_STATUS(graph_count(device_, number_, count, &value));
        return value;
    }

private:
    DeviceHandle device_;
    uint32_t number_ = 0;
    std::map<std::string, uint32_t> kernels_;
};

// Device memory for the kernel "stamp": a clock, then begin, end and runs of each task.
class Stamps {
public:
    Stamps(const GraphDevice &device, uint64_t tasks) : device_(device), address_(device.allocate(8 + 24 * tasks)) {}

    uint64_t address() const { return address_; }
    std::vector<uint64_t> args(uint64_t task) const {
        const uint64_t words = address_ + 8 + 24 * task;
        return {address_, words, words + 8, words + 16};
    }
    uint64_t begin(uint64_t task) const { return device_.word(address_ + 8 + 24 * task); }
    uint64_t end(uint64_t task) const { return device_.word(address_ + 16 + 24 * task); }
    uint64_t runs(uint64_t task) const { return device_.word(address_ + 24 + 24 * task); }

private:
    const GraphDevice &device_;
    const uint64_t address_;
};

inline std::string last_error() {
    return device_last_error();
}

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_GRAPH_SUPPORT_H
