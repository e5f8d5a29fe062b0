// The maximum memory of this machine or container.
#ifndef RANKUNIT_DEVICE_HOST_MEMORY_H
#define RANKUNIT_DEVICE_HOST_MEMORY_H

#include <cstdint>
#include <optional>
#include <string>

namespace rankunit::device {

// An upper bound and its reason, such as "the memory limit of this container (memory.max)".
struct MemoryBound {
    uint64_t bytes;
    std::string reason;
};

// The tightest bound on memory and swap, from the machine and from the control groups of this process. `root` is the
// folder that contains proc and sys. None if nothing can be read.
std::optional<MemoryBound> memory_bound(const std::string &root);

// The bound if `bytes` of memory can never be available here, else none. Does not count memory currently used by
// others, since requested memory is seldom used completely.
std::optional<MemoryBound> exceeded_bound(uint64_t bytes);

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_HOST_MEMORY_H
