#include "backends/ascend/stream/ascend_streams.h"

#include <cstdio>
#include <cstring>
#include <utility>

#include "backends/ascend/ascend_device.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "device/memory_map.h"
#include "device/stream/settle.h"
#include "rankunit/device.h"

namespace rankunit::ascend {
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

void *pointer(uint64_t address) {
    return reinterpret_cast<void *>(address);
}

// The device does not check addresses again when the work runs.
void require_range(uint64_t address, size_t bytes, MemoryMap::Use use) {
    MemoryMap::of_process().access(address, bytes, use, [] {});
}

BlockCores block_cores(uint32_t cores) {
    switch (cores) {
        case STREAM_CORES_VECTOR:
            return BlockCores::kVector;
        case STREAM_CORES_CUBE:
            return BlockCores::kCube;
        default:
            return BlockCores::kMixed;
    }
}

[[noreturn]] void refuse_cells(const char *function) {
    throw Failure(DEVICE_NOT_SUPPORTED, std::string(function) +
                                            ": on this platform kernels signal and wait (TNOTIFY, TWAIT), streams do "
                                            "not. Launch a kernel that does it, or use an event or a notify");
}

}  // namespace

AscendStreams::~AscendStreams() {
    for (const auto &stream : streams_.all()) stream->give_up();
}

uint32_t AscendStreams::create_stream() {
    const ContextScope scope(home_);
    return streams_.add(
        [this](uint32_t number) { return std::make_shared<AscendStream>(number, home_.device, interruption_); });
}

void AscendStreams::destroy_stream(uint32_t stream) {
    const ContextScope scope(home_);
    const std::shared_ptr<AscendStream> found = streams_.get(stream);
    try {
        found->destroy();
    } catch (const Failure &failure) {
        if (failure.code() != DEVICE_BUSY) streams_.remove(stream);  // also what the vendor refuses to destroy
        throw;
    }
    streams_.remove(stream);
}

void AscendStreams::settle(milliseconds timeout) {
    const ContextScope scope(home_);
    device::settle(streams_.all(), timeout);
}

void AscendStreams::synchronize(uint32_t stream, milliseconds timeout) {
    const ContextScope scope(home_);
    streams_.get(stream)->synchronize(timeout);
}

bool AscendStreams::is_done(uint32_t stream) {
    const ContextScope scope(home_);
    return streams_.get(stream)->is_done();
}

std::string AscendStreams::describe(uint32_t stream) {
    const ContextScope scope(home_);
    return streams_.get(stream)->describe();
}

void AscendStreams::launch(uint32_t stream, device::Kernel &kernel, device::LaunchArguments args, uint32_t blocks,
                           uint32_t cores) {
    const auto &launched = static_cast<const AscendKernel &>(kernel);
    launched.require_cores(block_cores(cores));
    const ContextScope scope(home_);
    StreamWork work{"the launch of kernel \"" + launched.name() + "\"", [&](StreamCopies &on) {
                        launched.launch(args.values.data(), static_cast<int>(args.values.size()), blocks, on.stream());
                    }};
    work.may_wait = true;
    streams_.get(stream)->put(std::move(work));
}

void AscendStreams::zero(uint32_t stream, uint64_t address, size_t bytes) {
    require_range(address, bytes, MemoryMap::Use::kWrite);
    const ContextScope scope(home_);
    const std::shared_ptr<AscendStream> found = streams_.get(stream);
    if (bytes == 0) return;
    found->put({"zeroing " + bytes_at(bytes, address), [&](StreamCopies &on) { on.zero(pointer(address), bytes); }});
}

void AscendStreams::copy(uint32_t stream, uint64_t target, uint64_t source, size_t bytes) {
    MemoryMap::of_process().access(source, target, bytes, [] {});
    const ContextScope scope(home_);
    const std::shared_ptr<AscendStream> found = streams_.get(stream);
    if (bytes == 0) return;
    found->put({"a copy of " + bytes_at(bytes, source) + " to " + hex(target),
                [&](StreamCopies &on) { on.across(pointer(target), pointer(source), bytes); }});
}

void AscendStreams::copy_in(uint32_t stream, uint64_t target, const void *source, size_t bytes) {
    require_range(target, bytes, MemoryMap::Use::kWrite);
    const ContextScope scope(home_);
    const std::shared_ptr<AscendStream> found = streams_.get(stream);
    if (bytes == 0) return;
    const auto pinned = std::make_shared<PinnedMemory>(bytes, home_.device);
    std::memcpy(pinned->get(), source, bytes);
    StreamWork work{"a copy from the host to " + bytes_at(bytes, target),
                    [&](StreamCopies &on) { on.in(pointer(target), *pinned, bytes); }};
    work.uses = pinned;
    found->put(std::move(work));
}

