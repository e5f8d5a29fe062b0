// Memory that processes share: a file without a name, so a crash leaves nothing and two sessions cannot clash.
#ifndef RANKUNIT_DEVICE_SHARED_MEMORY_H
#define RANKUNIT_DEVICE_SHARED_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "device/guarded_pages.h"
#include "support/unique_fd.h"

namespace rankunit::device {

// A mapping of one or more parts, each between guard pages: whoever runs over the end of one faults there and does not
// reach the next. The memory stays alive as long as any process maps it or has its descriptor open.
class SharedMemory {
public:
    // Makes `parts` x `bytes` of zeros; `fd_out` is what other processes open them by. `name` is seen in /proc alone.
    // Throws COMM_OUT_OF_MEMORY if this machine or container can never hold that much.
    static SharedMemory create(const char *name, size_t bytes, size_t parts, UniqueFd *fd_out);
    // Maps what another process has made. Throws COMM_MISMATCH if that has less than `parts` x `bytes`.
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

// The id of this process in /proc, which may be of another pid namespace than the process.
int pid_in_proc();

// When the process that is `pid` in /proc began, in ticks since the machine was started; 0 if there is none. Tells a
// process from a later one that was given its pid.
uint64_t start_of_process(int pid);

// Opens descriptor `fd` of the process that is `pid` in /proc, if that is memory which was made under `name`; none if
// the process or the descriptor is gone. Throws COMM_SYSTEM if this process may not look.
UniqueFd open_of_process(int pid, int fd, const char *name);

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_SHARED_MEMORY_H
