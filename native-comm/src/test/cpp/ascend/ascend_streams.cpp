#include "ascend/ascend_streams.h"

#include <deque>

namespace rankunit::test {
namespace {

uint32_t made(int (*make)(DeviceHandle, uint32_t *), DeviceHandle device) {
    uint32_t number = 0;
    require_ok(make(device, &number));
    return number;
}

bool answer(int (*ask)(DeviceHandle, uint32_t, uint32_t *), DeviceHandle device, uint32_t number) {
    uint32_t yes = 7;
    require_ok(ask(device, number, &yes));
    CHECK(yes <= 1);
    return yes == 1;
}

// Not memory of a device, since the emulator does not stop a kernel that spins: it would go on when that is gone.
std::atomic<int32_t> &new_cell() {
    static auto &all = *new std::deque<std::atomic<int32_t>>;
    return all.emplace_back(0);
}

}  // namespace

bool has_kernels() {
    return vendor() != "vendor-9-bare";
}

bool has_notifies() {
    return vendor() != "vendor-8.1";
}

bool has_notify_keys() {
    return has_notifies() && vendor() != "vendor-9-bare";
}

void require_ok(int status) {
    if (status != DEVICE_OK) throw CheckFailed(std::to_string(status) + ": " + device_last_error());
}

StreamDevice::StreamDevice(int id) : device_(id) {
    require_ok(device_set_timeout(get(), kLongMs));
    if (has_notifies()) {
        gate_ = notify();
        opener_ = stream();
    } else {
        cell_ = &new_cell();
    }
}

uint32_t StreamDevice::stream() const {
    return made(stream_create, get());
}

uint32_t StreamDevice::event() const {
    return made(event_create, get());
}

uint32_t StreamDevice::notify() const {
    return made(notify_create, get());
}

bool StreamDevice::done(uint32_t stream) const {
    return answer(stream_query, get(), stream);
}

bool StreamDevice::happened(uint32_t event) const {
    return answer(event_query, get(), event);
}

void StreamDevice::launch(uint32_t stream, const char *kernel, const std::vector<uint64_t> &args,
                          uint32_t blocks) const {
    require_ok(stream_launch(get(), stream, device_.kernel(TEST_KERNELS, kernel), args.data(),
                             static_cast<int>(args.size()), blocks, STREAM_CORES_VECTOR));
}

void StreamDevice::hold_up(uint32_t stream) {
    if (has_notifies()) {
        require_ok(notify_wait(get(), stream, gate_));
    } else {
        launch(stream, "spin_on_cell", {reinterpret_cast<uint64_t>(cell_)});
    }
}

void StreamDevice::let_go() {
    if (has_notifies()) {
        require_ok(notify_post(get(), opener_, gate_));
    } else {
        cell_->store(1);
    }
}

std::string StreamDevice::obstacle() const {
    return has_notifies() ? "a wait for notify 1" : "the launch of kernel \"spin_on_cell\"";
}

}  // namespace rankunit::test
