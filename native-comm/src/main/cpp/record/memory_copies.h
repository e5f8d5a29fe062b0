// Copies of memory in a file beside the log, for a test that asks for them.
#ifndef RANKUNIT_RECORD_MEMORY_COPIES_H
#define RANKUNIT_RECORD_MEMORY_COPIES_H

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "support/unique_fd.h"

namespace rankunit::record {

// The file of this process. Thread-safe; copies wait for each other.
class MemoryCopies {
public:
    static MemoryCopies &of_process();

    // Copies go into this file from now on, which is made by the first of them; an empty path ends that.
    void begin(const std::string &path, uint64_t most_bytes);

    bool wanted() const noexcept { return wanted_.load(std::memory_order_relaxed); }

    // The offset of the copy in the file; nothing if the file or its disk has no room for all of it.
    std::optional<uint64_t> add(const void *memory, uint64_t bytes) noexcept;

private:
    bool write(const void *memory, uint64_t bytes) const noexcept;

    std::atomic<bool> wanted_{false};
    std::mutex mutex_;  // for the rest
    std::string path_;
    UniqueFd fd_;  // none before the first copy
    uint64_t most_ = 0;
    uint64_t end_ = 0;
};

}  // namespace rankunit::record

#endif  // RANKUNIT_RECORD_MEMORY_COPIES_H
