// The root info: where the ranks of a communicator find rank 0's bootstrap segment.
#ifndef RANKUNIT_MEET_ROOT_INFO_H
#define RANKUNIT_MEET_ROOT_INFO_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "support/unique_fd.h"

namespace rankunit::meet {

// A line of text, in a file or handed over by whoever starts the ranks.
struct RootInfo {
    uint32_t version;
    uint64_t pid_namespace;  // in which `pid` means rank 0; 0 if it is not known
    int pid;                 // of rank 0
    uint64_t start;          // of that process; tells it from a later one with the same pid
    int fd;                  // of the bootstrap segment, in that process
    uint64_t token;          // of the bootstrap segment; tells it from a later one with the same pid and fd
    int nranks;
    bool abandoned;  // the file is no longer held by whoever wrote it; never of a text that was handed over

    static RootInfo of_this_process(int fd, uint64_t token, int nranks);

    std::string text() const;
    // Throws COMM_MISMATCH if the text is none, or not all of one; that begins with `complaint`.
    static RootInfo parse(const std::string &text, const std::string &complaint);
    // The file's contents, or nothing while there is no file.
    static std::optional<RootInfo> read(const std::string &path);

    // The bootstrap segment that this leads to, or none if its owner is dead (then the root info is stale). Throws if
    // the owner lives in another pid namespace, or if this process may not look into it.
    UniqueFd open_segment() const;
    // Whether the owner is known to be dead.
    bool is_stale() const;
};

// The file while rank 0 needs it: published whole or not at all, removed with this object. It is locked all the while,
// which the system ends with its owner, so that processes of other pid namespaces too can tell whether that lives.
class PublishedRootInfo {
public:
    PublishedRootInfo(std::string path, const RootInfo &info);
    PublishedRootInfo(const PublishedRootInfo &) = delete;
    PublishedRootInfo &operator=(const PublishedRootInfo &) = delete;
    ~PublishedRootInfo();

private:
    std::string path_;
    UniqueFd locked_;
};

// Removes the file at `path` if its owner is dead; leaves any other as it is.
void remove_stale_root_info(const std::string &path);

}  // namespace rankunit::meet

#endif  // RANKUNIT_MEET_ROOT_INFO_H
