// Streams, events and notifies of a simulated device.
#ifndef RANKUNIT_BACKENDS_SIM_STREAM_SIM_STREAMS_H
#define RANKUNIT_BACKENDS_SIM_STREAM_SIM_STREAMS_H

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/sim/stream/event_point.h"
#include "backends/sim/stream/notify_cells.h"
#include "backends/sim/stream/sim_stream.h"
#include "device/cores/launch.h"
#include "device/stream/object_table.h"
#include "device/stream/stream_engine.h"

namespace rankunit::sim {

class SimStreams : public device::StreamEngine {
public:
    // Both outlive it.
    SimStreams(device::Device &device, device::Cores &cores) : device_(device), cores_(cores) {}

    uint32_t create_stream() override;
    void destroy_stream(uint32_t stream) override;
    void synchronize(uint32_t stream, std::chrono::milliseconds timeout) override;
    bool is_done(uint32_t stream) override;
    std::string describe(uint32_t stream) override;
    void settle(std::chrono::milliseconds timeout) override;
    // Throws what has ended a stream in a run of this graph, if no caller was told of it.
    void throw_if_untold_of(uint32_t graph);

    void launch(uint32_t stream, device::Kernel &kernel, device::LaunchArguments args, uint32_t blocks,
                uint32_t cores) override;
    void zero(uint32_t stream, uint64_t address, size_t bytes) override;
    void copy(uint32_t stream, uint64_t target, uint64_t source, size_t bytes) override;
    void copy_in(uint32_t stream, uint64_t target, const void *source, size_t bytes) override;
    void copy_out(uint32_t stream, void *target, uint64_t source, size_t bytes) override;
    void signal(uint32_t stream, uint64_t cell, uint32_t signal, int32_t value) override;
    void wait(uint32_t stream, const KernelCells &cells, uint32_t compare, int32_t value) override;

    uint32_t create_event() override;
    void destroy_event(uint32_t event) override;
    void record_event(uint32_t event, uint32_t stream) override;
    void wait_for_event(uint32_t stream, uint32_t event) override;
    void synchronize_event(uint32_t event, std::chrono::milliseconds timeout) override;
    bool is_event_done(uint32_t event) override;

    uint32_t create_notify() override;
    void destroy_notify(uint32_t notify) override;
    void post_notify(uint32_t stream, uint32_t notify) override;
    void wait_for_notify(uint32_t stream, uint32_t notify) override;
    std::string export_notify(uint32_t notify) override;
    uint32_t import_notify(const std::string &key) override;

    // Any work.
    void put(uint32_t stream, StreamWork work) { streams_.get(stream)->put(std::move(work)); }

    void set_timeout(std::chrono::milliseconds timeout) override;
    void abort(const std::string &reason) override;
    device::Activity::Snapshot activity() override { return device::Activity::of_process().snapshot(); }

private:
    // An event; its latest record, if any.
    struct Event {
        std::string name;
        std::mutex mutex;
        std::shared_ptr<EventPoint> latest;
    };

    static std::shared_ptr<EventPoint> latest_of(Event &event);

    device::Device &device_;
    device::Cores &cores_;
    NotifyCells cells_;
    device::ObjectTable<Event> events_{"event"};
    device::ObjectTable<SimNotify> notifies_{"notify"};
    device::ObjectTable<SimStream> streams_{"stream"};  // first to go: their work uses the others
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_BACKENDS_SIM_STREAM_SIM_STREAMS_H
