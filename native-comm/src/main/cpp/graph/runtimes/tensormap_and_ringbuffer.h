// The runtime tensormap_and_ringbuffer: an orchestration function submits tasks with their inputs and outputs.
#ifndef RANKUNIT_GRAPH_RUNTIMES_TENSORMAP_AND_RINGBUFFER_H
#define RANKUNIT_GRAPH_RUNTIMES_TENSORMAP_AND_RINGBUFFER_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "graph/runtimes/orchestration.h"

namespace rankunit::graph {

// Device memory for the heaps of a graph's rings. Each is allocated when it is first used, and freed with this object.
class RingHeaps {
public:
    RingHeaps(device::Device &device, uint64_t bytes) : device_(device), bytes_(bytes) {}
    RingHeaps(const RingHeaps &) = delete;
    RingHeaps &operator=(const RingHeaps &) = delete;
    ~RingHeaps();

    uint64_t bytes() const { return bytes_; }
    // Throws DEVICE_OUT_OF_MEMORY.
    uint64_t base(uint32_t ring);
    // The ring in whose heap an address lies; GRAPH_RINGS if in none.
    uint32_t ring_of(uint64_t address) const;

private:
    device::Device &device_;
    const uint64_t bytes_;
    std::array<uint64_t, GRAPH_RINGS> memory_{};
    std::array<uint64_t, GRAPH_RINGS> bases_{};
};

class TensormapAndRingbuffer : public OrchestratedGraph {
public:
    TensormapAndRingbuffer(GraphDevice &device, std::string name);

protected:
    bool try_set(GraphSetting setting, uint64_t value) override;
    std::string what() const override;
    std::shared_ptr<RunSource> make_source(const std::vector<uint64_t> &args) override;

private:
    uint64_t slots_ = 16'384;
    std::unique_ptr<RingHeaps> heaps_;
};

}  // namespace rankunit::graph

#endif  // RANKUNIT_GRAPH_RUNTIMES_TENSORMAP_AND_RINGBUFFER_H
