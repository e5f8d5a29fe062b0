#include "device/memory_map.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <mutex>
#include <string>

#include "device/freed_memory.h"
#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::device {
namespace {

std::string hex(uint64_t address) {
    char text[24];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(address));
    return text;
}

[[noreturn]] void refuse_unknown(uint64_t address) {
    const std::string freed = FreedMemory::of_process().text_of(address);
    throw Failure(DEVICE_BAD_ADDRESS, "address " + hex(address) + " is in no device memory and no window" +
                                          (freed.empty() ? "" : ": " + freed));
}

}  // namespace

MemoryMap &MemoryMap::of_process() {
    // never destroyed: a thread may still be copying when the process ends
    static MemoryMap &map = *new MemoryMap;
    return map;
}

void MemoryMap::add(uint64_t start, uint64_t bytes, Use most) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    const auto next = first_behind(start);
    const bool meets_next = next != ranges_.end() && next->start - start < bytes;
    const bool meets_previous = next != ranges_.begin() && start - std::prev(next)->start < std::prev(next)->bytes;
    if (meets_next || meets_previous) {
        throw Failure(DEVICE_INVALID_ARGUMENT, std::to_string(bytes) + " bytes at " + hex(start) +
                                                   " are, in part, device memory or a window already");
    }
    ranges_.insert(next, Range{start, bytes, most});
}

MemoryMap::Ranges::const_iterator MemoryMap::first_behind(uint64_t address) const {
    return std::upper_bound(ranges_.begin(), ranges_.end(), address,
                            [](uint64_t wanted, const Range &range) { return wanted < range.start; });
}

void MemoryMap::remove(uint64_t start, const std::function<void()> &release) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    const auto next = first_behind(start);
    if (next != ranges_.begin() && std::prev(next)->start == start) ranges_.erase(std::prev(next));
    release();
}

MemoryMap::Extent MemoryMap::extent_of(uint64_t address) const {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    const auto next = first_behind(address);
    if (next != ranges_.begin() && address - std::prev(next)->start < std::prev(next)->bytes) {
        return {std::prev(next)->start + std::prev(next)->bytes, true};
    }
    return {next == ranges_.end() ? UINT64_MAX : next->start, false};
}

std::optional<uint64_t> MemoryMap::start_of(uint64_t address) const {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    const auto next = first_behind(address);
    if (next == ranges_.begin() || address - std::prev(next)->start >= std::prev(next)->bytes) return std::nullopt;
    return std::prev(next)->start;
}

void MemoryMap::require(uint64_t address, uint64_t bytes, Use use) const {
    const auto next = first_behind(address);
    if (next == ranges_.begin()) refuse_unknown(address);
    const auto [start, size, most] = *std::prev(next);
    const uint64_t offset = address - start;
    if (offset >= size) refuse_unknown(address);
    if (bytes > size - offset) {
        throw Failure(DEVICE_BAD_ADDRESS, std::to_string(bytes) + " bytes at " + hex(address) + " end outside of the " +
                                              std::to_string(size) + " bytes that start at " + hex(start));
    }
    if (use == Use::kWrite && most == Use::kRead) {
        throw Failure(DEVICE_BAD_ADDRESS,
                      "address " + hex(address) + " is in the context of a communicator, which may only be read");
    }
}

void MemoryMap::require_not_freed(const uint64_t *args, size_t count) const {
    for (size_t i = 0; i < count; i++) {
        if (!FreedMemory::of_process().may_have(args[i]) || start_of(args[i]).has_value()) continue;
        const std::string freed = FreedMemory::of_process().text_of(args[i]);
        if (freed.empty()) continue;
        throw Failure(DEVICE_BAD_ADDRESS, "argument " + std::to_string(i) + ": address " + hex(args[i]) +
                                              " is in no device memory and no window: " + freed);
    }
}

void MemoryMap::require_apart(uint64_t source, uint64_t target, uint64_t bytes) {
    const uint64_t distance = source < target ? target - source : source - target;
    if (distance == 0 || distance >= bytes) return;
    const auto range = [bytes](uint64_t start) { return "[" + hex(start) + ", " + hex(start + bytes) + ")"; };
    throw Failure(DEVICE_INVALID_ARGUMENT,
                  "the source " + range(source) + " and the target " + range(target) + " of " + std::to_string(bytes) +
                      " bytes overlap by " + std::to_string(bytes - distance) +
                      " bytes, and the device may move them in any order; copy by way of other memory");
}

}  // namespace rankunit::device
