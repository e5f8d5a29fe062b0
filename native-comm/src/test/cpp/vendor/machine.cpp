#include "vendor/machine.h"

#include <cstdlib>

#include "vendor/declarations.h"
#include "vendor/stream.h"

namespace rankunit::emulator {
namespace {

thread_local Context *current = nullptr;

std::string &message() {
    static thread_local std::string text;
    return text;
}

int devices_of_machine() {
    return std::atoi(environment("RANKUNIT_EMULATOR_DEVICES", "16"));
}

}  // namespace

std::vector<int> visible_devices() {
    std::vector<int> devices;
    const char *list = std::getenv("ASCEND_RT_VISIBLE_DEVICES");
    if (list == nullptr) {
        for (int device = 0; device < devices_of_machine(); device++) devices.push_back(device);
        return devices;
    }
    std::istringstream tokens(list);
    for (std::string token; std::getline(tokens, token, ',');) {
        char *end = nullptr;
        const long device = std::strtol(token.c_str(), &end, 10);
        const bool good = !token.empty() && *end == '\0' && device >= 0 && device < devices_of_machine();
        if (!good || (!devices.empty() && device <= devices.back())) break;
        devices.push_back(static_cast<int>(device));
    }
    return devices;
}

std::string soc() {
    return environment("RANKUNIT_EMULATOR_SOC", "Ascend910B3");
}

bool soc_is_a3() {
    return soc().rfind("Ascend910_93", 0) == 0;
}

bool soc_is_a5() {
    return soc().rfind("Ascend950", 0) == 0;
}

std::recursive_mutex &machine_mutex() {
    static std::recursive_mutex &mutex = *new std::recursive_mutex;
    return mutex;
}

DeviceState &device_state(int logical) {
    static auto &states = *new std::map<int, std::unique_ptr<DeviceState>>;
    const std::lock_guard<std::recursive_mutex> lock(machine_mutex());
    std::unique_ptr<DeviceState> &state = states[logical];
    if (state == nullptr) {
        state = std::make_unique<DeviceState>();
        state->logical = logical;
    }
    return *state;
}

Context *current_context() {
    return current != nullptr && current->alive ? current : nullptr;
}

void make_current(Context *context) {
    current = context;
}

Context *new_context(DeviceState &device) {
    // never freed: a program may ask with a context that is gone, and is told so
    return new Context{&device};
}

int current_device() {
    const Context *context = current_context();
    return context == nullptr ? -1 : context->device->logical;
}

int driver_id_of(int logical) {
    return visible_devices().at(static_cast<size_t>(logical));
}

void reset_device(DeviceState &device) {
    const std::lock_guard<std::recursive_mutex> lock(machine_mutex());
    if (!device.streams.empty()) write_trace("LEFT streams at aclrtResetDevice");
    while (!device.streams.empty()) destroy_stream(*device.streams.begin());
    if (!device.events.empty()) write_trace("LEFT events at aclrtResetDevice");
    if (!device.notifies.empty()) write_trace("LEFT notifies at aclrtResetDevice");
    device.events.clear();
    device.notifies.clear();
    device.peers.clear();
    device.broken = false;
    if (device.primary != nullptr) device.primary->alive = false;
    device.primary = nullptr;
}

int acl_call(const char *function, const std::string &arguments, int needs, const std::function<int()> &body) {
    const CallSite site{function, arguments, current_device(), (needs & kEnqueues) != 0};
    const int result = traced(site, [&]() -> int {
        if (needs == kNothing) return body();
        const Context *context = current_context();
        if (context == nullptr) return kContextNull;
        if ((needs & kContext) != 0 && context->device->broken) return kDriverInternal;
        return body();
    });
    if (result != kOk) set_message(std::string("EZ9999: ") + function + " says " + std::to_string(result));
    return result;
}

void set_message(const std::string &text) {
    message() = text;
}

}  // namespace rankunit::emulator

// Valid until the next call on the thread, and said once only.
RANKUNIT_VENDOR const char *aclGetRecentErrMsg() {
    static thread_local std::string said;
    said.swap(rankunit::emulator::message());
    rankunit::emulator::message().clear();
    return said.empty() ? nullptr : said.c_str();
}
