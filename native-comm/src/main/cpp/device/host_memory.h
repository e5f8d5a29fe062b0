// How much memory this machine or container can hold at all.
#ifndef RANKUNIT_DEVICE_HOST_MEMORY_H
#define RANKUNIT_DEVICE_HOST_MEMORY_H

#include <cstdint>
#include <optional>
#include <string>

namespace rankunit::device {

// Upper bound and its reason, such as "the memory limit of this container (memory.max)".
struct MemoryBound {
    uint64_t bytes;
    std::string reason;
};

// The narrowest bound of memory and swap of the machine and of the control groups around this process. `root` is the
// folder in which proc and sys lie. None if nothing can be read.
std::optional<MemoryBound> memory_bound(const std::string &root);

// The bound, if `bytes` of memory can never be held here; else none. What is in use by others at the moment is not
// counted: memory that was asked for is seldom used whole.
std::optional<MemoryBound> exceeded_bound(uint64_t bytes);

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_HOST_MEMORY_H
