#include "backends/sim/stream/sim_streams.h"

#include <cstdio>
#include <utility>

#include "backends/sim/sim_device.h"
#include "device/cores/cells.h"
#include "device/memory_map.h"
#include "device/stream/settle.h"
#include "mutate/mutation.h"
#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::sim {
namespace {

using device::MemoryMap;

std::string hex(uint64_t address) {
    char text[24];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
    return text;
}

std::string bytes_at(size_t bytes, uint64_t address) {
    return std::to_string(bytes) + " bytes at " + hex(address);
}

// Checks a range when work is put on a stream. It is checked again when the work runs: memory may be freed meanwhile.
void require_range(uint64_t address, size_t bytes, MemoryMap::Use use) {
    MemoryMap::of_process().access(address, bytes, use, [] {});
}

void require_tensors(const device::LaunchArguments &args) {
    for (size_t i = 0; i < args.uses.size(); i++) {
        const device::ArgumentUse &use = args.uses[i];
        if (use.kind == GRAPH_SCALAR) continue;
        try {
            require_range(args.values[i], use.bytes,
                          use.kind == GRAPH_IN ? MemoryMap::Use::kRead : MemoryMap::Use::kWrite);
        } catch (const Failure &failure) {
            throw Failure(failure.code(), "argument " + std::to_string(i) + ": " + failure.what());
        }
    }
}

void record_arguments(const std::vector<uint64_t> &values, const std::vector<device::ArgumentUse> &uses) {
    if (uses.empty()) record::arguments(values.data(), values.size());
    for (size_t i = 0; i < uses.size(); i++) record::argument(i, uses[i].kind, values[i], uses[i].bytes);
}

}  // namespace

uint32_t SimStreams::create_stream() {
    return streams_.add([this](uint32_t number) { return std::make_shared<SimStream>(number, cores_.interruption); });
}

void SimStreams::destroy_stream(uint32_t stream) {
    const std::shared_ptr<SimStream> found = streams_.get(stream);
    if (found->has_unfinished_work()) {
        throw Failure(DEVICE_BUSY, found->describe() + "; synchronize the stream before it is destroyed");
    }
    streams_.remove(stream);
    found->throw_if_untold();
}

void SimStreams::settle(std::chrono::milliseconds timeout) {
    device::settle(streams_.all(), timeout);
}

void SimStreams::throw_if_untold_of(uint32_t graph) {
    for (const auto &stream : streams_.all()) stream->throw_if_untold_of(graph);
}

void SimStreams::synchronize(uint32_t stream, std::chrono::milliseconds timeout) {
    if (mutate::leaves_out(mutate::kSynchronize)) return;
    streams_.get(stream)->synchronize(timeout);
}

bool SimStreams::is_done(uint32_t stream) {
    return streams_.get(stream)->is_done();
}

std::string SimStreams::describe(uint32_t stream) {
    return streams_.get(stream)->describe();
}

void SimStreams::launch(uint32_t stream, device::Kernel &kernel, device::LaunchArguments args, uint32_t blocks,
                        uint32_t cores) {
    const device::KernelFunction &function = static_cast<SimKernel &>(kernel).function();
    device::require_launch(function, blocks, cores);
    require_tensors(args);
    MemoryMap::of_process().require_not_freed(args.values.data(), args.values.size());
    device::Launch launch{function, std::move(args.values), blocks, static_cast<StreamCores>(cores)};
    streams_.get(stream)->put({[this, launch = std::move(launch), uses = std::move(args.uses)] {
                                   static_cast<SimDevice &>(device_).check_fault();
                                   record_arguments(launch.args, uses);
                                   device::run_launch(launch, cores_);
                               },
                               [&function] { return "the launch of kernel \"" + function.name + "\""; }, nullptr,
                               record::kLaunchWork, &function.name});
}

void SimStreams::zero(uint32_t stream, uint64_t address, size_t bytes) {
    require_range(address, bytes, MemoryMap::Use::kWrite);
    streams_.get(stream)->put({[this, address, bytes] { device_.zero(address, bytes); },
                               [=] { return "zeroing " + bytes_at(bytes, address); }, nullptr, record::kCopyWork});
}

void SimStreams::copy(uint32_t stream, uint64_t target, uint64_t source, size_t bytes) {
    MemoryMap::of_process().access(source, target, bytes, [] {});
    streams_.get(stream)->put({[this, target, source, bytes] { device_.copy(target, source, bytes); },
                               [=] { return "a copy of " + bytes_at(bytes, source) + " to " + hex(target); }, nullptr,
                               record::kCopyWork});
}

void SimStreams::copy_in(uint32_t stream, uint64_t target, const void *source, size_t bytes) {
    require_range(target, bytes, MemoryMap::Use::kWrite);
    streams_.get(stream)->put({[this, target, source, bytes] { device_.copy_in(target, source, bytes); },
                               [=] { return "a copy from the host to " + bytes_at(bytes, target); }, nullptr,
                               record::kCopyWork});
}

void SimStreams::copy_out(uint32_t stream, void *target, uint64_t source, size_t bytes) {
    require_range(source, bytes, MemoryMap::Use::kRead);
    streams_.get(stream)->put({[this, target, source, bytes] { device_.copy_out(target, source, bytes); },
                               [=] { return "a copy to the host of " + bytes_at(bytes, source); }, nullptr,
                               record::kCopyWork});
}

