// The rendezvous file: where the ranks of a communicator find rank 0's segment.
#ifndef RANKUNIT_SIM_ROOT_INFO_H
#define RANKUNIT_SIM_ROOT_INFO_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "support/unique_fd.h"

namespace rankunit::sim {

// What the file says.
struct RootInfo {
    uint32_t version;
    int pid;         // of rank 0
    int fd;          // of the segment, in that process
    uint64_t token;  // of the segment; tells it from a later one with the same pid and fd
    uint64_t segment_bytes;
    uint64_t window_bytes;
    int nranks;

    // The file's contents, or nothing while there is no file. Throws if it is something else than a rootinfo file.
    static std::optional<RootInfo> read(const std::string &path);

    // The segment that the file leads to, or none if its owner is dead (then the file is stale).
    UniqueFd open_segment() const;
};

// The file while rank 0 needs it: published whole or not at all, removed with this object.
class PublishedRootInfo {
public:
    PublishedRootInfo(std::string path, const RootInfo &info);
    PublishedRootInfo(const PublishedRootInfo &) = delete;
    PublishedRootInfo &operator=(const PublishedRootInfo &) = delete;
    ~PublishedRootInfo();

private:
    std::string path_;
};

// Removes the file at `path` if its owner is dead; leaves any other as it is.
void remove_stale_root_info(const std::string &path);

}  // namespace rankunit::sim

#endif  // RANKUNIT_SIM_ROOT_INFO_H
