#include "sim/root_info.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <utility>

#include "rankunit/comm.h"
#include "sim/segment_layout.h"
#include "support/failure.h"

namespace rankunit::sim {
namespace {

constexpr const char *kFormat = "rankunit-rootinfo version=%" PRIu32 " pid=%d fd=%d token=%" PRIx64 " segment=%" PRIu64
                                " window=%" PRIu64 " nranks=%d\n";
constexpr const char *kScanFormat = "rankunit-rootinfo version=%" SCNu32 " pid=%d fd=%d token=%" SCNx64
                                    " segment=%" SCNu64 " window=%" SCNu64 " nranks=%d";
constexpr int kFields = 7;
constexpr size_t kMaxFileBytes = 512;

void write_whole(const std::string &path, const char *text, size_t length) {
    UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) throw Failure(COMM_SYSTEM, system_text("open") + " (" + path + ")");
    if (write(file.get(), text, length) != static_cast<ssize_t>(length)) {
        const std::string reason = system_text("write") + " (" + path + ")";
        unlink(path.c_str());
        throw Failure(COMM_SYSTEM, reason);
    }
}

}  // namespace

std::optional<RootInfo> RootInfo::read(const std::string &path) {
    // NONBLOCK: whatever else may lie there, a pipe for one, must not hold us.
    UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file && errno == ENOENT) return std::nullopt;
    if (!file) throw Failure(COMM_SYSTEM, system_text("open") + " (" + path + ")");
    char text[kMaxFileBytes] = {};
    const ssize_t length = ::read(file.get(), text, sizeof(text) - 1);
    if (length < 0) throw Failure(COMM_SYSTEM, system_text("read") + " (" + path + ")");
    RootInfo info{};
    if (std::sscanf(text, kScanFormat, &info.version, &info.pid, &info.fd, &info.token, &info.segment_bytes,
                    &info.window_bytes, &info.nranks) != kFields) {
        throw Failure(COMM_MISMATCH,
                      path + " exists and is not a rootinfo file; give each communicator a path of its own");
    }
    return info;
}

UniqueFd RootInfo::open_segment() const {
    const std::string link = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(fd);
    // A later process may have the dead owner's pid, and anything behind that descriptor: look before opening.
    char target[64] = {};
    constexpr char kExpected[] = "/memfd:rankunit-segment";
    if (readlink(link.c_str(), target, sizeof(target) - 1) < 0) return UniqueFd();
    if (std::strncmp(target, kExpected, sizeof(kExpected) - 1) != 0) return UniqueFd();
    UniqueFd segment(open(link.c_str(), O_RDWR | O_CLOEXEC));
    if (!segment) return UniqueFd();
    struct {
        uint64_t magic;
        uint32_t version;
        uint32_t nranks;
        uint64_t token;
    } front{};
    static_assert(offsetof(SegmentHeader, token) == 16);
    if (pread(segment.get(), &front, sizeof(front), 0) != static_cast<ssize_t>(sizeof(front))) return UniqueFd();
    if (front.magic != kSegmentMagic || front.token != token) return UniqueFd();
    return segment;
}

PublishedRootInfo::PublishedRootInfo(std::string path, const RootInfo &info) : path_(std::move(path)) {
    char text[kMaxFileBytes];
    const int length = std::snprintf(text, sizeof(text), kFormat, info.version, info.pid, info.fd, info.token,
                                     info.segment_bytes, info.window_bytes, info.nranks);
    const std::string draft = path_ + "." + std::to_string(getpid()) + ".tmp";
    write_whole(draft, text, static_cast<size_t>(length));
    // rename() would silently take the path from another communicator that is alive; this rename refuses.
    const int renamed = renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE);
    if (renamed != 0) {
        const bool taken = errno == EEXIST;
        const std::string reason = system_text("renameat2") + " (" + path_ + ")";
        unlink(draft.c_str());
        if (!taken) throw Failure(COMM_SYSTEM, reason);
        throw Failure(COMM_MISMATCH,
                      path_ + " is in use by another communicator; give each communicator a path of its own");
    }
}

PublishedRootInfo::~PublishedRootInfo() {
    unlink(path_.c_str());
}

void remove_stale_root_info(const std::string &path) {
    const std::optional<RootInfo> info = RootInfo::read(path);
    if (info.has_value() && !info->open_segment()) unlink(path.c_str());
}

}  // namespace rankunit::sim