void SimStreams::signal(uint32_t stream, uint64_t cell, uint32_t signal, int32_t value) {
    if (mutate::leaves_out(mutate::kSignal)) return;
    const KernelSignal kind = device::require_signal(signal);
    device::require_cells(KernelCells{cell, 1, 1, sizeof(int32_t)});
    require_range(cell, sizeof(int32_t), MemoryMap::Use::kWrite);
    streams_.get(stream)->put({[=] { device::signal_cell(cell, kind, value); },
                               [=] { return "a signal to the cell at " + hex(cell); }, nullptr, record::kSignalWork});
}

void SimStreams::wait(uint32_t stream, const KernelCells &cells, uint32_t compare, int32_t value) {
    const KernelCompare kind = device::require_compare(compare);
    device::cells_satisfy(cells, kind, value);  // for its checks
    if (mutate::leaves_out(mutate::kCellWait)) return;
    const std::shared_ptr<SimStream> found = streams_.get(stream);
    found->put(
        {[this, cells, kind, value] { device::wait_for_cells(cells, kind, value, cores_.interruption, "it", false); },
         [=] { return "a wait for " + device::text_of(cells, kind, value); }, nullptr, record::kWaitWork});
}

uint32_t SimStreams::create_event() {
    return events_.add([](uint32_t number) {
        auto event = std::make_shared<Event>();
        event->name = "event " + std::to_string(number);
        return event;
    });
}

void SimStreams::destroy_event(uint32_t event) {
    events_.remove(event);
}

std::shared_ptr<EventPoint> SimStreams::latest_of(Event &event) {
    const std::lock_guard<std::mutex> lock(event.mutex);
    if (event.latest == nullptr) {
        throw Failure(DEVICE_INVALID_ARGUMENT, event.name + " was never recorded, so a wait for it would mean nothing");
    }
    return event.latest;
}

void SimStreams::record_event(uint32_t event, uint32_t stream) {
    const std::shared_ptr<Event> found = events_.get(event);
    const std::shared_ptr<SimStream> on = streams_.get(stream);
    const auto point = std::make_shared<EventPoint>(found->name + " of " + on->name());
    // One lock for both: of two records of an event, the later one on its stream is the one that waits mean.
    const std::lock_guard<std::mutex> lock(found->mutex);
    on->put({[] {}, [found] { return "the record of " + found->name; }, point, record::kEventRecordWork});
    found->latest = point;
}

void SimStreams::wait_for_event(uint32_t stream, uint32_t event) {
    const std::shared_ptr<Event> found = events_.get(event);
    const std::shared_ptr<EventPoint> point = latest_of(*found);
    if (mutate::leaves_out(mutate::kEventWait)) return;
    streams_.get(stream)->put({[this, point] { point->wait(cores_.interruption, cores_.interruption.timeout(), "it"); },
                               [found] { return "a wait for " + found->name; }, nullptr, record::kEventWaitWork});
}

void SimStreams::synchronize_event(uint32_t event, std::chrono::milliseconds timeout) {
    const std::shared_ptr<Event> found = events_.get(event);
    latest_of(*found)->wait(cores_.interruption, timeout, "the host");
}

bool SimStreams::is_event_done(uint32_t event) {
    return latest_of(*events_.get(event))->is_seen_reached();
}

uint32_t SimStreams::create_notify() {
    return notifies_.add([this](uint32_t number) { return cells_.make("notify " + std::to_string(number)); });
}

void SimStreams::destroy_notify(uint32_t notify) {
    const std::shared_ptr<SimNotify> found = notifies_.get(notify);
    notifies_.remove(notify);
    if (found->is_owned()) cells_.free(*found);
}

void SimStreams::post_notify(uint32_t stream, uint32_t notify) {
    const std::shared_ptr<SimNotify> found = notifies_.get(notify);
    if (mutate::leaves_out(mutate::kNotifyPost)) return;
    streams_.get(stream)->put({[found] { found->post(); }, [found] { return "the post of " + found->name(); }, nullptr,
                               record::kNotifyPostWork});
}

void SimStreams::wait_for_notify(uint32_t stream, uint32_t notify) {
    const std::shared_ptr<SimNotify> found = notifies_.get(notify);
    if (!found->is_owned()) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      found->name() + " was imported: only the device that created it may wait for it");
    }
    if (mutate::leaves_out(mutate::kNotifyWait)) return;
    streams_.get(stream)->put({[this, found] { found->wait(cores_.interruption, "it"); },
                               [found] { return "a wait for " + found->name(); }, nullptr, record::kNotifyWaitWork});
}

std::string SimStreams::export_notify(uint32_t notify) {
    const std::shared_ptr<SimNotify> found = notifies_.get(notify);
    if (!found->is_owned()) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      found->name() + " was imported: only the device that created it can export it");
    }
    return cells_.key_of(*found);
}

uint32_t SimStreams::import_notify(const std::string &key) {
    return notifies_.add(
        [&key](uint32_t number) { return NotifyCells::import("notify " + std::to_string(number), key); });
}

void SimStreams::set_timeout(std::chrono::milliseconds timeout) {
    cores_.interruption.set_timeout_ms(timeout.count());
}

void SimStreams::abort(const std::string &reason) {
    cores_.interruption.interrupt(DEVICE_ABORTED, "aborted: " + reason);
}

}  // namespace rankunit::sim
