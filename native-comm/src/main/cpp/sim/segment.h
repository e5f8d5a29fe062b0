// The shared memory of one communicator as this process sees it.
#ifndef RANKUNIT_SIM_SEGMENT_H
#define RANKUNIT_SIM_SEGMENT_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/segment_layout.h"
#include "support/unique_fd.h"

namespace rankunit::sim {

// Settings that all ranks of a communicator must share.
struct SegmentShape {
    int nranks;
    size_t window_bytes;  // of each window, whole pages

    // Rounds `requested` up to whole pages; 0 stands for 200 MiB. Throws if the segment could not be addressed.
    static SegmentShape of(int nranks, size_t requested);
    size_t segment_bytes() const { return kHeaderBytes + window_bytes * static_cast<size_t>(nranks); }
};

// Mapping of a segment. It stays alive as long as any process maps it and has no name, so a crash leaves nothing.
class Segment {
public:
    // Makes a new segment, all zero behind its header; `fd_out` is what other ranks open it by.
    static Segment create(const SegmentShape &shape, uint64_t token, UniqueFd *fd_out);
    // Maps a segment that another process has made.
    static Segment map(const UniqueFd &fd);

    Segment(Segment &&other) noexcept;
    Segment &operator=(Segment &&) = delete;
    ~Segment();

    SegmentHeader &header() const { return *static_cast<SegmentHeader *>(base_); }
    size_t bytes() const { return bytes_; }
    uint64_t windows_start() const { return reinterpret_cast<uint64_t>(base_) + kHeaderBytes; }
    uint64_t window(int rank) const { return windows_start() + header().window_bytes * static_cast<uint64_t>(rank); }

private:
    Segment(void *base, size_t bytes) : base_(base), bytes_(bytes) {}
    static Segment map_bytes(const UniqueFd &fd, size_t bytes);

    void *base_;
    size_t bytes_;
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_SIM_SEGMENT_H
