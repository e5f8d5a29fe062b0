// Implements rankunit/device.h for every backend: checks arguments and turns errors into status codes.
#include <memory>
#include <string>

#include "device/cores/running.h"
#include "device/freed_memory.h"
#include "device/front.h"
#include "mutate/mutation.h"
#include "rankunit/device.h"
#include "record/memory_copies.h"
#include "record/record.h"
#include "shake/group.h"

namespace rankunit::device {
namespace {

thread_local ErrorText error;

}  // namespace

ErrorText &last_error() {
    return error;
}

Device &require(DeviceHandle device) {
    if (device == nullptr) throw Failure(DEVICE_INVALID_ARGUMENT, "the device's handle is NULL");
    device->process.require(DEVICE_INVALID_ARGUMENT, "device");
    return *device->device;
}

void require_pointer(const void *pointer, const char *name) {
    if (pointer == nullptr) throw Failure(DEVICE_INVALID_ARGUMENT, std::string(name) + " is NULL");
}

void require_in(const char *name, int64_t value, int64_t least, int64_t most) {
    if (value >= least && value <= most) return;
    throw Failure(DEVICE_INVALID_ARGUMENT, std::string(name) + " = " + std::to_string(value) + " is not in [" +
                                               std::to_string(least) + ", " + std::to_string(most) + "]");
}

}  // namespace rankunit::device

using rankunit::device::acting;
using rankunit::device::guarded;
using rankunit::device::Kernel;
using rankunit::device::LaunchShape;
using rankunit::device::require;
using rankunit::device::require_in;
using rankunit::device::require_pointer;

