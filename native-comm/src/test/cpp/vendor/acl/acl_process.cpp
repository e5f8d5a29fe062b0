// The process, its devices and contexts, and access between devices.
#include <unistd.h>

#include <string>

#include "vendor/declarations.h"
#include "vendor/machine.h"

using namespace rankunit::emulator;

namespace {

uint64_t references = 0;  // calls of aclInit that were not taken back

bool is_device(int32_t device) {
    return device >= 0 && static_cast<size_t>(device) < visible_devices().size();
}

using Lock = std::lock_guard<std::recursive_mutex>;

int finalize() {
    references = 0;
    for (size_t device = 0; device < visible_devices().size(); device++) {
        if (device_state(static_cast<int>(device)).sets > 0) write_trace("LEFT a device set at aclFinalize");
    }
    return kOk;
}

}  // namespace

aclError aclInit(const char *) {
    return acl_call("aclInit", "", kNothing, [] {
        const Lock lock(machine_mutex());
        return references++ > 0 ? kRepeatInitialize : kOk;
    });
}

aclError aclFinalize() {
    return acl_call("aclFinalize", "", kNothing, [] {
        const Lock lock(machine_mutex());
        return references == 0 ? int{kRepeatFinalize} : finalize();
    });
}

#if RANKUNIT_EMULATOR_GENERATION >= 9
aclError aclFinalizeReference(uint64_t *left) {
    return acl_call("aclFinalizeReference", "", kNothing, [&] {
        const Lock lock(machine_mutex());
        if (references == 0) return int{kRepeatFinalize};
        if (left != nullptr) *left = references - 1;
        if (references == 1) return finalize();
        references--;
        return int{kOk};
    });
}
#endif

aclError aclrtGetVersion(int32_t *major, int32_t *minor, int32_t *patch) {
    *major = 1;
    *minor = RANKUNIT_EMULATOR_GENERATION == 8 ? 13 : 17;
    *patch = 0;
    return kOk;
}

const char *aclrtGetSocName() {
    return environment("RANKUNIT_EMULATOR_SOC", "Ascend910B3");
}

aclError aclrtSetDevice(int32_t device) {
    return acl_call("aclrtSetDevice", text(device), kNothing, [&] {
        const Lock lock(machine_mutex());
        if (references == 0) return kUninitialized;
        if (!is_device(device)) return kDeviceId;
        DeviceState &state = device_state(device);
        if (state.primary == nullptr) state.primary = new_context(state);
        state.sets++;
        make_current(state.primary);
        return kOk;
    });
}

aclError aclrtResetDevice(int32_t device) {
    return acl_call("aclrtResetDevice", text(device), kNothing, [&] {
        if (!is_device(device)) return kDeviceId;
        const Lock lock(machine_mutex());
        DeviceState &state = device_state(device);
        if (state.sets == 0) return kContextNull;
        if (--state.sets == 0) {
            reset_device(state);
            write_trace("reset of device " + std::to_string(device));
        }
        make_current(nullptr);
        return kOk;
    });
}

aclError aclrtGetDevice(int32_t *device) {
    return acl_call("aclrtGetDevice", "", kContextOnly, [&] {
        *device = current_device();
        return kOk;
    });
}

aclError aclrtGetDeviceCount(uint32_t *count) {
    return acl_call("aclrtGetDeviceCount", "", kNothing, [&] {
        *count = static_cast<uint32_t>(visible_devices().size());
        return kOk;
    });
}

RANKUNIT_VENDOR aclError aclrtCreateContext(aclrtContext *context, int32_t device) {
    return acl_call("aclrtCreateContext", text(device), kNothing, [&] {
        if (!is_device(device)) return kDeviceId;
        Context *made = new_context(device_state(device));
        make_current(made);
        *context = made;
        return kOk;
    });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
    return acl_call("aclrtSetCurrentContext", "", kNothing, [&] {
        if (context == nullptr) return kParameter;
        make_current(static_cast<Context *>(context));
        return current_context() == nullptr ? kContextNull : kOk;
    });
}

aclError aclrtGetCurrentContext(aclrtContext *context) {
    return acl_call("aclrtGetCurrentContext", "", kContextOnly, [&] {
        *context = current_context();
        return kOk;
    });
}

#if RANKUNIT_EMULATOR_GENERATION >= 9
aclError aclrtGetLogicDevIdByUserDevId(int32_t user_id, int32_t *logic_id) {
    return acl_call("aclrtGetLogicDevIdByUserDevId", text(user_id), kNothing, [&] {
        if (!is_device(user_id)) return kDeviceId;
        *logic_id = driver_id_of(user_id);
        return kOk;
    });
}
#endif

aclError aclrtDeviceCanAccessPeer(int32_t *can_access, int32_t device, int32_t peer) {
    return acl_call("aclrtDeviceCanAccessPeer", text(device, peer), kNothing, [&] {
        if (!is_device(device) || !is_device(peer)) return kDeviceId;
        *can_access = device != peer;
        return kOk;
    });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peer, uint32_t flags) {
    return acl_call("aclrtDeviceEnablePeerAccess", text(peer, flags), kContext, [&] {
        if (!is_device(peer) || peer == current_device()) return kDeviceId;
        if (flags != 0) return kParameter;
        const Lock lock(machine_mutex());
        current_context()->device->peers.insert(peer);
        return kOk;
    });
}

aclError aclrtDeviceDisablePeerAccess(int32_t peer) {
    return acl_call("aclrtDeviceDisablePeerAccess", text(peer), kContext, [&] {
        const Lock lock(machine_mutex());
        return current_context()->device->peers.erase(peer) == 0 ? kParameter : kOk;
    });
}

aclError aclrtDeviceGetBareTgid(int32_t *pid) {
    return acl_call("aclrtDeviceGetBareTgid", "", kNothing, [&] {
        *pid = getpid();
        return kOk;
    });
}
