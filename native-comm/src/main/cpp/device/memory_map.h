// Which addresses of this process are device memory or windows.
#ifndef RANKUNIT_DEVICE_MEMORY_MAP_H
#define RANKUNIT_DEVICE_MEMORY_MAP_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace rankunit::device {

// Reports a wrong address as an error with a text, instead of a hardware fault or a crash of the simulator. One map per
// process, for the memory of all its devices and communicators. Thread-safe.
class MemoryMap {
public:
    static MemoryMap &of_process();

    // The kinds of access that are checked.
    enum class Use { kRead, kWrite };

    // Throws DEVICE_INVALID_ARGUMENT if the range overlaps a known one. With `most` = kRead, writes to the range are
    // rejected.
    void add(uint64_t start, uint64_t bytes, Use most = Use::kWrite);
    // Waits for accesses in progress. `release` runs before another range can be added at the same addresses.
    void remove(uint64_t start, const std::function<void()> &release);

    // The range that the address lies in, or the gap between ranges.
    struct Extent {
        uint64_t end;
        bool known;
    };
    Extent extent_of(uint64_t address) const;

    // Where the range begins that the address lies in.
    std::optional<uint64_t> start_of(uint64_t address) const;

    // Runs `access` if all of [address, address + bytes) lies in one range; the range is not removed before it returns.
    // Throws DEVICE_BAD_ADDRESS if it does not, or if the range does not allow this use.
    template <typename Access>
    void access(uint64_t address, uint64_t bytes, Use use, const Access &access) const {
        const std::shared_lock<std::shared_mutex> lock(mutex_);
        require(address, bytes, use);
        access();
    }

    // The same for two ranges of `bytes` bytes each: one is read and the other written. Throws DEVICE_INVALID_ARGUMENT
    // if they overlap and are not equal, since a device may move the bytes in any order.
    template <typename Access>
    void access(uint64_t source, uint64_t target, uint64_t bytes, const Access &access) const {
        const std::shared_lock<std::shared_mutex> lock(mutex_);
        require(source, bytes, Use::kRead);
        require(target, bytes, Use::kWrite);
        require_apart(source, target, bytes);
        access();
    }

    // Throws DEVICE_BAD_ADDRESS if one of these words is an address in memory that has been freed, as if a kernel that
    // gets it used it. Whatever else it is, it may be a number.
    void require_not_freed(const uint64_t *args, size_t count) const;

private:
    void require(uint64_t address, uint64_t bytes, Use use) const;
    static void require_apart(uint64_t source, uint64_t target, uint64_t bytes);

    struct Range {
        uint64_t start;
        uint64_t bytes;
        Use most;
    };
    using Ranges = std::vector<Range>;
    Ranges::const_iterator first_behind(uint64_t address) const;

    mutable std::shared_mutex mutex_;
    // Disjoint, sorted by start. A vector, since there are few ranges and each copy searches them: it uses fewer cache
    // lines than a tree.
    Ranges ranges_;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_MEMORY_MAP_H