void AscendStreams::copy_out(uint32_t stream, void *target, uint64_t source, size_t bytes) {
    require_range(source, bytes, MemoryMap::Use::kRead);
    const ContextScope scope(home_);
    const std::shared_ptr<AscendStream> found = streams_.get(stream);
    if (bytes == 0) return;
    const auto pinned = std::make_shared<PinnedMemory>(bytes, home_.device);
    StreamWork work{"a copy to the host of " + bytes_at(bytes, source),
                    [&](StreamCopies &on) { on.out(*pinned, pointer(source), bytes); }};
    work.uses = pinned;
    work.at_end = [target, pinned, bytes] { std::memcpy(target, pinned->get(), bytes); };
    found->put(std::move(work));
}

void AscendStreams::signal(uint32_t /*stream*/, uint64_t /*cell*/, uint32_t /*signal*/, int32_t /*value*/) {
    refuse_cells("stream_signal");
}

void AscendStreams::wait(uint32_t /*stream*/, const KernelCells & /*cells*/, uint32_t /*compare*/, int32_t /*value*/) {
    refuse_cells("stream_wait");
}

uint32_t AscendStreams::create_event() {
    return events_.add([this](uint32_t number) { return std::make_shared<AscendEvent>(number, home_.device); });
}

void AscendStreams::destroy_event(uint32_t event) {
    const ContextScope scope(home_);
    events_.remove(event);
}

void AscendStreams::record_event(uint32_t event, uint32_t stream) {
    const ContextScope scope(home_);
    const std::shared_ptr<AscendEvent> found = events_.get(event);
    found->record(streams_.get(stream));
}

void AscendStreams::wait_for_event(uint32_t stream, uint32_t event) {
    const ContextScope scope(home_);
    const std::shared_ptr<EventRecord> record = events_.get(event)->latest();
    EventRecord::wait(record, *streams_.get(stream));
}

void AscendStreams::synchronize_event(uint32_t event, milliseconds timeout) {
    const ContextScope scope(home_);
    const std::shared_ptr<EventRecord> record = events_.get(event)->latest();
    record->synchronize(timeout, interruption_);
}

bool AscendStreams::is_event_done(uint32_t event) {
    const ContextScope scope(home_);
    const std::shared_ptr<EventRecord> record = events_.get(event)->latest();
    return record->is_reached();
}

uint32_t AscendStreams::create_notify() {
    const ContextScope scope(home_);
    return notifies_.add([this](uint32_t number) { return AscendNotify::create(number, home_.device); });
}

void AscendStreams::destroy_notify(uint32_t notify) {
    const ContextScope scope(home_);
    notifies_.remove(notify);
}

void AscendStreams::post_notify(uint32_t stream, uint32_t notify) {
    const ContextScope scope(home_);
    const std::shared_ptr<AscendNotify> found = notifies_.get(notify);
    AscendNotify::post(found, *streams_.get(stream));
}

void AscendStreams::wait_for_notify(uint32_t stream, uint32_t notify) {
    const ContextScope scope(home_);
    const std::shared_ptr<AscendNotify> found = notifies_.get(notify);
    AscendNotify::wait(found, *streams_.get(stream), interruption_.timeout());
}

std::string AscendStreams::export_notify(uint32_t notify) {
    const ContextScope scope(home_);
    const std::shared_ptr<AscendNotify> found = notifies_.get(notify);
    return found->export_key();
}

uint32_t AscendStreams::import_notify(const std::string &key) {
    const ContextScope scope(home_);
    return notifies_.add([&](uint32_t number) { return AscendNotify::import(number, home_.device, key); });
}

void AscendStreams::set_timeout(milliseconds timeout) {
    interruption_.set_timeout_ms(timeout.count());
}

// All of them: one that waits for an event of an aborted one would wait forever.
void AscendStreams::abort(const std::string &reason) {
    const FailureRecord failure(DEVICE_ABORTED, "aborted: " + reason);
    interruption_.interrupt(failure.code, failure.text);
    const ContextScope scope(home_);
    for (const auto &stream : streams_.all()) stream->abort(failure);
    abort_own_stream();
}

device::Activity::Snapshot AscendStreams::activity() {
    throw Failure(DEVICE_NOT_SUPPORTED, "the vendor's runtime does not say what streams wait for");
}

void AscendStreams::abort_own_stream() {
    const AclApi &api = acl();
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    check_acl(api.aclrtStreamQuery(own_, &status), "aclrtStreamQuery before an abort", home_.device);
    if (status == ACL_STREAM_STATUS_COMPLETE || api.aclrtStreamAbort == nullptr) return;
    own_aborted_ = true;  // before those who wait for it are told 107023
    check_acl(api.aclrtStreamAbort(own_), "aclrtStreamAbort", home_.device);
}

void AscendStreams::throw_if_own_aborted() {
    if (own_aborted_.exchange(false)) interruption_.check();
}

}  // namespace rankunit::ascend
