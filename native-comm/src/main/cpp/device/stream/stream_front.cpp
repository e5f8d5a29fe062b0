// Implements rankunit/stream.h for every backend: checks arguments and turns errors into status codes.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "device/front.h"
#include "device/stream/stream_engine.h"
#include "rankunit/stream.h"

using rankunit::Failure;
using rankunit::device::acting;
using rankunit::device::Activity;
using rankunit::device::guarded;
using rankunit::device::Kernel;
using rankunit::device::LaunchArguments;
using rankunit::device::require;
using rankunit::device::require_in;
using rankunit::device::require_pointer;
using rankunit::device::StreamEngine;
using std::chrono::milliseconds;

namespace {

constexpr int64_t kMaxTimeoutMs = int64_t{31} * 24 * 3600 * 1000;

StreamEngine &engine(DeviceHandle device) {
    return require(device).streams();
}

milliseconds timeout_of(const char *name, int64_t value) {
    require_in(name, value, 1, kMaxTimeoutMs);
    return milliseconds{value};
}

void launch(DeviceHandle device, uint32_t stream, KernelHandle kernel, LaunchArguments args, uint32_t blocks,
            uint32_t cores) {
    require_pointer(kernel, "kernel");
    require_in("blocks", blocks, 1, DEVICE_MAX_BLOCKS);
    require_in("cores", cores, STREAM_CORES_VECTOR, STREAM_CORES_MIXED);
    engine(device).launch(stream, *reinterpret_cast<Kernel *>(kernel), std::move(args), blocks, cores);
}

void require_arguments(const uint64_t *args, int nargs) {
    require_in("nargs", nargs, 0, DEVICE_MAX_KERNEL_ARGS);
    if (nargs > 0) require_pointer(args, "args");
}

// `args` has GRAPH_ARGUMENT_WORDS for each.
LaunchArguments declared(const uint64_t *args, int nargs) {
    LaunchArguments declared;
    for (int i = 0; i < nargs; i++, args += GRAPH_ARGUMENT_WORDS) {
        const std::string name = "argument " + std::to_string(i);
        if (args[0] > GRAPH_INOUT) {
            throw Failure(DEVICE_INVALID_ARGUMENT, name + ": its kind = " + std::to_string(args[0]) +
                                                       " is not in [0, " + std::to_string(GRAPH_INOUT) + "]");
        }
        const auto kind = static_cast<GraphArgument>(args[0]);
        if (kind != GRAPH_SCALAR && args[2] == 0) {
            throw Failure(DEVICE_INVALID_ARGUMENT, name + ": a tensor needs at least 1 byte");
        }
        declared.values.push_back(args[1]);
        declared.uses.push_back({kind, args[2]});
    }
    return declared;
}

// Runs `body`, which returns a number, and stores it.
template <typename Body>
int storing(uint32_t *out, const char *name, Body body) {
    return guarded([&] {
        require_pointer(out, name);
        *out = 0;
        *out = static_cast<uint32_t>(body());
    });
}

}  // namespace

int stream_create(DeviceHandle device, uint32_t *stream_out) {
    return storing(stream_out, "stream_out", [&] { return engine(device).create_stream(); });
}

int stream_destroy(DeviceHandle device, uint32_t stream) {
    return acting([&] { engine(device).destroy_stream(stream); });
}

int stream_synchronize(DeviceHandle device, uint32_t stream, int64_t timeout_ms) {
    return acting([&] { engine(device).synchronize(stream, timeout_of("timeout_ms", timeout_ms)); });
}

int stream_query(DeviceHandle device, uint32_t stream, uint32_t *done_out) {
    return storing(done_out, "done_out", [&] { return engine(device).is_done(stream); });
}

int stream_describe(DeviceHandle device, uint32_t stream, char *text_out, size_t capacity) {
    return guarded([&] {
        require_pointer(text_out, "text_out");
        rankunit::copy_text(engine(device).describe(stream), text_out, capacity);
    });
}

int stream_launch(DeviceHandle device, uint32_t stream, KernelHandle kernel, const uint64_t *args, int nargs,
                  uint32_t blocks, uint32_t cores) {
    return acting([&] {
        require_arguments(args, nargs);
        launch(device, stream, kernel, {std::vector<uint64_t>(args, args + nargs), {}}, blocks, cores);
    });
}

int stream_launch_declared(DeviceHandle device, uint32_t stream, KernelHandle kernel, const uint64_t *args, int nargs,
                           uint32_t blocks, uint32_t cores) {
    return acting([&] {
        require_arguments(args, nargs);
        launch(device, stream, kernel, declared(args, nargs), blocks, cores);
    });
}

int stream_zero(DeviceHandle device, uint32_t stream, uint64_t address, size_t size) {
    return acting([&] { engine(device).zero(stream, address, size); });
}

int stream_copy(DeviceHandle device, uint32_t stream, uint64_t target_address, uint64_t source_address, size_t size) {
    return acting([&] { engine(device).copy(stream, target_address, source_address, size); });
}

