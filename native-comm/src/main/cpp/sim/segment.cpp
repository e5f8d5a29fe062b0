#include "sim/segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <new>
#include <utility>

#include "support/failure.h"

namespace rankunit::sim {
namespace {

constexpr size_t kDefaultWindowBytes = size_t{200} << 20;
// Half of the address space of a process on the smallest supported machine; beyond it sums could overflow.
constexpr size_t kMaxSegmentBytes = size_t{1} << 46;

}  // namespace

SegmentShape SegmentShape::of(int nranks, size_t requested) {
    const size_t wanted = requested == 0 ? kDefaultWindowBytes : requested;
    if (wanted > (kMaxSegmentBytes - kHeaderBytes) / static_cast<size_t>(nranks) - kPageBytes) {
        throw Failure(COMM_INVALID_ARGUMENT, "win_size = " + std::to_string(requested) + ": " + std::to_string(nranks) +
                                                 " windows of this size cannot be addressed");
    }
    return SegmentShape{nranks, round_up_to_page(wanted)};
}

Segment Segment::create(const SegmentShape &shape, uint64_t token, UniqueFd *fd_out) {
    UniqueFd fd(memfd_create("rankunit-segment", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!fd) throw Failure(COMM_SYSTEM, system_text("memfd_create"));
    const size_t bytes = shape.segment_bytes();
    if (ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) throw Failure(COMM_SYSTEM, system_text("ftruncate"));
    // Nobody may cut the file under a peer's mapping: that would be SIGBUS there.
    if (fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        throw Failure(COMM_SYSTEM, system_text("fcntl(F_ADD_SEALS)"));
    }
    Segment segment = map_bytes(fd, bytes);
    auto *header = new (segment.base_) SegmentHeader{};
    header->magic = kSegmentMagic;
    header->version = COMM_ABI_VERSION;
    header->nranks = static_cast<uint32_t>(shape.nranks);
    header->token = token;
    header->window_bytes = shape.window_bytes;
    header->segment_bytes = bytes;
    *fd_out = std::move(fd);
    return segment;
}

Segment Segment::map(const UniqueFd &fd) {
    struct stat status {};
    if (fstat(fd.get(), &status) != 0) throw Failure(COMM_SYSTEM, system_text("fstat"));
    return map_bytes(fd, static_cast<size_t>(status.st_size));
}

Segment Segment::map_bytes(const UniqueFd &fd, size_t bytes) {
    // NORESERVE: pages are taken when they are touched, as most of a default window never is.
    void *base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd.get(), 0);
    if (base == MAP_FAILED) {
        const int code = errno == ENOMEM ? COMM_OUT_OF_MEMORY : COMM_SYSTEM;
        throw Failure(code, system_text("mmap") + " (" + std::to_string(bytes) + " bytes)");
    }
    return Segment(base, bytes);
}

Segment::Segment(Segment &&other) noexcept
    : base_(std::exchange(other.base_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Segment::~Segment() {
    if (base_ != nullptr) munmap(base_, bytes_);
}

}  // namespace rankunit::sim
