#include "device/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "device/guarded_pages.h"
#include "device/host_memory.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::device {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

// The alignment of each part, in memory and in the file, so that large parts can use huge pages.
size_t unit_of(size_t bytes) {
    return bytes < kHugePage ? page_bytes() : kHugePage;
}

size_t file_bytes(size_t bytes, size_t parts) {
    return round_up(bytes, unit_of(bytes)) * parts;
}

}  // namespace

SharedMemory SharedMemory::create(const char *name, size_t bytes, size_t parts, UniqueFd *fd_out) {
    // Pages are allocated on first access, and if that fails the process is killed, so this is checked beforehand.
    const std::optional<MemoryBound> exceeded = exceeded_bound(bytes * parts);
    if (exceeded.has_value()) {
        throw Failure(COMM_OUT_OF_MEMORY, "the windows of all ranks take " + std::to_string(bytes * parts) +
                                              " bytes of memory on this machine, and " + exceeded->reason + " is " +
                                              std::to_string(exceeded->bytes) + " bytes; ask for smaller windows");
    }
    UniqueFd fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!fd) throw Failure(COMM_SYSTEM, system_text("memfd_create"));
    if (ftruncate(fd.get(), static_cast<off_t>(file_bytes(bytes, parts))) != 0) {
        throw Failure(COMM_SYSTEM, system_text("ftruncate"));
    }
    // The file must not be truncated under a peer's mapping: the peer would get SIGBUS.
    if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        throw Failure(COMM_SYSTEM, system_text("fcntl(F_ADD_SEALS)"));
    }
    SharedMemory memory(fd, bytes, parts);
    *fd_out = std::move(fd);
    return memory;
}

SharedMemory SharedMemory::map(const UniqueFd &fd, size_t bytes, size_t parts) {
    struct stat status{};
    if (fstat(fd.get(), &status) != 0) throw Failure(COMM_SYSTEM, system_text("fstat"));
    if (static_cast<size_t>(status.st_size) < file_bytes(bytes, parts)) {
        throw Failure(COMM_MISMATCH, "a peer shares " + std::to_string(status.st_size) + " bytes of memory, expected " +
                                         std::to_string(file_bytes(bytes, parts)));
    }
    return SharedMemory(fd, bytes, parts);
}

SharedMemory::SharedMemory(const UniqueFd &fd, size_t bytes, size_t parts) {
    const size_t unit = unit_of(bytes);
    const size_t stride = round_up(bytes, unit);
    // The guard after a part is also the one before the next part. One extra unit leaves room to align the start.
    distance_ = stride + unit;
    pages_ = ReservedPages(parts * distance_ + 2 * unit);
    first_ = reinterpret_cast<char *>(round_up(reinterpret_cast<uintptr_t>(pages_.base()) + unit, unit));
    for (size_t i = 0; i < parts; i++) {
        // NORESERVE: pages are allocated on first access, and most of a default window is never accessed.
        void *mapped = mmap(part(i), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd.get(),
                            static_cast<off_t>(i * stride));
        if (mapped == MAP_FAILED) {
            const int code = errno == ENOMEM ? COMM_OUT_OF_MEMORY : COMM_SYSTEM;
            throw Failure(code, system_text("mmap") + " (" + std::to_string(bytes) + " bytes)");
        }
        // Takes effect only if the administrator allows huge pages for memory files (shmem_enabled = advise).
        if (unit == kHugePage) madvise(mapped, bytes, MADV_HUGEPAGE);
    }
}

int pid_in_proc() {
    char target[16] = {};
    if (readlink("/proc/self", target, sizeof(target) - 1) < 0) return getpid();
    return std::atoi(target);
}

uint64_t start_of_process(int pid) {
    // Reads the first thread, which started with the process: processor emulators show a process a different "stat" of
    // itself.
    const std::string id = std::to_string(pid);
    std::ifstream file("/proc/" + id + "/task/" + id + "/stat");
    std::string line;
    std::getline(file, line);
    // The name in parentheses may contain anything; after it come the state and 18 numbers that are not needed here.
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string skipped;
    for (int i = 0; i < 19; i++) fields >> skipped;
    uint64_t start = 0;
    fields >> start;
    return fields ? start : 0;
}

UniqueFd open_of_process(int pid, int fd, const char *name) {
    const auto nothing = [pid] {
        if (errno == EACCES || errno == EPERM) {
            throw Failure(COMM_SYSTEM, "the memory of process " + std::to_string(pid) +
                                           " cannot be opened: " + std::strerror(errno) +
                                           "; start all ranks as the same user, and let none of them make itself "
                                           "undumpable (PR_SET_DUMPABLE, or a change of user)");
        }
        return UniqueFd();
    };
    const std::string link = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(fd);
    // A later process may have a dead one's pid, and that descriptor may be anything: check before opening.
    char target[64] = {};
    if (readlink(link.c_str(), target, sizeof(target) - 1) < 0) return nothing();
    if (std::string(target).rfind(std::string("/memfd:") + name, 0) != 0) return UniqueFd();
    UniqueFd opened(open(link.c_str(), O_RDWR | O_CLOEXEC));
    return opened ? std::move(opened) : nothing();
}

}  // namespace rankunit::device
