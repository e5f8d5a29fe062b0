#include "record/cell_order.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rankunit/device.h"
#include "record/log.h"
#include "support/failure.h"
#include "support/unique_fd.h"

namespace rankunit::record {
namespace {

constexpr size_t kBytes = kHeaderBytes + kOrderSlots * sizeof(OrderSlot);

uint32_t this_thread() {
    static thread_local const auto id = static_cast<uint32_t>(syscall(SYS_gettid));
    return id;
}

void *map_file(const std::string &path) {
    const UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    // Every rank does the same, and new bytes are zeros, so it does not matter who is first.
    const bool sized = fd && ftruncate(fd.get(), kBytes) == 0 && posix_fallocate(fd.get(), 0, kBytes) == 0;
    void *const mapped = sized ? mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0) : MAP_FAILED;
    if (mapped == MAP_FAILED) throw Failure(DEVICE_SYSTEM, path + ": " + system_text(fd ? "mmap" : "open"));
    return mapped;
}

void *map_memory() {
    void *const mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw Failure(DEVICE_SYSTEM, system_text("mmap"));
    return mapped;
}

}  // namespace

CellOrder::CellOrder(const std::string &path) {
    char *const mapped = static_cast<char *>(path.empty() ? map_memory() : map_file(path));
    header_ = reinterpret_cast<OrderHeader *>(mapped);
    slots_ = reinterpret_cast<OrderSlot *>(mapped + kHeaderBytes);
    uint64_t found = 0;
    if (!header_->magic.compare_exchange_strong(found, kOrderMagic) && found != kOrderMagic) {
        munmap(mapped, kBytes);
        throw Failure(DEVICE_INVALID_ARGUMENT, path + " is not a file for the order of signals");
    }
}

CellOrder::~CellOrder() {
    munmap(header_, kBytes);
}

void CellOrder::lock(OrderSlot &slot, uint32_t self) noexcept {
    constexpr int kSpins = 100;
    uint32_t seen = 0;
    uint64_t signals = 0;
    uint64_t since = 0;
    for (int tries = 0;; tries++) {
        uint32_t holder = 0;
        if (slot.holder.compare_exchange_weak(holder, self, std::memory_order_acquire)) return;
        if (tries < kSpins) continue;
        const uint64_t now = now_ns();
        const uint64_t signals_now = slot.signals.load(std::memory_order_relaxed);
        if (since == 0 || holder != seen || signals_now != signals) {
            seen = holder;
            signals = signals_now;
            since = now;
        } else if (now - since > kPatienceNs && holder != 0 &&
                   slot.holder.compare_exchange_strong(holder, self, std::memory_order_acquire)) {
            header_->broken.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        sched_yield();
    }
}

CellOrder::Held::Held(CellOrder &order, uint64_t cell) noexcept
    : slot_(order.slots_[cell / sizeof(int32_t) % kOrderSlots]), self_(this_thread()) {
    order.lock(slot_, self_);
}

// Not if it was taken away meanwhile.
CellOrder::Held::~Held() {
    uint32_t self = self_;
    slot_.holder.compare_exchange_strong(self, 0, std::memory_order_release);
}

}  // namespace rankunit::record
