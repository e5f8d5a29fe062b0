// What the tests of streams share.
#ifndef RANKUNIT_TEST_STREAM_SUPPORT_H
#define RANKUNIT_TEST_STREAM_SUPPORT_H

#include <cstdint>
#include <vector>

#include "harness/check.h"
#include "rankunit/kernel.h"
#include "rankunit/stream.h"

namespace rankunit::test {

constexpr int64_t kLong = 60'000;

class Device {
public:
    Device() {
        CHECK_EQUAL(device_open(0, &handle_), DEVICE_OK);
        CHECK_EQUAL(device_set_timeout(handle_, kLong), DEVICE_OK);
    }
    ~Device() { device_close(handle_); }
    DeviceHandle get() const { return handle_; }
    uint64_t allocate(size_t bytes) const {
        uint64_t address = 0;
        CHECK_EQUAL(device_malloc(handle_, bytes, &address), DEVICE_OK);
        CHECK_EQUAL(device_zero(handle_, address, bytes), DEVICE_OK);
        return address;
    }
    KernelHandle kernel(const char *name) const {
        KernelHandle kernel = nullptr;
        CHECK_EQUAL(device_load_kernel(handle_, TEST_KERNELS, name, &kernel), DEVICE_OK);
        return kernel;
    }
    uint32_t stream() const { return made(stream_create); }
    uint32_t event() const { return made(event_create); }
    uint32_t notify() const { return made(notify_create); }
    void synchronize(uint32_t stream) const {
        const int status = stream_synchronize(handle_, stream, kLong);
        if (status != DEVICE_OK) failed(__FILE__, __LINE__, device_last_error());
    }
    template <typename T>
    T value(uint64_t address) const {
        T found{};
        CHECK_EQUAL(device_copy_out(handle_, &found, address, sizeof(T)), DEVICE_OK);
        return found;
    }
    // Puts a wait for the cell to be 1 on the stream, so that what follows is held up.
    void hold_up(uint32_t stream, uint64_t cell) const {
        CHECK_EQUAL(stream_wait(handle_, stream, cell, 1, 1, 4, KERNEL_GE, 1), DEVICE_OK);
    }
    void set(uint64_t cell, int32_t value) const {
        const uint32_t signaller = stream();
        CHECK_EQUAL(stream_signal(handle_, signaller, cell, KERNEL_SIGNAL_SET, value), DEVICE_OK);
        synchronize(signaller);
    }

private:
    uint32_t made(int (*make)(DeviceHandle, uint32_t *)) const {
        uint32_t number = 0;
        CHECK_EQUAL(make(handle_, &number), DEVICE_OK);
        return number;
    }

    DeviceHandle handle_ = nullptr;
};

inline bool done(const Device &device, uint32_t stream) {
    uint32_t is_done = 7;
    CHECK_EQUAL(stream_query(device.get(), stream, &is_done), DEVICE_OK);
    return is_done == 1;
}

inline void launch(const Device &device, uint32_t stream, const char *kernel, std::vector<uint64_t> args,
                   uint32_t blocks = 1, uint32_t cores = STREAM_CORES_VECTOR) {
    CHECK_EQUAL(stream_launch(device.get(), stream, device.kernel(kernel), args.data(), static_cast<int>(args.size()),
                              blocks, cores),
                DEVICE_OK);
}

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_STREAM_SUPPORT_H
