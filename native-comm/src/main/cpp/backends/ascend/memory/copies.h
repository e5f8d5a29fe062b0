// Copies that one of a device's own calls makes, also to and from memory of other devices.
#ifndef RANKUNIT_BACKENDS_ASCEND_MEMORY_COPIES_H
#define RANKUNIT_BACKENDS_ASCEND_MEMORY_COPIES_H

#include <cstddef>
#include <functional>

#include "backends/ascend/vendor/vendor_api.h"

namespace rankunit::ascend {

// Of what another device has, as much passes through memory of this one at a time.
constexpr size_t kMostStaged = size_t{16} << 20;

// The stream's context must be current. `synchronize` waits for the stream and throws what has failed on it.
//
// The vendor documents copies between two devices for aclrtMemcpyAsync alone. So those are made on the stream and
// waited for, and what goes between the host and another device goes through memory of this one.
class Copies {
public:
    Copies(int device, aclrtStream stream, const std::function<void()> &synchronize)
        : device_(device), stream_(stream), synchronize_(synchronize) {}

    void in(void *target, const void *source, size_t bytes) const;
    void out(void *target, const void *source, size_t bytes) const;
    void across(void *target, const void *source, size_t bytes) const;
    void zero(void *target, size_t bytes) const;

private:
    void now(void *target, const void *source, size_t bytes, aclrtMemcpyKind kind) const;
    void between_devices(void *target, const void *source, size_t bytes) const;

    const int device_;
    const aclrtStream stream_;
    const std::function<void()> &synchronize_;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_MEMORY_COPIES_H
