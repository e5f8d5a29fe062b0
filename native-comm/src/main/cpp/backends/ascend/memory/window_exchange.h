// How the ranks of an allocation come to map each other's windows: by the first way that all of them have.
#ifndef RANKUNIT_BACKENDS_ASCEND_MEMORY_WINDOW_EXCHANGE_H
#define RANKUNIT_BACKENDS_ASCEND_MEMORY_WINDOW_EXCHANGE_H

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "backends/ascend/device_use.h"
#include "backends/ascend/memory/sharing.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "comm/device_side.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::ascend {

using bootstrap::Bootstrap;
using bootstrap::Members;
using bootstrap::Topic;
using comm::Windows;

// Steps in which ranks say something to each other.
enum Step : uint32_t {
    kHcclRootInfo = comm::kDeviceTopics,
    kHcclReady,
    kHcclMade,
    kHcclCollectivesRootInfo,
    kHcclCollective,
    kPlanKeys,
    kPlanReady,
    kPlanRun,
    kOffers,  // this and the next ones once for each way
    kAdmitted,
    kMapped,
    kGivenBack,
    kStepsOfWay = 8,
};

// One allocation, for the time in which it is made.
struct Exchange {
    Bootstrap &bootstrap;
    const Members &members;
    uint64_t id;
    StreamHome home;
};

// All that the members say in a step, in their order. Every member calls this for the same step.
std::vector<std::string> say(const Exchange &exchange, uint32_t step, const char *what, const std::string &saying);

// The same with a struct, which must be free of pointers.
template <typename T>
std::vector<T> say_all(const Exchange &exchange, uint32_t step, const char *what, const T &own) {
    const std::string saying(reinterpret_cast<const char *>(&own), sizeof(own));
    std::vector<T> all;
    for (const std::string &said : say(exchange, step, what, saying)) {
        if (said.size() != sizeof(T)) throw Failure(COMM_MISMATCH, "a rank sent a malformed message");
        std::memcpy(&all.emplace_back(), said.data(), sizeof(T));
    }
    return all;
}

// Runs what may fail here because a peer has failed before. The peer's reason is the one to be known then, and it is
// thrown; a failure of this rank's own is told to the peers before anything of it is given back, as that may be what
// makes theirs.
template <typename Body>
auto telling_first(Bootstrap &bootstrap, Body body) {
    try {
        return body();
    } catch (const VendorError &failure) {
        bootstrap.require_sound();
        bootstrap.tell_failure(failure.what());
        throw;
    } catch (const std::exception &failure) {
        // a wait of the bootstrap's tells the peers itself
        bootstrap.tell_failure(failure.what());
        throw;
    }
}

// Why none of the ways was taken, for the error.
using Refusals = std::vector<std::string>;

// Adds who has refused, and why. False if none has.
bool refused(const Exchange &exchange, const char *way, const std::vector<int32_t> &codes, Refusals *refusals);

// Whether RANKUNIT_ASCEND_WINDOWS leaves this way to be tried.
bool is_wanted(const char *key);

// The windows by one way, the `number`-th that is tried; null if a member does not have it, and then for all members.
std::unique_ptr<Windows> share_windows(const Exchange &exchange, uint32_t number, std::unique_ptr<Sharing> sharing,
                                       size_t bytes, Refusals *refusals);

// The same by HCCL's own buffers, whose size is HCCL's to decide.
std::unique_ptr<Windows> borrow_windows(const Exchange &exchange, aclrtStream stream, size_t bytes, Refusals *refusals);

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_MEMORY_WINDOW_EXCHANGE_H
