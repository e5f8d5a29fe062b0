// Memory shared between processes: a file without a name, so a crash leaves nothing behind and two sessions cannot
// clash.
#ifndef RANKUNIT_DEVICE_SHARED_MEMORY_H
#define RANKUNIT_DEVICE_SHARED_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "device/guarded_pages.h"
#include "support/unique_fd.h"

namespace rankunit::device {

// A mapping of one or more parts, each between guard pages: an overrun of one part faults and does not reach the next.
// The memory stays alive as long as any process maps it or has its descriptor open.
class SharedMemory {
public:
    // Makes `parts` x `bytes` of zeros. Other processes open them through `fd_out`. `name` is visible only in /proc.
    // Throws COMM_OUT_OF_MEMORY if this machine or container can never hold that much.
    static SharedMemory create(const char *name, size_t bytes, size_t parts, UniqueFd *fd_out);
    // Maps memory that another process made. Throws COMM_MISMATCH if it is smaller than `parts` x `bytes`.
    static SharedMemory map(const UniqueFd &fd, size_t bytes, size_t parts);

    SharedMemory() = default;

    // The start of a part.
    void *part(size_t i) const { return first_ + i * distance_; }

private:
    SharedMemory(const UniqueFd &fd, size_t bytes, size_t parts);

    ReservedPages pages_;
    char *first_ = nullptr;
    size_t distance_ = 0;
};

// The id of this process in /proc, which may belong to another pid namespace than the process.
int pid_in_proc();

// The start time of the process `pid` of /proc, in ticks since the machine booted; 0 if there is none. Distinguishes a
// process from a later one with the same pid.
uint64_t start_of_process(int pid);

// Opens descriptor `fd` of the process `pid` of /proc if it is memory that was created as `name`; returns none if the
// process or the descriptor is gone. Throws COMM_SYSTEM if this process has no permission to inspect it.
UniqueFd open_of_process(int pid, int fd, const char *name);

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_SHARED_MEMORY_H
