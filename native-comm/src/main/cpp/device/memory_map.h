// Which addresses of this process are device memory or windows.
#ifndef RANKUNIT_DEVICE_MEMORY_MAP_H
#define RANKUNIT_DEVICE_MEMORY_MAP_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <shared_mutex>
#include <vector>

namespace rankunit::device {

// Turns a wrong address into an error with a text, where hardware would fault and a simulator crash. One map per
// process, for memory of all its devices and communicators. Safe for threads.
class MemoryMap {
public:
    static MemoryMap &of_process();

    // What checked accesses may do.
    enum class Use { kRead, kWrite };

    // Throws with DEVICE_INVALID_ARGUMENT if a part of it is known already. A range for kRead is never written.
    void add(uint64_t start, uint64_t bytes, Use most = Use::kWrite);
    // Waits for accesses in progress. `release` runs before any other range can take the same place.
    void remove(uint64_t start, const std::function<void()> &release);

    // Runs `access` if all of [address, address + bytes) lies in one range, which stays until it has returned.
    // Throws with DEVICE_BAD_ADDRESS if it does not, or if it may not be used so.
    template <typename Access>
    void access(uint64_t address, uint64_t bytes, Use use, const Access &access) const {
        const std::shared_lock<std::shared_mutex> lock(mutex_);
        require(address, bytes, use);
        access();
    }

    // The same for two ranges of `bytes` bytes, which may be the same: one is read and one is written.
    template <typename Access>
    void access(uint64_t source, uint64_t target, uint64_t bytes, const Access &access) const {
        const std::shared_lock<std::shared_mutex> lock(mutex_);
        require(source, bytes, Use::kRead);
        require(target, bytes, Use::kWrite);
        access();
    }

private:
    void require(uint64_t address, uint64_t bytes, Use use) const;

    struct Range {
        uint64_t start;
        uint64_t bytes;
        Use most;
    };
    using Ranges = std::vector<Range>;
    Ranges::const_iterator first_behind(uint64_t address) const;

    mutable std::shared_mutex mutex_;
    // Disjoint, by their start. A few, looked at with each copy: together they lie on fewer cache lines than in a tree.
    Ranges ranges_;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_MEMORY_MAP_H
