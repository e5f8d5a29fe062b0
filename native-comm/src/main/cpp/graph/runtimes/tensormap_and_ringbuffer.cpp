#include "graph/runtimes/tensormap_and_ringbuffer.h"

#include <utility>

#include "device/guarded_pages.h"
#include "graph/runtimes/ring_run.h"
#include "rankunit/device.h"

namespace rankunit::graph {
namespace {

constexpr uint64_t kDefaultHeapBytes = uint64_t{256} << 20;
constexpr uint64_t kMostSlots = uint64_t{1} << 20;

}  // namespace

RingHeaps::~RingHeaps() {
    for (const uint64_t memory : memory_) {
        try {
            if (memory != 0) device_.free(memory);
        } catch (const Failure &) {
            // The caller has freed it, who saw its address as that of an output. Then there is nothing left to free.
        }
    }
}

// Memory of a device is aligned to less.
uint64_t RingHeaps::base(uint32_t ring) {
    if (memory_[ring] == 0) {
        memory_[ring] = device_.allocate(bytes_ + GRAPH_HEAP_ALIGNMENT);
        bases_[ring] = device::round_up(memory_[ring], GRAPH_HEAP_ALIGNMENT);
    }
    return bases_[ring];
}

uint32_t RingHeaps::ring_of(uint64_t address) const {
    uint32_t ring = 0;
    while (ring < GRAPH_RINGS && (memory_[ring] == 0 || address - bases_[ring] >= bytes_)) ring++;
    return ring;
}

TensormapAndRingbuffer::TensormapAndRingbuffer(GraphDevice &device, std::string name)
    : OrchestratedGraph(device, std::move(name)),
      heaps_(std::make_unique<RingHeaps>(device.device, kDefaultHeapBytes)) {}

bool TensormapAndRingbuffer::try_set(GraphSetting setting, uint64_t value) {
    if (setting == GRAPH_SLOTS) {
        const bool is_power = value != 0 && (value & (value - 1)) == 0;
        if (!is_power || value > kMostSlots) refuse_value("GRAPH_SLOTS", value, "a power of two in [1, 1048576]");
        slots_ = value;
    } else if (setting == GRAPH_HEAP_BYTES) {
        if (value == 0 || value % GRAPH_HEAP_ALIGNMENT != 0 || value > UINT64_MAX / 4) {
            refuse_value("GRAPH_HEAP_BYTES", value, "a multiple of 1024 that memory can have");
        }
        heaps_ = std::make_unique<RingHeaps>(device_.device, value);
    } else {
        return false;
    }
    return true;
}

std::string TensormapAndRingbuffer::what() const {
    return "tasks submitted by orchestration " + name_of_orchestration() + " to rings of " + std::to_string(slots_) +
           " slots and " + std::to_string(heaps_->bytes()) + " bytes";
}

std::shared_ptr<RunSource> TensormapAndRingbuffer::make_source(const std::vector<uint64_t> &) {
    return std::make_shared<RingRun>(orchestration(), kernels_, device_.device, slots_, *heaps_);
}

}  // namespace rankunit::graph
