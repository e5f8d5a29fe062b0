// What a backend does in its own way. All the rest of a communicator is Communicator's.
#ifndef RANKUNIT_COMM_DEVICE_SIDE_H
#define RANKUNIT_COMM_DEVICE_SIDE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "meet/bootstrap.h"
#include "meet/members.h"
#include "rankunit/kernel.h"
#include "support/deadline.h"

namespace rankunit::comm {

using meet::Bootstrap;
using meet::Members;

// A window on each of some ranks, as this rank sees them.
class Windows {
public:
    Windows(size_t bytes, std::vector<uint64_t> addresses) : bytes_(bytes), addresses_(std::move(addresses)) {}
    Windows(const Windows &) = delete;
    Windows &operator=(const Windows &) = delete;
    // Frees this rank's window, and its views of the others' if they are still there.
    virtual ~Windows() = default;

    size_t bytes() const { return bytes_; }  // of each; at least what was asked for
    const std::vector<uint64_t> &addresses() const { return addresses_; }

    // Gives up the views of the others' windows, which their owners may free after that.
    virtual void detach() {}

private:
    size_t bytes_;
    std::vector<uint64_t> addresses_;  // of each member's window, in the members' order
};

// One per communicator. Failures are thrown; Communicator tells the other ranks of them.
class DeviceSide {
public:
    virtual ~DeviceSide() = default;

    // Once all ranks have opened the bootstrap, which outlives this object's use of it.
    virtual void join(Bootstrap &) {}

    // Makes windows of at least `bytes`, zero-filled; may gather by the bootstrap about topics of kinds from
    // kDeviceTopics on. No rank may touch a window before all have returned from this, which the caller sees to.
    virtual std::unique_ptr<Windows> allocate(Bootstrap &bootstrap, const Members &members, size_t bytes,
                                              uint64_t id) = 0;

    // Puts a context where kernels can read it; returns its device address, valid until it is withdrawn.
    virtual uint64_t publish(const CommContext &context) = 0;
    virtual void withdraw(uint64_t address) noexcept = 0;

    // Whether a window must not be freed before all views of it are given up.
    virtual bool frees_after_views() const { return false; }

    // How the windows were made, for people.
    virtual std::string describe() const = 0;

    // Waits until what this rank has launched on its device is done, and visible to the other devices: before a
    // barrier, for which the hosts meet afterwards.
    virtual void finish(const Deadline &) {}
};

// Kinds of topics below this are Communicator's own.
constexpr uint32_t kDeviceTopics = 16;

// Each backend defines this one. `stream` is that of comm_init.
std::unique_ptr<DeviceSide> make_device_side(int rank, int nranks, void *stream);

}  // namespace rankunit::comm

#endif  // RANKUNIT_COMM_DEVICE_SIDE_H
