// Copies that a stream makes.
#ifndef RANKUNIT_BACKENDS_ASCEND_STREAM_STREAM_COPIES_H
#define RANKUNIT_BACKENDS_ASCEND_STREAM_STREAM_COPIES_H

#include <cstddef>

#include "backends/ascend/vendor/vendor_api.h"

namespace rankunit::ascend {

// Host memory that the device reaches. The context must be current at both ends of its life.
//
// A copy on a stream to or from other host memory ends within the call in CANN 9, so it would wait for all that the
// stream waits for; in 8.1 its result is not defined.
class PinnedMemory {
public:
    PinnedMemory(size_t bytes, int device);
    PinnedMemory(const PinnedMemory &) = delete;
    PinnedMemory &operator=(const PinnedMemory &) = delete;
    ~PinnedMemory();

    void *get() const { return memory_; }

private:
    void *memory_ = nullptr;
};

// The stream's context must be current. Each call returns when its copies are on the stream. What goes between the host
// and another device passes through memory of this one, as in Copies: one piece after the other, since the stream runs
// them in order.
class StreamCopies {
public:
    StreamCopies(int device, aclrtStream stream) : device_(device), stream_(stream) {}
    StreamCopies(const StreamCopies &) = delete;
    StreamCopies &operator=(const StreamCopies &) = delete;

    aclrtStream stream() const { return stream_; }
    int device() const { return device_; }

    void in(void *target, const PinnedMemory &source, size_t bytes);
    void out(const PinnedMemory &target, const void *source, size_t bytes);
    void across(void *target, const void *source, size_t bytes);
    void zero(void *target, size_t bytes);

    // When nothing on the stream uses it any more.
    void free_staging() noexcept;

private:
    void copy(void *target, const void *source, size_t bytes, aclrtMemcpyKind kind) const;
    void clear(void *memory, size_t bytes) const;
    char *staging();

    const int device_;
    const aclrtStream stream_;
    void *staging_ = nullptr;  // of kMostStaged bytes, made when it is first needed
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_STREAM_STREAM_COPIES_H
