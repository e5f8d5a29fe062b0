// For tests of the Ascend backend on the emulated vendor's libraries.
#ifndef RANKUNIT_TEST_ASCEND_ASCEND_SUPPORT_H
#define RANKUNIT_TEST_ASCEND_ASCEND_SUPPORT_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/check.h"
#include "harness/ranks.h"
#include "rankunit/device.h"

namespace rankunit::test {

// "vendor-9": the folder of the libraries that this run is on.
std::string vendor();

// The vendor's library with its runtime, as this run has it.
void *vendor_library();

// Runs in a process of its own, so that the runtime starts anew. Fails the test if `body` does.
void in_process(const std::function<void()> &body);

// An environment variable, until the end of the scope.
class Setting {
public:
    Setting(const char *name, const std::string &value);
    Setting(const Setting &) = delete;
    Setting &operator=(const Setting &) = delete;
    ~Setting();

private:
    const char *name_;
};

// What the emulator was called for, in order, while this object lives.
class Trace {
public:
    Trace();
    Trace(const Trace &) = delete;
    Trace &operator=(const Trace &) = delete;
    ~Trace();

    // Lines without pid and tid.
    std::vector<std::string> lines() const;
    // Fails unless calls that start like this were made in this order, others in between.
    void require_order(const std::vector<std::string> &starts) const;
    int count(const std::string &start) const;

private:
    std::string path_;
    Setting setting_;
};

class OpenDevice {
public:
    explicit OpenDevice(int id = 0);
    OpenDevice(const OpenDevice &) = delete;
    OpenDevice &operator=(const OpenDevice &) = delete;
    ~OpenDevice();

    DeviceHandle get() const { return handle_; }
    void *stream() const;
    uint64_t allocate(size_t bytes) const;
    KernelHandle kernel(const char *library, const char *name) const;
    std::vector<uint64_t> read(uint64_t address, size_t words) const;
    void write(uint64_t address, const std::vector<uint64_t> &words) const;

private:
    DeviceHandle handle_ = nullptr;
};

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_ASCEND_ASCEND_SUPPORT_H
