#include "bootstrap/root_info.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <utility>

#include "bootstrap/segment/bootstrap_layout.h"
#include "device/shared_memory.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::bootstrap {
namespace {

constexpr const char *kFormat = "rankunit-rootinfo version=%" PRIu32 " ns=%" PRIu64 " pid=%d start=%" PRIu64
                                " fd=%d token=%" PRIx64 " nranks=%d.\n";
constexpr const char *kScanFormat =
    "rankunit-rootinfo version=%" SCNu32 " ns=%" SCNu64 " pid=%d start=%" SCNu64 " fd=%d token=%" SCNx64 " nranks=%d%c";
constexpr int kFields = 8;
constexpr const char *kNetworkFormat = "rankunit-rootinfo version=%" PRIu32 " address=%s port=%" PRIu16
                                       " secret=%016" PRIx64 "%016" PRIx64 " nranks=%d.\n";
constexpr const char *kNetworkScanFormat =
    "rankunit-rootinfo version=%" SCNu32 " address=%63[0-9a-fA-F:.] port=%" SCNu16 " secret=%16" SCNx64 "%16" SCNx64
    " nranks=%d%c";
constexpr int kNetworkFields = 7;
constexpr size_t kMaxFileBytes = 512;

// Returns 0 if /proc does not show it.
uint64_t own_pid_namespace() {
    struct stat status{};
    return stat("/proc/self/ns/pid", &status) == 0 ? static_cast<uint64_t>(status.st_ino) : 0;
}

// Returns the file, locked.
UniqueFd write_whole(const std::string &path, const char *text, size_t length) {
    UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file) throw Failure(COMM_SYSTEM, system_text("open") + " (" + path + ")");
    if (write(file.get(), text, length) != static_cast<ssize_t>(length)) {
        const std::string reason = system_text("write") + " (" + path + ")";
        unlink(path.c_str());
        throw Failure(COMM_SYSTEM, reason);
    }
    // Locks the file before others can see it. On a file system without locks, the owner is assumed to be alive.
    flock(file.get(), LOCK_EX | LOCK_NB);
    return file;
}

// Whether the lock that the owner of such a file holds has been released.
bool is_abandoned(const UniqueFd &file) {
    return flock(file.get(), LOCK_SH | LOCK_NB) == 0;
}

// False if `text` is not a complete one of this form.
bool scan_network_form(const std::string &text, RootInfo *info) {
    char address[64] = {};
    Endpoint endpoint{};
    char end = 0;
    const int fields = std::sscanf(text.c_str(), kNetworkScanFormat, &info->version, address, &endpoint.port,
                                   &endpoint.secret.high, &endpoint.secret.low, &info->nranks, &end);
    if (fields != kNetworkFields || end != '.') return false;
    endpoint.address = address;
    info->endpoint = endpoint;
    return true;
}

bool scan_process_form(const std::string &text, RootInfo *info) {
    // The full stop at the end distinguishes a complete line from one that was cut inside its last number.
    char end = 0;
    return std::sscanf(text.c_str(), kScanFormat, &info->version, &info->pid_namespace, &info->pid, &info->start,
                       &info->fd, &info->token, &info->nranks, &end) == kFields &&
           end == '.';
}

// Whether `text` begins with this line, whose end it may lack.
bool begins_with(const std::string &text, const std::string &line) {
    return text.compare(0, line.size() - 1, line, 0, line.size() - 1) == 0;
}

bool is_of_this_namespace(const RootInfo &info) {
    return info.pid_namespace == own_pid_namespace();
}

}  // namespace

RootInfo RootInfo::of_this_process(int fd, uint64_t token, int nranks) {
    const int pid = device::pid_in_proc();
    return RootInfo{
        COMM_ABI_VERSION, own_pid_namespace(), pid, device::start_of_process(pid), fd, token, nranks, false, {}};
}

RootInfo RootInfo::of_endpoint(const Endpoint &endpoint, int nranks) {
    return RootInfo{COMM_ABI_VERSION, 0, 0, 0, -1, 0, nranks, false, endpoint};
}

std::string RootInfo::text() const {
    char text[kMaxFileBytes];
    if (endpoint.has_value()) {
        std::snprintf(text, sizeof(text), kNetworkFormat, version, endpoint->address.c_str(), endpoint->port,
                      endpoint->secret.high, endpoint->secret.low, nranks);
    } else {
        std::snprintf(text, sizeof(text), kFormat, version, pid_namespace, pid, start, fd, token, nranks);
    }
    return text;
}

RootInfo RootInfo::parse(const std::string &text, const std::string &complaint) {
    RootInfo info{};
    // Numbers that do not fit are scanned as others, and so are some that are never written: such a text is not what is
    // written of it.
    if ((scan_network_form(text, &info) || scan_process_form(text, &info)) && begins_with(text, info.text()))
        return info;
    throw Failure(COMM_MISMATCH, complaint + " (it has " + std::to_string(text.size()) +
                                     " bytes); give each communicator a path of its own");
}

std::optional<RootInfo> RootInfo::read(const std::string &path) {
    // NONBLOCK: another kind of file at this path, such as a pipe, must not block us.
    UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file && errno == ENOENT) return std::nullopt;
    if (!file) throw Failure(COMM_SYSTEM, system_text("open") + " (" + path + ")");
    char text[kMaxFileBytes] = {};
    const ssize_t length = ::read(file.get(), text, sizeof(text) - 1);
    if (length < 0) throw Failure(COMM_SYSTEM, system_text("read") + " (" + path + ")");
    RootInfo info = parse(text, path + " is not a rootinfo file, or only a part of one");
    info.abandoned = is_abandoned(file);
    return info;
}

std::string RootInfo::owner() const {
    return endpoint.has_value() ? "at " + endpoint->text() : "process " + std::to_string(pid);
}

bool RootInfo::is_stale() const {
    if (endpoint.has_value() || !is_of_this_namespace(*this)) return abandoned;
    try {
        return !open_segment();
    } catch (const Failure &) {
        // The process is alive, but this process has no permission to inspect it.
        return false;
    }
}

UniqueFd RootInfo::open_segment() const {
    if (!is_of_this_namespace(*this)) {
        if (abandoned) return UniqueFd();
        throw Failure(COMM_MISMATCH, "rank 0 lives in another pid namespace (" + std::to_string(pid_namespace) +
                                         ", this process in " + std::to_string(own_pid_namespace()) +
                                         "); start all ranks of a communicator in one container");
    }
    if (device::start_of_process(pid) != start) return UniqueFd();
    UniqueFd segment = device::open_of_process(pid, fd, kBootstrapName);
    if (!segment) return segment;
    struct {
        uint64_t magic;
        uint32_t version;
        uint32_t nranks;
        uint64_t token;
    } front{};
    static_assert(offsetof(BootstrapHeader, token) == 16);
    if (pread(segment.get(), &front, sizeof(front), 0) != static_cast<ssize_t>(sizeof(front))) return UniqueFd();
    if (front.magic != kBootstrapMagic || front.token != token) return UniqueFd();
    return segment;
}

PublishedRootInfo::PublishedRootInfo(std::string path, const RootInfo &info) : path_(std::move(path)) {
    const std::string text = info.text();
    const std::string draft = path_ + "." + std::to_string(getpid()) + ".tmp";
    locked_ = write_whole(draft, text.data(), text.size());
    // rename() would silently replace the file of another live communicator; this call fails instead.
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
    if (info.has_value() && info->is_stale()) unlink(path.c_str());
}

}  // namespace rankunit::bootstrap
