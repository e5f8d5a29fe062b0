#include "bootstrap/network/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "support/failure.h"

namespace rankunit::bootstrap {
namespace {

// A peer whose machine is gone, or a cut network, ends the connection after about this time. What starts the ranks
// usually knows earlier.
constexpr int kIdleSeconds = 4;
constexpr int kProbeSeconds = 2;
constexpr int kProbes = 3;
constexpr int kUnansweredMs = 10'000;

constexpr size_t kReadBytes = 16 << 10;

// These only make things faster or noticed earlier, so that a system without one of them works too.
void set_option(int socket, int level, int option, int value) {
    setsockopt(socket, level, option, &value, sizeof(value));
}

}  // namespace

Connection::Connection(UniqueFd socket) : socket_(std::move(socket)) {
    set_option(fd(), IPPROTO_TCP, TCP_NODELAY, 1);
    set_option(fd(), SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(fd(), IPPROTO_TCP, TCP_KEEPIDLE, kIdleSeconds);
    set_option(fd(), IPPROTO_TCP, TCP_KEEPINTVL, kProbeSeconds);
    set_option(fd(), IPPROTO_TCP, TCP_KEEPCNT, kProbes);
    set_option(fd(), IPPROTO_TCP, TCP_USER_TIMEOUT, kUnansweredMs);
}

void Connection::flush() {
    while (unsent() > 0) {
        const ssize_t sent = send(fd(), unsent_.data() + sent_, unsent(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
        sent_ = sent < 0 ? unsent_.size() : sent_ + static_cast<size_t>(sent);
    }
    if (unsent() > 0 && sent_ < unsent_.size() / 2) return;
    unsent_.erase(0, sent_);
    sent_ = 0;
}

void Connection::finish() {
    shutdown(fd(), SHUT_WR);
}

bool Connection::receive() {
    received_.erase(0, taken_);
    taken_ = 0;
    char piece[kReadBytes];
    ssize_t got = 0;
    do {
        got = recv(fd(), piece, sizeof(piece), MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got > 0) received_.append(piece, static_cast<size_t>(got));
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
}

std::optional<std::string> Connection::take(size_t bytes) {
    if (received_.size() - taken_ < bytes) return std::nullopt;
    taken_ += bytes;
    return received_.substr(taken_ - bytes, bytes);
}

std::optional<Frame> Connection::take_frame() {
    uint32_t bytes = 0;
    if (received_.size() - taken_ < sizeof(bytes)) return std::nullopt;
    std::memcpy(&bytes, received_.data() + taken_, sizeof(bytes));
    if (bytes < sizeof(FrameHead) || bytes > kMaxFrame) throw Failure(COMM_SYSTEM, "a rank sent a malformed frame");
    std::optional<std::string> whole = take(bytes);
    if (!whole.has_value()) return std::nullopt;
    return Frame::parse(std::move(*whole));
}

}  // namespace rankunit::bootstrap
