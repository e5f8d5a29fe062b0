// The streams, events and notifies of a device of any backend.
#ifndef RANKUNIT_DEVICE_STREAM_STREAM_ENGINE_H
#define RANKUNIT_DEVICE_STREAM_STREAM_ENGINE_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/cores/activity.h"
#include "device/device.h"
#include "rankunit/graph.h"
#include "rankunit/kernel.h"
#include "rankunit/stream.h"

namespace rankunit::device {

// What a kernel does with an argument.
struct ArgumentUse {
    GraphArgument kind;
    uint64_t bytes;  // of a tensor
};

// The arguments of a launch.
struct LaunchArguments {
    std::vector<uint64_t> values;
    std::vector<ArgumentUse> uses;  // one for each, or none if they are not declared
};

// See rankunit/stream.h for the contract. Streams, events and notifies are named by their numbers. Failures are thrown.
// Thread-safe.
class StreamEngine {
public:
    StreamEngine() = default;
    StreamEngine(const StreamEngine &) = delete;
    StreamEngine &operator=(const StreamEngine &) = delete;
    virtual ~StreamEngine() = default;

    virtual uint32_t create_stream() = 0;
    virtual void destroy_stream(uint32_t stream) = 0;
    virtual void synchronize(uint32_t stream, std::chrono::milliseconds timeout) = 0;
    virtual bool is_done(uint32_t stream) = 0;
    virtual std::string describe(uint32_t stream) = 0;
    virtual void settle(std::chrono::milliseconds timeout) = 0;

    virtual void launch(uint32_t stream, Kernel &kernel, LaunchArguments args, uint32_t blocks, uint32_t cores) = 0;
    virtual void zero(uint32_t stream, uint64_t address, size_t bytes) = 0;
    virtual void copy(uint32_t stream, uint64_t target, uint64_t source, size_t bytes) = 0;
    virtual void copy_in(uint32_t stream, uint64_t target, const void *source, size_t bytes) = 0;
    virtual void copy_out(uint32_t stream, void *target, uint64_t source, size_t bytes) = 0;
    virtual void signal(uint32_t stream, uint64_t cell, uint32_t signal, int32_t value) = 0;
    virtual void wait(uint32_t stream, const KernelCells &cells, uint32_t compare, int32_t value) = 0;

    virtual uint32_t create_event() = 0;
    virtual void destroy_event(uint32_t event) = 0;
    virtual void record_event(uint32_t event, uint32_t stream) = 0;
    virtual void wait_for_event(uint32_t stream, uint32_t event) = 0;
    virtual void synchronize_event(uint32_t event, std::chrono::milliseconds timeout) = 0;
    virtual bool is_event_done(uint32_t event) = 0;

    virtual uint32_t create_notify() = 0;
    virtual void destroy_notify(uint32_t notify) = 0;
    virtual void post_notify(uint32_t stream, uint32_t notify) = 0;
    virtual void wait_for_notify(uint32_t stream, uint32_t notify) = 0;
    virtual std::string export_notify(uint32_t notify) = 0;
    virtual uint32_t import_notify(const std::string &key) = 0;

    virtual void set_timeout(std::chrono::milliseconds timeout) = 0;
    virtual void abort(const std::string &reason) = 0;
    virtual Activity::Snapshot activity() = 0;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_STREAM_STREAM_ENGINE_H
