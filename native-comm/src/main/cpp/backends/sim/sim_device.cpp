#include "backends/sim/sim_device.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <sstream>
#include <utility>

#include "device/cores/accesses.h"
#include "device/host_memory.h"
#include "rankunit/device.h"
#include "record/work.h"
#include "support/failure.h"
#include "support/load_error.h"
#include "support/unwinding.h"

namespace rankunit::sim {
namespace {

constexpr int kSetupError = 507033;
constexpr int kHang = -1;
constexpr uint32_t kBlockKernelAbi = 2;

// The fault of device `id` in a part such as "3:507015"; 0 if the part names another device.
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

// The fault that DEVICE_SIM_FAULTS assigns to device `id`; 0 if none.
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

SimKernel::SimKernel(const std::string &library_path, const std::string &symbol)
    : function_{symbol, nullptr, nullptr, {}} {
    // dlopen would search the system's folders for a name without a slash
    const std::string path = library_path.find('/') == std::string::npos ? "./" + library_path : library_path;
    library_.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (library_ == nullptr) {
        throw Failure(DEVICE_KERNEL_LOAD, "the kernel library cannot be loaded: " + load_error(path));
    }
    // also for a plain kernel, which may throw exceptions of its own
    prepare_unwinding(library_.get());
    function_.tells = device::listen_to(library_.get());
    void *const found = dlsym(library_.get(), symbol.c_str());
    if (found == nullptr) {
        throw Failure(DEVICE_KERNEL_LOAD, "there is no kernel \"" + symbol + "\" in " + library_path +
                                              "; is it declared with RANKUNIT_KERNEL or RANKUNIT_BLOCK_KERNEL?");
    }
    if (const void *const kind = dlsym(library_.get(), "rankunit_core_kind")) {
        function_.only = *static_cast<const uint32_t *>(kind) == KERNEL_CORE_CUBE ? device::CoreKind::kCube
                                                                                  : device::CoreKind::kVector;
    }
    const void *const abi = dlsym(library_.get(), (symbol + "_kernel_abi").c_str());
    if (abi == nullptr) {
        function_.plain = reinterpret_cast<int (*)(const uint64_t *, int)>(found);
        return;
    }
    const uint32_t version = *static_cast<const uint32_t *>(abi);
    if (version != kBlockKernelAbi) {
        throw Failure(DEVICE_KERNEL_LOAD, "kernel \"" + symbol + "\" in " + library_path + " has version " +
                                              std::to_string(version) + " of the kernel ABI, and this simulator has " +
                                              std::to_string(kBlockKernelAbi) + "; compile it with this kernel.h");
    }
    function_.in_blocks = reinterpret_cast<int (*)(const KernelEnv *, const uint64_t *, int)>(found);
}

void SimKernel::Close::operator()(void *library) const {
    dlclose(library);
}

SimDevice::SimDevice(int id) : fault_(fault_of(id)) {
    while (fault_ == kHang) pause();
    if (fault_ == kSetupError) check_fault();
    make_cores(device::CoreLayout::a2a3());
}

SimDevice::~SimDevice() {
    if (shakes_.load()) shake::end();
    cores_->interruption.interrupt(DEVICE_ABORTED, "the device was closed");
    end_streams_and_graphs();
    free_all();
}

// In this order: graphs run on streams.
void SimDevice::end_streams_and_graphs() {
    streams_.reset();
    graphs_.reset();
}

void SimDevice::make_cores(const device::CoreLayout &layout) {
    end_streams_and_graphs();
    cores_ = std::make_unique<device::Cores>(layout);
    streams_ = std::make_unique<SimStreams>(*this, *cores_);
    graphs_ = std::make_unique<graph::GraphEngine>(
        *this, *cores_,
        [](const device::Kernel &kernel) -> const device::KernelFunction & {
            return static_cast<const SimKernel &>(kernel).function();
        },
        graph::GraphEngine::OnStreams{
            [this](uint32_t stream, uint32_t graph, std::function<void()> run, std::function<std::string()> text) {
                StreamWork work{std::move(run), std::move(text), nullptr, record::kGraphWork};
                work.graph = graph;
                streams_->put(stream, std::move(work));
            },
            [this](uint32_t graph) { streams_->throw_if_untold_of(graph); }});
}

void SimDevice::set_platform(const std::string &platform) {
    if (platform == "a2a3sim") {
        make_cores(device::CoreLayout::a2a3());
    } else if (platform == "a5sim") {
        make_cores(device::CoreLayout::a5());
    } else {
        throw Failure(DEVICE_INVALID_ARGUMENT, "platform = \"" + platform + "\" is neither a2a3sim nor a5sim");
    }
}

void SimDevice::record(const std::string &path, const std::string &order_path, uint64_t capacity) {
    const std::lock_guard<std::mutex> lock(recording_mutex_);
    auto made = std::make_unique<record::Recording>(path, order_path, capacity);
    recording_ = std::move(made);
}

void SimDevice::shake(shake::Strategy strategy, uint64_t seed) {
    shake::begin(strategy, seed);
    shakes_.store(strategy != shake::Strategy::kOff);
}

void SimDevice::shake_group(const std::string &path, int rank, int nranks) {
    shake::share_order(path, rank, nranks);
}

shake::Result SimDevice::end_shaking(const std::string &path) {
    if (!shakes_.exchange(false)) throw Failure(DEVICE_INVALID_ARGUMENT, "nothing is shaken: call device_shake before");
    return shake::end(path);
}

void SimDevice::check_fault() const {
    if (fault_ != 0) {
        throw Failure(fault_, "error " + std::to_string(fault_) + ", which " DEVICE_SIM_FAULTS " gives to this device");
    }
}

void SimDevice::launch(device::Kernel &kernel, const uint64_t *args, int nargs, const device::LaunchShape &shape) {
    if (shape.stream != nullptr) {
        throw Failure(DEVICE_NOT_SUPPORTED, "the simulator has no streams of a vendor; use those of rankunit/stream.h");
    }
    check_fault();
    const device::KernelFunction &function = static_cast<const SimKernel &>(kernel).function();
    if (shape.blocks > 1) device::require_launch(function, shape.blocks, STREAM_CORES_VECTOR);
    record::RecordedWork recorded(function.name);
    record::arguments(args, static_cast<size_t>(nargs));
    const std::string place = record::place_text();
    const device::RunsWithin within(&place);
    if (shape.blocks == 1) {
        device::run_block(function, args, nargs, device::BlockPlace{}, cores_->layout, cores_->interruption, false);
    } else {
        device::run_launch({function, {args, args + nargs}, shape.blocks, STREAM_CORES_VECTOR}, *cores_);
    }
    recorded.succeeded();
}

void *SimDevice::make_memory(size_t bytes) {
    const std::lock_guard<std::mutex> lock(memory_mutex_);
    // Pages are allocated on first access, and if that fails the process is killed.
    const std::optional<device::MemoryBound> exceeded = device::exceeded_bound(held_ + bytes);
    if (exceeded.has_value()) {
        throw Failure(DEVICE_OUT_OF_MEMORY, "there is no device memory for " + std::to_string(bytes) + " bytes, with " +
                                                std::to_string(held_) + " bytes that are taken: " + exceeded->reason +
                                                " is " + std::to_string(exceeded->bytes) + " bytes");
    }
    for (const bool again : {false, true}) {
        try {
            if (again) retired_.release_all();
            device::GuardedMemory memory(bytes, kAlignment);
            held_ += memory.bytes();
            void *const address = memory.base();
            memory_.emplace(address, std::move(memory));
            return address;
        } catch (const std::bad_alloc &) {
            // the second time without the addresses that are kept
        }
    }
    return nullptr;
}

void SimDevice::free_memory(void *memory) {
    const std::lock_guard<std::mutex> lock(memory_mutex_);
    const auto found = memory_.find(memory);
    held_ -= found->second.bytes();
    retired_.add(std::move(found->second).release());
    memory_.erase(found);
}

void SimDevice::zero_bytes(void *memory, size_t bytes) {
    std::memset(memory, 0, bytes);
}

void SimDevice::copy_bytes(void *target, const void *source, size_t bytes, Way /*way*/) {
    std::memmove(target, source, bytes);
}

std::unique_ptr<device::Kernel> SimDevice::make_kernel(const std::string &library_path, const std::string &symbol) {
    return std::make_unique<SimKernel>(library_path, symbol);
}

}  // namespace rankunit::sim

std::unique_ptr<rankunit::device::Device> rankunit::device::make_device(int id) {
    if (id < 0) throw Failure(DEVICE_INVALID_ARGUMENT, "id = " + std::to_string(id) + " is negative");
    return std::make_unique<rankunit::sim::SimDevice>(id);
}
