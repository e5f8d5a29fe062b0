// Devices that record.
#ifndef RANKUNIT_TEST_RECORD_RECORDING_DEVICE_H
#define RANKUNIT_TEST_RECORD_RECORDING_DEVICE_H

#include <unistd.h>

#include <string>
#include <vector>

#include "graph/graph_support.h"
#include "harness/ranks.h"
#include "rankunit/stream.h"
#include "record/logged_events.h"

namespace rankunit::test {

constexpr int64_t kLong = 60'000;

// A device that records into a file of its own.
class RecordingDevice {
public:
    explicit RecordingDevice(uint64_t capacity = 4096) {
        CHECK_STATUS(device_record(device_.get(), path().c_str(), nullptr, capacity));
    }
    ~RecordingDevice() { unlink(path().c_str()); }

    const GraphDevice &device() const { return device_; }
    DeviceHandle get() const { return device_.get(); }
    LoggedEvents events() const { return LoggedEvents(path()); }
    std::string path() const { return folder_.file("log"); }

    KernelHandle kernel(const char *name) const {
        KernelHandle kernel = nullptr;
        CHECK_STATUS(device_load_kernel(get(), TEST_GRAPH_KERNELS, name, &kernel));
        return kernel;
    }
    uint32_t stream() const { return made(stream_create); }
    uint32_t event() const { return made(event_create); }
    uint32_t notify() const { return made(notify_create); }
    void synchronize(uint32_t stream) const { CHECK_STATUS(stream_synchronize(get(), stream, kLong)); }

private:
    uint32_t made(int (*make)(DeviceHandle, uint32_t *)) const {
        uint32_t number = 0;
        CHECK_STATUS(make(get(), &number));
        return number;
    }

    const TempFolder folder_;
    const GraphDevice device_;
};

inline void check_words(const char *file, int line, const Logged &event, std::vector<uint64_t> expected) {
    expected.resize(5);
    for (size_t i = 0; i < 5; i++) {
        if (event.words[i] == expected[i]) continue;
        failed(file, line,
               "word " + std::to_string(i) + " of kind " + std::to_string(event.kind) + " is " +
                   std::to_string(event.words[i]) + ", expected " + std::to_string(expected[i]));
    }
}
#define CHECK_WORDS(event, ...) check_words(__FILE__, __LINE__, event, {__VA_ARGS__})

constexpr uint64_t halves(uint64_t low, uint64_t high) {
    return low | high << 32;
}

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_RECORD_RECORDING_DEVICE_H
