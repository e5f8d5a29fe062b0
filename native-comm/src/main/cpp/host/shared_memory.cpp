#include "host/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "host/host_memory.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::host {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

// Where a mapping of `bytes` may start so that its huge pages are whole; nullptr leaves it to the kernel.
void *place_for_huge_pages(size_t bytes) {
    if (bytes < kHugePage) return nullptr;
    void *room = mmap(nullptr, bytes + kHugePage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return nullptr;
    munmap(room, bytes + kHugePage);
    const uintptr_t start = reinterpret_cast<uintptr_t>(room);
    return reinterpret_cast<void *>((start + kHugePage - 1) / kHugePage * kHugePage);
}

}  // namespace

SharedMemory SharedMemory::create(const char *name, size_t bytes, UniqueFd *fd_out) {
    // Pages are taken when they are touched, and one that cannot be had then ends the process, so it is said before.
    const std::optional<MemoryBound> exceeded = exceeded_bound(bytes);
    if (exceeded.has_value()) {
        throw Failure(COMM_OUT_OF_MEMORY, "the windows of all ranks take " + std::to_string(bytes) +
                                              " bytes of memory on this machine, and " + exceeded->reason + " is " +
                                              std::to_string(exceeded->bytes) + " bytes; ask for smaller windows");
    }
    UniqueFd fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!fd) throw Failure(COMM_SYSTEM, system_text("memfd_create"));
    if (ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) throw Failure(COMM_SYSTEM, system_text("ftruncate"));
    // Nobody may cut the file under a peer's mapping: that would be SIGBUS there.
    if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        throw Failure(COMM_SYSTEM, system_text("fcntl(F_ADD_SEALS)"));
    }
    SharedMemory memory = map_bytes(fd, bytes);
    *fd_out = std::move(fd);
    return memory;
}

SharedMemory SharedMemory::map(const UniqueFd &fd) {
    struct stat status {};
    if (fstat(fd.get(), &status) != 0) throw Failure(COMM_SYSTEM, system_text("fstat"));
    return map_bytes(fd, static_cast<size_t>(status.st_size));
}

SharedMemory SharedMemory::map_bytes(const UniqueFd &fd, size_t bytes) {
    // NORESERVE: pages are taken when they are touched, as most of a default window never is. The place is a wish only.
    void *base =
        mmap(place_for_huge_pages(bytes), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
    if (base == MAP_FAILED) {
        const int code = errno == ENOMEM ? COMM_OUT_OF_MEMORY : COMM_SYSTEM;
        throw Failure(code, system_text("mmap") + " (" + std::to_string(bytes) + " bytes)");
    }
    // Only where the administrator lets memory files have them (shmem_enabled = advise); else this changes nothing.
    if (bytes >= kHugePage) madvise(base, bytes, MADV_HUGEPAGE);
    return SharedMemory(base, bytes);
}

SharedMemory::SharedMemory(SharedMemory &&other) noexcept
    : base_(std::exchange(other.base_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

SharedMemory &SharedMemory::operator=(SharedMemory &&other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

SharedMemory::~SharedMemory() {
    if (base_ != nullptr) munmap(base_, bytes_);
}

int pid_in_proc() {
    char target[16] = {};
    if (readlink("/proc/self", target, sizeof(target) - 1) < 0) return getpid();
    return std::atoi(target);
}

UniqueFd open_of_process(int pid, int fd, const char *name) {
    const std::string link = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(fd);
    // A later process may have a dead one's pid, and anything behind that descriptor: look before opening.
    char target[64] = {};
    if (readlink(link.c_str(), target, sizeof(target) - 1) < 0) return UniqueFd();
    if (std::string(target).rfind(std::string("/memfd:") + name, 0) != 0) return UniqueFd();
    return UniqueFd(open(link.c_str(), O_RDWR | O_CLOEXEC));
}

}  // namespace rankunit::host
