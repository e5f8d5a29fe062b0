// Memory that processes share: a file without a name, so a crash leaves nothing and two sessions cannot clash.
#ifndef RANKUNIT_HOST_SHARED_MEMORY_H
#define RANKUNIT_HOST_SHARED_MEMORY_H

#include <cstddef>
#include <string>

#include "support/unique_fd.h"

namespace rankunit::host {

// A mapping. The memory stays alive as long as any process maps it or has its descriptor open.
class SharedMemory {
public:
    // Makes `bytes` of zeros; `fd_out` is what other processes open them by. `name` is seen in /proc alone.
    // Throws COMM_OUT_OF_MEMORY if this machine or container can never hold that much.
    static SharedMemory create(const char *name, size_t bytes, UniqueFd *fd_out);
    // Maps what another process has made.
    static SharedMemory map(const UniqueFd &fd);

    SharedMemory() = default;
    SharedMemory(SharedMemory &&other) noexcept;
    SharedMemory &operator=(SharedMemory &&other) noexcept;
    ~SharedMemory();

    void *base() const { return base_; }
    size_t bytes() const { return bytes_; }

private:
    SharedMemory(void *base, size_t bytes) : base_(base), bytes_(bytes) {}
    static SharedMemory map_bytes(const UniqueFd &fd, size_t bytes);

    void *base_ = nullptr;
    size_t bytes_ = 0;
};

// The id of this process in /proc, which may be of another pid namespace than the process.
int pid_in_proc();

// Opens descriptor `fd` of the process that is `pid` in /proc, if that is memory which was made under `name`; else
// none.
UniqueFd open_of_process(int pid, int fd, const char *name);

}  // namespace rankunit::host

#endif  // RANKUNIT_HOST_SHARED_MEMORY_H
