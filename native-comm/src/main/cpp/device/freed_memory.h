// What is known about memory that has been freed, for the message when its address is used.
#ifndef RANKUNIT_DEVICE_FREED_MEMORY_H
#define RANKUNIT_DEVICE_FREED_MEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>

namespace rankunit::device {

// Knows the allocations of all devices of this process, and the last ones that were freed. They have numbers that are
// counted from the start of the test on, as in the messages of the checks, and the lines of the program that asked for
// them, if it has said which (record::place_text). Thread-safe.
class FreedMemory {
public:
    static FreedMemory &of_process();

    // Counts from 1 again.
    void begin_test();
    void allocated(uint64_t address, size_t bytes);
    // Remembers that the memory which begins at `address` is gone.
    void freed(uint64_t address) noexcept;

    // "it is 8 bytes into the 64 of allocation 3 in this test at A.java:4, which was freed at A.java:9"; empty if the
    // address is in none that is known.
    std::string text_of(uint64_t address) const;
    // Whether it is worth asking; takes no lock. What has been freed before the call counts.
    bool may_have(uint64_t address) const {
        return address >= lowest_.load(std::memory_order_relaxed) && address < highest_.load(std::memory_order_relaxed);
    }

private:
    struct Allocation {
        uint64_t begin;
        size_t bytes;
        uint64_t test;
        uint64_t number;
        std::string made_at;
        std::string freed_at;
    };

    mutable std::mutex mutex_;
    std::map<uint64_t, Allocation> live_;  // by their begins
    std::deque<Allocation> freed_;         // the last one first
    uint64_t test_ = 0;                    // 0 while the process has no tests
    uint64_t number_ = 0;
    // Around all that was ever freed; changed under the lock.
    std::atomic<uint64_t> lowest_{UINT64_MAX};
    std::atomic<uint64_t> highest_{0};
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_FREED_MEMORY_H