int device_open(int id, DeviceHandle *device_out) {
    return guarded([&] {
        require_pointer(device_out, "device_out");
        *device_out = nullptr;
        auto handle = std::make_unique<DeviceHandle_>();
        handle->device = rankunit::device::make_device(id);
        *device_out = handle.release();
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
    return acting([&] { require(device).free(address); });
}

int device_zero(DeviceHandle device, uint64_t address, size_t size) {
    return acting([&] { require(device).zero(address, size); });
}

int device_copy_in(DeviceHandle device, uint64_t target_address, const void *source, size_t size) {
    return acting([&] {
        require(device);
        require_pointer(source, "source");
        device->device->copy_in(target_address, source, size);
    });
}

int device_copy_out(DeviceHandle device, void *target, uint64_t source_address, size_t size) {
    return acting([&] {
        require(device);
        require_pointer(target, "target");
        device->device->copy_out(target, source_address, size);
    });
}

int device_copy(DeviceHandle device, uint64_t target_address, uint64_t source_address, size_t size) {
    return acting([&] { require(device).copy(target_address, source_address, size); });
}

int device_describe(DeviceHandle device, char *text_out, size_t capacity) {
    return guarded([&] {
        require(device);
        require_pointer(text_out, "text_out");
        rankunit::copy_text(device->device->describe(), text_out, capacity);
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
        *stream_out = device->device->stream();
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
    return device_launch_on(device, kernel, args, nargs, 1, nullptr);
}

int device_launch_on(DeviceHandle device, KernelHandle kernel, const uint64_t *args, int nargs, uint32_t blocks,
                     void *stream) {
    return acting([&] {
        require(device);
        require_pointer(kernel, "kernel");
        require_in("nargs", nargs, 0, DEVICE_MAX_KERNEL_ARGS);
        require_in("blocks", blocks, 1, DEVICE_MAX_BLOCKS);
        if (nargs > 0) require_pointer(args, "args");
        device->device->launch(*reinterpret_cast<Kernel *>(kernel), args, nargs, LaunchShape{blocks, stream});
    });
}

int device_set_platform(DeviceHandle device, const char *platform) {
    return guarded([&] {
        require(device);
        require_pointer(platform, "platform");
        device->device->set_platform(platform);
    });
}

int device_synchronize(DeviceHandle device) {
    return acting([&] { require(device).synchronize(); });
}

int device_record(DeviceHandle device, const char *path, const char *order_path, uint64_t capacity) {
    return guarded([&] {
        require(device);
        require_pointer(path, "path");
        device->device->record(path, order_path == nullptr ? "" : order_path, capacity);
    });
}

int device_record_mark(DeviceHandle device, uint32_t mark, const char *text) {
    return guarded([&] {
        require(device);
        require_pointer(text, "text");
        require_in("mark", mark, DEVICE_MARK_TEST_BEGIN, DEVICE_MARK_TEST_BEGIN_IF_USED);
        if (mark != DEVICE_MARK_TEST_END) {
            rankunit::mutate::begin_anew();
            rankunit::record::become_host();
            rankunit::device::FreedMemory::of_process().begin_test();
        }
        rankunit::record::Log *const log = rankunit::record::log();
        if (log == nullptr) return;
        if (mark == DEVICE_MARK_TEST_END) {
            log->end_test(text);
        } else {
            log->begin_test(text, mark == DEVICE_MARK_TEST_BEGIN_IF_USED);
        }
    });
}

int device_record_name(DeviceHandle device, uint64_t address, size_t bytes, const char *name) {
    return guarded([&] {
        require(device);
        require_pointer(name, "name");
        rankunit::record::now(rankunit::record::kNamed, address, bytes, rankunit::record::text(name));
    });
}

int device_record_place(DeviceHandle device, const char *place) {
    return guarded([&] {
        require(device);
        rankunit::record::set_place(place == nullptr ? "" : place);
    });
}

int device_record_actor(DeviceHandle device, uint32_t *actor_out, uint64_t *events_out) {
    return guarded([&] {
        require(device);
        require_pointer(actor_out, "actor_out");
        require_pointer(events_out, "events_out");
        const rankunit::record::OwnActor own = rankunit::record::actor_of_this_thread();
        *actor_out = own.actor;
        *events_out = own.events;
    });
}

int device_record_acquire(DeviceHandle device, uint32_t actor, uint64_t until) {
    return guarded([&] {
        require(device);
        rankunit::record::now(rankunit::record::kAcquire, actor, until);
    });
}

int device_record_no_order(DeviceHandle device, const char *why) {
    return guarded([&] {
        require(device);
        require_pointer(why, "why");
        rankunit::record::now(rankunit::record::kOrderIsUnknown, rankunit::record::text(why));
    });
}

int device_record_memory(DeviceHandle device, const char *path, uint64_t most_bytes) {
    return guarded([&] {
        require(device);
        rankunit::record::MemoryCopies::of_process().begin(path == nullptr ? "" : path, most_bytes);
    });
}

int device_note_running(DeviceHandle device, const char *path) {
    return guarded([&] {
        require(device);
        require_pointer(path, "path");
        device->device->note_running(path);
    });
}

int device_code_of(DeviceHandle device, uint32_t thread, char *text_out, size_t capacity) {
    return guarded([&] {
        require(device);
        require_pointer(text_out, "text_out");
        rankunit::copy_text(rankunit::device::code_of(thread), text_out, capacity);
    });
}

int device_leave_out(DeviceHandle device, const char *what) {
    return guarded([&] {
        require(device);
        require_pointer(what, "what");
        rankunit::mutate::leave_out(what);
    });
}

int device_shake(DeviceHandle device, uint32_t strategy, uint64_t seed) {
    return guarded([&] {
        require(device);
        require_in("strategy", strategy, DEVICE_SHAKE_OFF, DEVICE_SHAKE_DELAY);
        device->device->shake(static_cast<rankunit::shake::Strategy>(strategy), seed);
    });
}

int device_shake_group(DeviceHandle device, const char *path, int rank, int nranks) {
    return guarded([&] {
        require(device);
        require_pointer(path, "path");
        require_in("nranks", nranks, 1, rankunit::shake::kMostRanks);
        require_in("rank", rank, 0, nranks - 1);
        device->device->shake_group(path, rank, nranks);
    });
}

int device_shake_result(DeviceHandle device, const char *path, uint64_t *count_out, uint64_t *hash_out) {
    return guarded([&] {
        require(device);
        require_pointer(count_out, "count_out");
        require_pointer(hash_out, "hash_out");
        const rankunit::shake::Result result = device->device->end_shaking(path == nullptr ? "" : path);
        *count_out = result.count;
        *hash_out = result.hash;
    });
}

const char *device_last_error() {
    return rankunit::device::last_error().get();
}
