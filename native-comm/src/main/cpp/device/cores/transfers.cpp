#include "device/cores/transfers.h"

#include <atomic>
#include <cstring>
#include <string>

#include "device/memory_map.h"
#include "rankunit/device.h"
#include "record/record.h"
#include "support/failure.h"

namespace rankunit::device {
namespace {

static_assert(std::atomic<uint32_t>::is_always_lock_free, "processes add to the same memory");

// As bits, since C++17 has no addition of atomic floats. Wraps around as the hardware does.
template <typename T>
uint32_t sum_of(uint32_t a, uint32_t b) {
    T first{}, second{};
    std::memcpy(&first, &a, sizeof(T));
    std::memcpy(&second, &b, sizeof(T));
    const T sum = first + second;
    uint32_t bits = 0;
    std::memcpy(&bits, &sum, sizeof(T));
    return bits;
}

// Each element is added atomically. Relaxed: what orders transfers is the signal after them.
template <typename T>
void add(uint64_t target, uint64_t source, size_t bytes) {
    for (size_t at = 0; at < bytes; at += sizeof(uint32_t)) {
        auto &to = *reinterpret_cast<std::atomic<uint32_t> *>(target + at);
        const uint32_t added =
            reinterpret_cast<const std::atomic<uint32_t> *>(source + at)->load(std::memory_order_relaxed);
        uint32_t before = to.load(std::memory_order_relaxed);
        while (!to.compare_exchange_weak(before, sum_of<T>(before, added), std::memory_order_relaxed)) {
        }
    }
}

void require_elements(KernelTransfer how, uint64_t target, uint64_t source, size_t bytes) {
    if (how == KERNEL_TRANSFER_COPY || (target | source | bytes) % sizeof(uint32_t) == 0) return;
    throw Failure(DEVICE_INVALID_ARGUMENT,
                  "target, source and bytes (" + std::to_string(bytes) + ") of an addition must all be multiples of 4");
}

}  // namespace

namespace {

// The transfer is an actor: what it reads and writes may happen at any time until the block has waited for it.
record::Here introduce() {
    if (record::log() == nullptr) return {};
    const record::Here transfer{record::new_actor(), record::new_number()};
    record::now_of(transfer.actor, record::kActor, record::kTransferActor, record::here().actor);
    record::now(record::kEnqueue, transfer.work, record::kCopyWork, transfer.actor, 0, record::place());
    return transfer;
}

}  // namespace

KernelTransfer require_transfer(int how) {
    if (how < KERNEL_TRANSFER_COPY || how > KERNEL_TRANSFER_ADD_INT32) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "how = " + std::to_string(how) + " is not in [0, 2] (KernelTransfer)");
    }
    return static_cast<KernelTransfer>(how);
}

void transfer(KernelTransfer how, uint64_t target, uint64_t source, size_t bytes) {
    require_elements(how, target, source, bytes);
    const record::Span span;
    MemoryMap::of_process().access(source, target, bytes, [&] {
        switch (how) {
            case KERNEL_TRANSFER_COPY:
                std::memmove(reinterpret_cast<void *>(target), reinterpret_cast<const void *>(source), bytes);
                break;
            case KERNEL_TRANSFER_ADD_FLOAT:
                add<float>(target, source, bytes);
                break;
            case KERNEL_TRANSFER_ADD_INT32:
                add<uint32_t>(target, source, bytes);
                break;
        }
    });
    span.end(record::kCopy, how == KERNEL_TRANSFER_COPY ? record::kAcross : record::kAdd, target, source, bytes);
}

uint64_t Transfers::start(KernelTransfer how, uint64_t target, uint64_t source, size_t bytes) {
    require_elements(how, target, source, bytes);
    MemoryMap::of_process().access(source, target, bytes, [] {});
    unfinished_.emplace(++last_, Started{how, target, source, bytes, introduce()});
    return last_;
}

void Transfers::finish(uint64_t number) {
    if (number < 1 || number > last_) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "transfer " + std::to_string(number) + " is none of the " +
                                                   std::to_string(last_) + " that this block has started");
    }
    const auto found = unfinished_.find(number);
    if (found == unfinished_.end()) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      "transfer " + std::to_string(number) + " has been waited for already; wait once for each event");
    }
    const Started started = found->second;
    unfinished_.erase(found);
    move(started);
    if (started.recorded.actor != 0) record::now(record::kStreamSync, started.recorded.actor, started.recorded.work);
}

void Transfers::move(const Started &started) {
    if (started.recorded.actor == 0) {
        transfer(started.how, started.target, started.source, started.bytes);
        return;
    }
    const record::As as(started.recorded);
    record::now(record::kWorkBegin, started.recorded.work, record::kCopyWork);
    transfer(started.how, started.target, started.source, started.bytes);
    record::now(record::kWorkEnd, started.recorded.work, record::kCopyWork);
}

void Transfers::finish_all() {
    while (!unfinished_.empty()) {
        const uint64_t number = unfinished_.begin()->first;
        try {
            const Started started = unfinished_.begin()->second;
            unfinished_.erase(unfinished_.begin());
            move(started);
        } catch (const Failure &failure) {
            throw Failure(failure.code(), "at its end, transfer " + std::to_string(number) +
                                              ", for which it has not waited: " + failure.what());
        }
    }
}

}  // namespace rankunit::device
