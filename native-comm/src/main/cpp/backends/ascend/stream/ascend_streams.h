// Streams, events and notifies of an Ascend device. Exercised on an emulator only, never on a real device.
#ifndef RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_STREAMS_H
#define RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_STREAMS_H

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "backends/ascend/device_use.h"
#include "backends/ascend/stream/ascend_event.h"
#include "backends/ascend/stream/ascend_notify.h"
#include "backends/ascend/stream/ascend_stream.h"
#include "device/cores/interruption.h"
#include "device/stream/object_table.h"
#include "device/stream/stream_engine.h"

namespace rankunit::ascend {

// Each call makes the device's context current, and puts back the one that the thread had.
class AscendStreams : public device::StreamEngine {
public:
    // `own`: the device's stream of device_stream, which an abort ends too. It outlives this.
    AscendStreams(const StreamHome &home, aclrtStream own) : home_(home), own_(own) {}
    // Gives up what has not ended. The context must be current.
    ~AscendStreams() override;

    // Throws the reason of an abort that has ended what ran on `own`; once, for the next who waits for that stream.
    void throw_if_own_aborted();

    uint32_t create_stream() override;
    void destroy_stream(uint32_t stream) override;
    void synchronize(uint32_t stream, milliseconds timeout) override;
    bool is_done(uint32_t stream) override;
    std::string describe(uint32_t stream) override;
    void settle(milliseconds timeout) override;

    void launch(uint32_t stream, device::Kernel &kernel, device::LaunchArguments args, uint32_t blocks,
                uint32_t cores) override;
    void zero(uint32_t stream, uint64_t address, size_t bytes) override;
    void copy(uint32_t stream, uint64_t target, uint64_t source, size_t bytes) override;
    void copy_in(uint32_t stream, uint64_t target, const void *source, size_t bytes) override;
    void copy_out(uint32_t stream, void *target, uint64_t source, size_t bytes) override;
    // Throw DEVICE_NOT_SUPPORTED: only kernels signal and wait on this platform.
    void signal(uint32_t stream, uint64_t cell, uint32_t signal, int32_t value) override;
    void wait(uint32_t stream, const KernelCells &cells, uint32_t compare, int32_t value) override;

    uint32_t create_event() override;
    void destroy_event(uint32_t event) override;
    void record_event(uint32_t event, uint32_t stream) override;
    void wait_for_event(uint32_t stream, uint32_t event) override;
    void synchronize_event(uint32_t event, milliseconds timeout) override;
    bool is_event_done(uint32_t event) override;

    uint32_t create_notify() override;
    void destroy_notify(uint32_t notify) override;
    void post_notify(uint32_t stream, uint32_t notify) override;
    void wait_for_notify(uint32_t stream, uint32_t notify) override;
    std::string export_notify(uint32_t notify) override;
    uint32_t import_notify(const std::string &key) override;

    void set_timeout(milliseconds timeout) override;
    void abort(const std::string &reason) override;
    device::Activity::Snapshot activity() override;

private:
    void abort_own_stream();

    const StreamHome home_;
    const aclrtStream own_;
    std::atomic<bool> own_aborted_{false};
    device::Interruption interruption_;
    device::ObjectTable<AscendEvent> events_{"event"};
    device::ObjectTable<AscendNotify> notifies_{"notify"};
    device::ObjectTable<AscendStream> streams_{"stream"};
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_STREAMS_H
