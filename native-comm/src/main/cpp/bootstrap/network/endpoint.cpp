#include "bootstrap/network/endpoint.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::bootstrap {
namespace {

constexpr const char *kAddressVariable = "RANKUNIT_MEET_ADDRESS";
constexpr int kBacklog = 128;

// An address of either family.
struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t bytes = 0;

    // Returns whether `address` is a numeric one.
    bool set(const std::string &address, uint16_t port) {
        auto *four = reinterpret_cast<sockaddr_in *>(&storage);
        auto *six = reinterpret_cast<sockaddr_in6 *>(&storage);
        if (inet_pton(AF_INET, address.c_str(), &four->sin_addr) == 1) {
            four->sin_family = AF_INET;
            four->sin_port = htons(port);
            bytes = sizeof(*four);
        } else if (inet_pton(AF_INET6, address.c_str(), &six->sin6_addr) == 1) {
            six->sin6_family = AF_INET6;
            six->sin6_port = htons(port);
            bytes = sizeof(*six);
        }
        return bytes != 0;
    }

    // Whether it stands for all addresses of a machine, which does not say where to connect to.
    bool is_any() const {
        const auto *four = reinterpret_cast<const sockaddr_in *>(&storage);
        const auto *six = reinterpret_cast<const sockaddr_in6 *>(&storage);
        return storage.ss_family == AF_INET ? four->sin_addr.s_addr == htonl(INADDR_ANY)
                                            : IN6_IS_ADDR_UNSPECIFIED(&six->sin6_addr);
    }

    uint16_t port() const {
        const auto *four = reinterpret_cast<const sockaddr_in *>(&storage);
        const auto *six = reinterpret_cast<const sockaddr_in6 *>(&storage);
        return ntohs(storage.ss_family == AF_INET ? four->sin_port : six->sin6_port);
    }

    sockaddr *get() { return reinterpret_cast<sockaddr *>(&storage); }
};

UniqueFd stream_socket(int family) {
    UniqueFd made(socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!made) throw Failure(COMM_SYSTEM, system_text("socket"));
    return made;
}

[[noreturn]] void refuse_address(const std::string &address, const std::string &why) {
    throw Failure(COMM_INVALID_ARGUMENT, std::string(kAddressVariable) + " = \"" + address + "\": " + why +
                                             "; expected the numeric IPv4 or IPv6 address by which the other ranks "
                                             "reach this machine");
}

bool is_refusal(int error) {
    return error == ECONNREFUSED || error == ECONNRESET;
}

Failure no_connection(int error, const Endpoint &endpoint) {
    return {COMM_SYSTEM, std::string("connect: ") + std::strerror(error) + " (to rank 0 at " + endpoint.text() +
                             ", as its " + kAddressVariable + " says)"};
}

}  // namespace

Secret Secret::random() {
    Secret secret{};
    if (getrandom(&secret, sizeof(secret), 0) != static_cast<ssize_t>(sizeof(secret))) {
        throw Failure(COMM_SYSTEM, system_text("getrandom"));
    }
    return secret;
}

std::string Endpoint::text() const {
    const bool six = address.find(':') != std::string::npos;
    return (six ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

std::optional<std::string> meet_address() {
    const char *value = std::getenv(kAddressVariable);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
}

UniqueFd listen_at(const std::string &address, uint16_t *port_out) {
    SocketAddress at;
    if (!at.set(address, 0)) refuse_address(address, "not a numeric address");
    if (at.is_any()) refuse_address(address, "stands for all addresses");
    UniqueFd listener = stream_socket(at.storage.ss_family);
    if (bind(listener.get(), at.get(), at.bytes) != 0) refuse_address(address, system_text("bind"));
    if (listen(listener.get(), kBacklog) != 0) throw Failure(COMM_SYSTEM, system_text("listen"));
    if (getsockname(listener.get(), at.get(), &at.bytes) != 0) throw Failure(COMM_SYSTEM, system_text("getsockname"));
    *port_out = at.port();
    return listener;
}

UniqueFd begin_to_connect(const Endpoint &endpoint) {
    SocketAddress to;
    if (!to.set(endpoint.address, endpoint.port)) {
        throw Failure(COMM_MISMATCH, "rank 0 sent a malformed address: " + endpoint.address);
    }
    UniqueFd made = stream_socket(to.storage.ss_family);
    if (connect(made.get(), to.get(), to.bytes) == 0 || errno == EINPROGRESS || errno == EINTR) return made;
    if (is_refusal(errno)) return UniqueFd();
    throw no_connection(errno, endpoint);
}

bool is_connected(const UniqueFd &socket, const Endpoint &endpoint) {
    int error = 0;
    socklen_t bytes = sizeof(error);
    if (getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &bytes) != 0) error = errno;
    if (error == 0) return true;
    if (is_refusal(error)) return false;
    throw no_connection(error, endpoint);
}

}  // namespace rankunit::bootstrap