int stream_copy_in(DeviceHandle device, uint32_t stream, uint64_t target_address, const void *source, size_t size) {
    return acting([&] {
        require_pointer(source, "source");
        engine(device).copy_in(stream, target_address, source, size);
    });
}

int stream_copy_out(DeviceHandle device, uint32_t stream, void *target, uint64_t source_address, size_t size) {
    return acting([&] {
        require_pointer(target, "target");
        engine(device).copy_out(stream, target, source_address, size);
    });
}

int stream_signal(DeviceHandle device, uint32_t stream, uint64_t cell, uint32_t signal, int32_t value) {
    return acting([&] { engine(device).signal(stream, cell, signal, value); });
}

int stream_wait(DeviceHandle device, uint32_t stream, uint64_t cells, uint32_t rows, uint32_t columns,
                uint64_t row_bytes, uint32_t compare, int32_t value) {
    return acting([&] { engine(device).wait(stream, KernelCells{cells, rows, columns, row_bytes}, compare, value); });
}

int event_create(DeviceHandle device, uint32_t *event_out) {
    return storing(event_out, "event_out", [&] { return engine(device).create_event(); });
}

int event_destroy(DeviceHandle device, uint32_t event) {
    return guarded([&] { engine(device).destroy_event(event); });
}

int event_record(DeviceHandle device, uint32_t event, uint32_t stream) {
    return acting([&] { engine(device).record_event(event, stream); });
}

int event_wait(DeviceHandle device, uint32_t stream, uint32_t event) {
    return acting([&] { engine(device).wait_for_event(stream, event); });
}

int event_synchronize(DeviceHandle device, uint32_t event, int64_t timeout_ms) {
    return acting([&] { engine(device).synchronize_event(event, timeout_of("timeout_ms", timeout_ms)); });
}

int event_query(DeviceHandle device, uint32_t event, uint32_t *done_out) {
    return storing(done_out, "done_out", [&] { return engine(device).is_event_done(event); });
}

int notify_create(DeviceHandle device, uint32_t *notify_out) {
    return storing(notify_out, "notify_out", [&] { return engine(device).create_notify(); });
}

int notify_destroy(DeviceHandle device, uint32_t notify) {
    return guarded([&] { engine(device).destroy_notify(notify); });
}

int notify_post(DeviceHandle device, uint32_t stream, uint32_t notify) {
    return acting([&] { engine(device).post_notify(stream, notify); });
}

int notify_wait(DeviceHandle device, uint32_t stream, uint32_t notify) {
    return acting([&] { engine(device).wait_for_notify(stream, notify); });
}

int notify_export(DeviceHandle device, uint32_t notify, char *key_out, size_t capacity) {
    return guarded([&] {
        require_pointer(key_out, "key_out");
        const std::string key = engine(device).export_notify(notify);
        if (key.size() >= capacity) {
            throw Failure(DEVICE_INVALID_ARGUMENT, "capacity = " + std::to_string(capacity) + ", but the key has " +
                                                       std::to_string(key.size() + 1) + " bytes");
        }
        rankunit::copy_text(key, key_out, capacity);
    });
}

int notify_import(DeviceHandle device, const char *key, uint32_t *notify_out) {
    return storing(notify_out, "notify_out", [&] {
        require_pointer(key, "key");
        return engine(device).import_notify(key);
    });
}

int device_set_timeout(DeviceHandle device, int64_t milliseconds) {
    return guarded([&] { engine(device).set_timeout(timeout_of("milliseconds", milliseconds)); });
}

// No act of the program: it would be one more decision in a shaken test that passes than in one that fails.
int device_settle(DeviceHandle device, int64_t timeout_ms) {
    return guarded([&] {
        const milliseconds timeout = timeout_of("timeout_ms", timeout_ms);
        require(device).end_launches();
        engine(device).settle(timeout);
    });
}

int device_abort(DeviceHandle device, const char *reason) {
    return guarded([&] { engine(device).abort(reason == nullptr ? "" : reason); });
}

int device_activity(DeviceHandle device, uint32_t *activity_out, uint64_t *changes_out, char *text_out,
                    size_t capacity) {
    return guarded([&] {
        require_pointer(activity_out, "activity_out");
        require_pointer(changes_out, "changes_out");
        require_pointer(text_out, "text_out");
        const Activity::Snapshot seen = engine(device).activity();
        const bool waits = !seen.waits.empty();
        *activity_out = seen.works        ? DEVICE_WORKS
                        : seen.host_waits ? DEVICE_HOST_WAITS
                        : waits           ? DEVICE_WAITS
                                          : DEVICE_IDLE;
        *changes_out = seen.changes;
        std::string text;
        for (const std::string &each : seen.waits) text += (text.empty() ? "" : "\n") + each;
        rankunit::copy_text(text, text_out, capacity);
    });
}
