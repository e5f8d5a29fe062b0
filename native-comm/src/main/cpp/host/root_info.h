// The root info: where the ranks of a communicator find rank 0's board.
#ifndef RANKUNIT_HOST_ROOT_INFO_H
#define RANKUNIT_HOST_ROOT_INFO_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "support/unique_fd.h"

namespace rankunit::host {

// A line of text, in a file or handed over by whoever starts the ranks.
struct RootInfo {
    uint32_t version;
    uint64_t pid_namespace;  // in which `pid` means rank 0; 0 if it is not known
    int pid;                 // of rank 0
    int fd;                  // of the board, in that process
    uint64_t token;          // of the board; tells it from a later one with the same pid and fd
    int nranks;

    static RootInfo of_this_process(int fd, uint64_t token, int nranks);

    std::string text() const;
    // Throws COMM_MISMATCH if the text is none, or not all of one; that begins with `complaint`.
    static RootInfo parse(const std::string &text, const std::string &complaint);
    // The file's contents, or nothing while there is no file.
    static std::optional<RootInfo> read(const std::string &path);

    // The board that this leads to, or none if its owner is dead (then the root info is stale). Throws if the owner
    // cannot be told, since it lives in another pid namespace.
    UniqueFd open_board() const;
    bool is_of_this_namespace() const;
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

// Removes the file at `path` if its owner is dead; leaves any other as it is, also one of another pid namespace.
void remove_stale_root_info(const std::string &path);

}  // namespace rankunit::host

#endif  // RANKUNIT_HOST_ROOT_INFO_H
