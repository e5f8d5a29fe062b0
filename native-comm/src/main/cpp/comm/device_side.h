// The part of a communicator that each backend implements. Communicator does the rest.
#ifndef RANKUNIT_COMM_DEVICE_SIDE_H
#define RANKUNIT_COMM_DEVICE_SIDE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bootstrap/bootstrap.h"
#include "bootstrap/members.h"
#include "rankunit/coll.h"
#include "rankunit/kernel.h"
#include "support/deadline.h"
#include "support/failure.h"

namespace rankunit::comm {

using bootstrap::Bootstrap;
using bootstrap::Members;

// One window on each of some ranks, as this rank sees them.
class Windows {
public:
    Windows(size_t bytes, std::vector<uint64_t> addresses) : bytes_(bytes), addresses_(std::move(addresses)) {}
    Windows(const Windows &) = delete;
    Windows &operator=(const Windows &) = delete;
    // Frees this rank's window, and its views of the others' if they are still there.
    virtual ~Windows() = default;

    size_t bytes() const { return bytes_; }  // of each window; at least the requested size
    const std::vector<uint64_t> &addresses() const { return addresses_; }

    // Gives up the views of the others' windows; their owners may then free them.
    virtual void detach() {}

private:
    size_t bytes_;
    std::vector<uint64_t> addresses_;  // of each member's window, in the members' order
};

// The arguments of coll_vendor_run.
struct VendorRun {
    CollVendorOperation operation;
    uint64_t send;
    uint64_t recv;
    uint64_t count;
    CollType type;
    CollReduction reduction;
    uint32_t peer_or_root;
};

// One per communicator. Failures are thrown; Communicator reports them to the other ranks.
class DeviceSide {
public:
    virtual ~DeviceSide() = default;

    // Called once all ranks have opened the bootstrap, which outlives this object's use of it.
    virtual void join(Bootstrap &) {}

    // Makes windows of at least `bytes`, zero-filled. May call the bootstrap's gather with topic kinds from
    // kDeviceTopics on. No rank may touch a window before all ranks have returned from this; the caller ensures that.
    virtual std::unique_ptr<Windows> allocate(Bootstrap &bootstrap, const Members &members, size_t bytes,
                                              uint64_t id) = 0;

    // Stores a context where kernels can read it; returns its device address, valid until it is withdrawn.
    virtual uint64_t publish(const CommContext &context) = 0;
    virtual void withdraw(uint64_t address) noexcept = 0;

    // Whether a window may be freed only after all views of it are given up.
    virtual bool frees_after_views() const { return false; }

    // Why all ranks must be on one machine, for errors; null if they need not. May be called before anything else.
    virtual const char *bound_to_one_machine() const { return nullptr; }

    // A description, for people, of how the windows were made.
    virtual std::string describe() const = 0;

    // Waits until everything that this rank has launched on its device is done and visible to the other devices. Called
    // before a barrier of the hosts.
    virtual void finish(const Deadline &) {}

    // Runs one of the vendor's own collectives and waits for its end. Peers are told of a failure, but for a refusal,
    // which is thrown before anything has been done.
    virtual void run_vendor(const VendorRun &) {
        throw Failure(COMM_NOT_SUPPORTED,
                      "these devices have no collectives of a vendor's own: it is HCCL that has some, on the platforms "
                      "a2a3 and a5");
    }
};

// Topic kinds below this are reserved for Communicator.
constexpr uint32_t kDeviceTopics = 16;

// Each backend defines this function. `stream` is the argument of comm_init.
std::unique_ptr<DeviceSide> make_device_side(int rank, int nranks, void *stream);

}  // namespace rankunit::comm

#endif  // RANKUNIT_COMM_DEVICE_SIDE_H
