// Where rank 0 listens for the others.
#ifndef RANKUNIT_BOOTSTRAP_NETWORK_ENDPOINT_H
#define RANKUNIT_BOOTSTRAP_NETWORK_ENDPOINT_H

#include <cstdint>
#include <optional>
#include <string>

#include "support/unique_fd.h"

namespace rankunit::bootstrap {

// 128 random bits that only the ranks of one communicator know.
struct Secret {
    uint64_t high;
    uint64_t low;

    static Secret random();
    // In a time that does not depend on where they differ.
    bool equals(const Secret &other) const { return ((high ^ other.high) | (low ^ other.low)) == 0; }
};

struct Endpoint {
    std::string address;  // numeric, of IPv4 or IPv6
    uint16_t port;
    Secret secret;

    std::string text() const;  // "10.0.0.1:4711", without the secret
};

// The value of RANKUNIT_MEET_ADDRESS; none if it is not set or empty.
std::optional<std::string> meet_address();

// A socket that listens on this address of this machine, at any free port. Throws COMM_INVALID_ARGUMENT, with
// RANKUNIT_MEET_ADDRESS to blame, if the address is none of this machine.
UniqueFd listen_at(const std::string &address, uint16_t *port_out);

// A non-blocking socket that is being connected. Throws if that fails at once, but for a refusal, when it returns none.
UniqueFd begin_to_connect(const Endpoint &endpoint);
// Once the socket is writable: whether it is connected. False for a refusal; other failures are thrown.
bool is_connected(const UniqueFd &socket, const Endpoint &endpoint);

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_NETWORK_ENDPOINT_H
