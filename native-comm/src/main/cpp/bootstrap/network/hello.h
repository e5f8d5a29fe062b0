// How a rank introduces itself to rank 0.
#ifndef RANKUNIT_BOOTSTRAP_NETWORK_HELLO_H
#define RANKUNIT_BOOTSTRAP_NETWORK_HELLO_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "bootstrap/network/connection.h"
#include "bootstrap/network/endpoint.h"
#include "support/deadline.h"

namespace rankunit::bootstrap {

constexpr uint64_t kHelloMagic = 0x3154'4545'4d2e'5552;  // "RU.MEET1" in memory

// The first that rank 0 receives. It never changes, so that a rank of another version can be told the mismatch.
struct Hello {
    uint64_t magic;
    Secret secret;
    uint32_t version;
    uint32_t nranks;
    uint32_t rank;
    int32_t pid;
};
static_assert(sizeof(Hello) == 40);

// What rank 0 answers, before any frame, to a rank that knows the secret. Others get no answer.
struct Answer {
    uint32_t code;   // a CommStatus: COMM_OK for a rank that is let in
    uint32_t bytes;  // of the text that follows
};

constexpr uint32_t kMaxAnswer = 1024;

std::string answer_of(int code, const std::string &text);

// Connects to rank 0 and introduces this rank. Returns no connection if nothing is there, or nothing that answers.
// Throws what rank 0 answers if it does not let this rank in, and COMM_TIMEOUT at the deadline. Calls `check` every few
// milliseconds, which may throw as well.
Connection introduce(const Endpoint &endpoint, uint32_t rank, uint32_t nranks, const Deadline &deadline,
                     const std::function<void()> &check);

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_NETWORK_HELLO_H
