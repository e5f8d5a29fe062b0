// The emulated machine as one process sees it: its devices, their contexts, and what each thread has made current.
//
//     RANKUNIT_EMULATOR_DEVICES    how many devices the machine has, 16 if unset
//     RANKUNIT_EMULATOR_SOC        what aclrtGetSocName says, Ascend910B3 if unset
//     ASCEND_RT_VISIBLE_DEVICES    as the vendor has it: ascending driver-visible ids, renumbered from 0
#ifndef RANKUNIT_VENDOR_MACHINE_H
#define RANKUNIT_VENDOR_MACHINE_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "vendor/call.h"

namespace rankunit::emulator {

// Codes of the vendor that the emulator returns.
enum Code : int {
    kOk = 0,
    kUninitialized = 100001,
    kRepeatInitialize = 100002,
    kRepeatFinalize = 100037,
    kParameter = 107000,
    kDeviceId = 107001,
    kContextNull = 107002,
    kStreamContext = 107003,
    kInvalidHandle = 107017,
    kTaskTimeout = 107020,
    kStreamAbort = 107023,
    kNotSupported = 207000,
    kMemoryAllocation = 207001,
    kNoPermission = 207006,
    kAicoreException = 507015,
    kAicpuException = 507018,
    kSyncTimeout = 507046,
    kDriverInternal = 507899,
    kSocketClose = 507901,
};

class Stream;
struct DeviceState;

struct Context {
    DeviceState *device;
    std::atomic<bool> alive{true};
};

// What this process has on one device.
struct DeviceState {
    int logical;
    std::atomic<bool> broken{false};  // a task has failed; all fails until the device is reset
    Context *primary = nullptr;
    int sets = 0;  // calls of aclrtSetDevice that were not taken back
    std::set<Stream *> streams;
    std::set<const void *> events;
    std::set<const void *> notifies;
    std::set<int> peers;  // logical ids to which access was enabled
};

// Driver-visible ids of the devices that this process may use, by logical id.
std::vector<int> visible_devices();

std::string soc();
RANKUNIT_EMULATOR_INTERNAL bool soc_is_a3();
RANKUNIT_EMULATOR_INTERNAL bool soc_is_a5();

// Guards all of this process's state but the contents of device memory.
std::recursive_mutex &machine_mutex();

DeviceState &device_state(int logical);

// Of the calling thread; null if it has none.
RANKUNIT_EMULATOR_INTERNAL Context *current_context();
RANKUNIT_EMULATOR_INTERNAL void make_current(Context *context);
RANKUNIT_EMULATOR_INTERNAL Context *new_context(DeviceState &device);

// Logical id of the calling thread's device, -1 if it has none.
RANKUNIT_EMULATOR_INTERNAL int current_device();
RANKUNIT_EMULATOR_INTERNAL int driver_id_of(int logical);

// Forgets everything that this process has on the device.
void reset_device(DeviceState &device);

enum Needs : int {
    kNothing = 0,
    kContext = 1,  // a current context on this thread, and a device that has not failed
    kContextOnly = 2,
    kEnqueues = 4,
};

// A call of an aclrt function, with the checks that nearly all of them make first.
int acl_call(const char *function, const std::string &arguments, int needs, const std::function<int()> &body);

// What aclGetRecentErrMsg says next on this thread.
void set_message(const std::string &message);

}  // namespace rankunit::emulator

#endif  // RANKUNIT_VENDOR_MACHINE_H
