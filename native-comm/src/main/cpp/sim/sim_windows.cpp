// The simulator's windows: memory of the host that all ranks map.
#include <cstring>
#include <memory>
#include <utility>

#include "host/board_layout.h"
#include "host/device_side.h"
#include "host/memory_map.h"
#include "host/shared_memory.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::sim {
namespace {

using host::Board;
using host::Members;
using host::MemoryMap;
using host::SharedMemory;
using host::Topic;
using host::Windows;

constexpr const char *kName = "rankunit-windows";

// Where the first member of an allocation offers its memory to the others.
struct Offer {
    int pid;
    int fd;
};

std::vector<uint64_t> spread(const SharedMemory &memory, size_t count) {
    std::vector<uint64_t> addresses;
    const uint64_t start = reinterpret_cast<uint64_t>(memory.base());
    for (size_t i = 0; i < count; i++) addresses.push_back(start + i * (memory.bytes() / count));
    return addresses;
}

class SimWindows : public Windows {
public:
    // `fd` is the first member's, which others open as long as it lives.
    SimWindows(SharedMemory memory, UniqueFd fd, size_t count)
        : Windows(memory.bytes() / count, spread(memory, count)), memory_(std::move(memory)), fd_(std::move(fd)) {
        MemoryMap::of_process().add(start(), memory_.bytes());
    }

    ~SimWindows() override {
        MemoryMap::of_process().remove(start(), [this] { memory_ = SharedMemory(); });
    }

private:
    uint64_t start() const { return reinterpret_cast<uint64_t>(memory_.base()); }

    SharedMemory memory_;
    UniqueFd fd_;
};

class SimSide : public host::DeviceSide {
public:
    std::unique_ptr<Windows> allocate(Board &board, const Members &members, size_t bytes, uint64_t id) override {
        const size_t window = (bytes + host::kPageBytes - 1) / host::kPageBytes * host::kPageBytes;
        const Topic topic{host::kDeviceTopics, id, "for the memory of the windows"};
        SharedMemory memory;
        UniqueFd fd;
        std::string saying;
        if (members.place() == 0) {
            memory = SharedMemory::create(kName, window * members.count(), &fd);
            const Offer offer{host::pid_in_proc(), fd.get()};
            saying.assign(reinterpret_cast<const char *>(&offer), sizeof(offer));
        }
        const std::string first = board.gather(members, topic, saying).front();
        if (members.place() != 0) memory = map_offer(board, members.rank(0), first);
        return std::make_unique<SimWindows>(std::move(memory), std::move(fd), members.count());
    }

    uint64_t publish(const CommContext &context) override {
        auto copy = std::make_unique<CommContext>(context);
        const uint64_t address = reinterpret_cast<uint64_t>(copy.get());
        MemoryMap::of_process().add(address, sizeof(context));
        contexts_.push_back(std::move(copy));
        return address;
    }

    void withdraw(uint64_t address) noexcept override {
        MemoryMap::of_process().remove(address, [this, address] {
            for (auto context = contexts_.begin(); context != contexts_.end(); ++context) {
                if (reinterpret_cast<uint64_t>(context->get()) != address) continue;
                contexts_.erase(context);
                return;
            }
        });
    }

    std::string describe() const override { return "memory of the host, which all ranks map"; }

private:
    static SharedMemory map_offer(Board &board, int owner, const std::string &saying) {
        Offer offer{};
        if (saying.size() != sizeof(offer)) throw Failure(COMM_MISMATCH, "the first rank offers no memory");
        std::memcpy(&offer, saying.data(), sizeof(offer));
        const UniqueFd fd = host::open_of_process(offer.pid, offer.fd, kName);
        if (!fd) {
            const std::string text =
                system_text("open") + " (the windows, of process " + std::to_string(offer.pid) + ")";
            board.require_present(owner, "to open the windows");
            throw Failure(COMM_SYSTEM, text);
        }
        return SharedMemory::map(fd);
    }

    std::vector<std::unique_ptr<CommContext>> contexts_;
};

}  // namespace
}  // namespace rankunit::sim

std::unique_ptr<rankunit::host::DeviceSide> rankunit::host::make_device_side(int /*rank*/, int /*nranks*/,
                                                                             void * /*stream*/) {
    return std::make_unique<rankunit::sim::SimSide>();
}
