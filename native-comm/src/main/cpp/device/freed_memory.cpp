#include "device/freed_memory.h"

#include <new>
#include <utility>

#include "record/record.h"

namespace rankunit::device {
namespace {

// A program that goes on with an address does so soon; more would only take memory.
constexpr size_t kMostFreed = 1024;

std::string at(const std::string &place) {
    return place.empty() ? "" : " at " + place;
}

}  // namespace

FreedMemory &FreedMemory::of_process() {
    // never destroyed, as the memory map that asks it
    static FreedMemory &memory = *new FreedMemory;
    return memory;
}

void FreedMemory::begin_test() {
    const std::lock_guard<std::mutex> lock(mutex_);
    test_++;
    number_ = 0;
}

void FreedMemory::allocated(uint64_t address, size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    live_.insert_or_assign(address, Allocation{address, bytes, test_, ++number_, record::place_text(), ""});
}

void FreedMemory::freed(uint64_t address) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = live_.find(address);
    if (found == live_.end()) return;
    try {
        found->second.freed_at = record::place_text();
        freed_.push_front(std::move(found->second));
        const uint64_t begin = freed_.front().begin;
        if (begin < lowest_.load(std::memory_order_relaxed)) lowest_.store(begin, std::memory_order_relaxed);
        const uint64_t end = begin + freed_.front().bytes;
        if (end > highest_.load(std::memory_order_relaxed)) highest_.store(end, std::memory_order_relaxed);
    } catch (const std::bad_alloc &) {
        // messages say less then
    }
    live_.erase(found);
    if (freed_.size() > kMostFreed) freed_.pop_back();
}

std::string FreedMemory::text_of(uint64_t address) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Allocation &each : freed_) {
        if (address - each.begin >= each.bytes) continue;
        const char *const whose = each.test == 0       ? "of this process"
                                  : each.test == test_ ? "in this test"
                                                       : "in an earlier test";
        return "it is " + std::to_string(address - each.begin) + " bytes into the " + std::to_string(each.bytes) +
               " of allocation " + std::to_string(each.number) + " " + whose + at(each.made_at) + ", which was freed" +
               at(each.freed_at);
    }
    return "";
}

}  // namespace rankunit::device
