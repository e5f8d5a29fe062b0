// The root info: where the ranks of a communicator find rank 0's bootstrap segment, or rank 0 itself.
#ifndef RANKUNIT_BOOTSTRAP_ROOT_INFO_H
#define RANKUNIT_BOOTSTRAP_ROOT_INFO_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "bootstrap/network/endpoint.h"
#include "support/unique_fd.h"

namespace rankunit::bootstrap {

// A line of text, in a file or passed on by the program that starts the ranks.
struct RootInfo {
    uint32_t version;
    uint64_t pid_namespace;  // in which `pid` is rank 0's; 0 if unknown
    int pid;                 // of rank 0
    uint64_t start;          // of that process; distinguishes it from a later one with the same pid
    int fd;                  // of the bootstrap segment, in that process
    uint64_t token;          // of the bootstrap segment; distinguishes it from a later one with the same pid and fd
    int nranks;
    bool abandoned;  // the writer no longer holds the file's lock; never set for a text that was passed on
    // Where rank 0 listens, if the ranks meet over a network. The other ranks need none of the numbers from
    // `pid_namespace` to `token` then.
    std::optional<Endpoint> endpoint;

    static RootInfo of_this_process(int fd, uint64_t token, int nranks);
    static RootInfo of_endpoint(const Endpoint &endpoint, int nranks);

    std::string text() const;
    // Throws COMM_MISMATCH, with a text that begins with `complaint`, if `text` is not a complete root info.
    static RootInfo parse(const std::string &text, const std::string &complaint);
    // Returns the file's contents, or nothing if there is no file.
    static std::optional<RootInfo> read(const std::string &path);

    // Opens the bootstrap segment that this refers to, unless it has an endpoint; returns none if its owner is dead
    // (then the root info is stale). Throws if the owner lives in another pid namespace, or if this process has no
    // permission to inspect it.
    UniqueFd open_segment() const;
    // Whether the owner is known to be dead.
    bool is_stale() const;
    // For errors: "process 4711", or "at 10.0.0.1:4711".
    std::string owner() const;
};

// The file while rank 0 needs it: published atomically, and removed with this object. It stays locked all the time, and
// the system releases the lock when its owner ends, so that even processes in other pid namespaces can tell whether the
// owner is alive.
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

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_ROOT_INFO_H
