// Implements coll_vendor_run of rankunit/coll.h for every backend that uses a bootstrap: checks arguments and turns
// errors into status codes.
#include <string>

#include "comm/front.h"
#include "rankunit/coll.h"
#include "support/failure.h"

using rankunit::Failure;
using rankunit::comm::guarded;
using rankunit::comm::require;
using rankunit::comm::VendorRun;

namespace {

// The value as one of an enum that counts from 0 to `most`.
template <typename Enum>
Enum require_enum(const char *name, uint32_t value, Enum most) {
    if (value > static_cast<uint32_t>(most)) {
        throw Failure(COMM_INVALID_ARGUMENT, std::string(name) + " = " + std::to_string(value) + " is not in [0, " +
                                                 std::to_string(static_cast<uint32_t>(most)) + "]");
    }
    return static_cast<Enum>(value);
}

}  // namespace

int coll_vendor_run(CommHandle h, uint32_t operation, uint64_t send, uint64_t recv, uint64_t count, uint32_t type,
                    uint32_t reduction, uint32_t peer_or_root) {
    return guarded([&] {
        require(h).run_vendor(VendorRun{require_enum("operation", operation, COLL_VENDOR_RECV), send, recv, count,
                                        require_enum("type", type, COLL_BYTES),
                                        require_enum("reduction", reduction, COLL_MIN), peer_or_root});
    });
}
