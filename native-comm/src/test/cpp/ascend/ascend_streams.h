// For tests of streams of the Ascend backend.
#ifndef RANKUNIT_TEST_ASCEND_ASCEND_STREAMS_H
#define RANKUNIT_TEST_ASCEND_ASCEND_STREAMS_H

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "ascend/ascend_support.h"
#include "rankunit/stream.h"

namespace rankunit::test {

constexpr int64_t kLongMs = 60'000;

// What the libraries of this run have.
bool has_kernels();
bool has_notifies();
bool has_notify_keys();

// Fails the test with the text of the error.
void require_ok(int status);

// A device, and what holds up its streams.
class StreamDevice {
public:
    explicit StreamDevice(int id = 0);

    DeviceHandle get() const { return device_.get(); }
    const OpenDevice &device() const { return device_; }

    uint32_t stream() const;
    uint32_t event() const;
    uint32_t notify() const;
    void synchronize(uint32_t stream) const { require_ok(stream_synchronize(get(), stream, kLongMs)); }
    bool done(uint32_t stream) const;
    bool happened(uint32_t event) const;
    void launch(uint32_t stream, const char *kernel, const std::vector<uint64_t> &args, uint32_t blocks = 1) const;

    // Puts on the stream what does not end before `let_go`: a wait for a notify, or where there is none a kernel.
    void hold_up(uint32_t stream);
    void let_go();
    // How the texts of errors call it.
    std::string obstacle() const;

private:
    OpenDevice device_;
    uint32_t gate_ = 0;                     // a notify
    uint32_t opener_ = 0;                   // a stream
    std::atomic<int32_t> *cell_ = nullptr;  // that the kernel waits for
};

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_ASCEND_ASCEND_STREAMS_H
