// The simulator's windows: host memory that all ranks map.
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "bootstrap/segment/bootstrap_layout.h"
#include "comm/device_side.h"
#include "device/guarded_pages.h"
#include "device/memory_map.h"
#include "device/shared_memory.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::sim {
namespace {

using bootstrap::Bootstrap;
using bootstrap::Members;
using bootstrap::Topic;
using comm::Windows;
using device::GuardedMemory;
using device::MemoryMap;
using device::SharedMemory;

constexpr const char *kWindowsName = "rankunit-windows";

// How the first member of an allocation offers its memory to the others.
struct Offer {
    int pid;
    int fd;
};

std::vector<uint64_t> starts(const SharedMemory &memory, size_t count) {
    std::vector<uint64_t> addresses;
    for (size_t i = 0; i < count; i++) addresses.push_back(reinterpret_cast<uint64_t>(memory.part(i)));
    return addresses;
}

class SimWindows : public Windows {
public:
    // `fd` belongs to the first member; others can open it as long as it is open.
    SimWindows(SharedMemory memory, UniqueFd fd, size_t bytes, size_t count)
        : Windows(bytes, starts(memory, count)), memory_(std::move(memory)), fd_(std::move(fd)) {
        for (const uint64_t address : addresses()) MemoryMap::of_process().add(address, bytes);
    }

    ~SimWindows() override {
        for (size_t i = 1; i < addresses().size(); i++) MemoryMap::of_process().remove(addresses()[i], [] {});
        MemoryMap::of_process().remove(addresses()[0], [this] { memory_ = SharedMemory(); });
    }

private:
    SharedMemory memory_;
    UniqueFd fd_;
};

class SimSide : public comm::DeviceSide {
public:
    std::unique_ptr<Windows> allocate(Bootstrap &bootstrap, const Members &members, size_t bytes,
                                      uint64_t id) override {
        const size_t window = device::round_up(bytes, bootstrap::kPageBytes);
        const Topic topic{comm::kDeviceTopics, id, "for the memory of the windows"};
        SharedMemory memory;
        UniqueFd fd;
        std::string message;
        if (members.place() == 0) {
            memory = SharedMemory::create(kWindowsName, window, members.count(), &fd);
            const Offer offer{device::pid_in_proc(), fd.get()};
            message.assign(reinterpret_cast<const char *>(&offer), sizeof(offer));
        }
        const std::string first = bootstrap.gather(members, topic, message).front();
        if (members.place() != 0) memory = map_offer(bootstrap, members, window, first);
        return std::make_unique<SimWindows>(std::move(memory), std::move(fd), window, members.count());
    }

    uint64_t publish(const CommContext &context) override {
        GuardedMemory memory(sizeof(context), alignof(CommContext));
        std::memcpy(memory.base(), &context, sizeof(context));
        memory.make_read_only();
        const uint64_t address = reinterpret_cast<uint64_t>(memory.base());
        const auto [place, added] = contexts_.emplace(address, std::move(memory));
        try {
            MemoryMap::of_process().add(address, sizeof(context), MemoryMap::Use::kRead);
        } catch (...) {
            contexts_.erase(place);
            throw;
        }
        return address;
    }

    void withdraw(uint64_t address) noexcept override {
        MemoryMap::of_process().remove(address, [this, address] { contexts_.erase(address); });
    }

    const char *bound_to_one_machine() const override {
        return "the windows of the simulator are memory of one machine, which ranks elsewhere do not reach";
    }

    std::string describe() const override { return "memory of the host, which all ranks map"; }

private:
    static SharedMemory map_offer(Bootstrap &bootstrap, const Members &members, size_t bytes,
                                  const std::string &message) {
        Offer offer{};
        if (message.size() != sizeof(offer)) throw Failure(COMM_MISMATCH, "the first rank offers no memory");
        std::memcpy(&offer, message.data(), sizeof(offer));
        const UniqueFd fd = device::open_of_process(offer.pid, offer.fd, kWindowsName);
        if (!fd) {
            const std::string text =
                system_text("open") + " (the windows, of process " + std::to_string(offer.pid) + ")";
            bootstrap.require_present(members.rank(0), "to open the windows");
            throw Failure(COMM_SYSTEM, text);
        }
        return SharedMemory::map(fd, bytes, members.count());
    }

    std::map<uint64_t, GuardedMemory> contexts_;  // by their address
};

}  // namespace
}  // namespace rankunit::sim

std::unique_ptr<rankunit::comm::DeviceSide> rankunit::comm::make_device_side(int /*rank*/, int /*nranks*/,
                                                                             void * /*stream*/) {
    return std::make_unique<rankunit::sim::SimSide>();
}
