// The devices that this process has open.
#ifndef RANKUNIT_BACKENDS_ASCEND_DEVICE_USE_H
#define RANKUNIT_BACKENDS_ASCEND_DEVICE_USE_H

#include "backends/ascend/vendor/vendor_api.h"

namespace rankunit::ascend {

// Initialises the runtime for the first user of any device, sets the device for its own first user, makes it current on
// the calling thread, and counts its users. Returns its context. Throws if there is no such device.
aclrtContext begin_use(int device);

// Resets the device when its last user has gone, and finalises the runtime when no device has users: both are one to
// the whole process. Not while a call runs that was left behind; what it uses ends with the process. Never fails.
void end_use(int device);

// A call of the vendor's that may have to be left behind, from before it begins until it has returned.
class CallInProgress {
public:
    explicit CallInProgress(int device);
    CallInProgress(const CallInProgress &) = delete;
    CallInProgress &operator=(const CallInProgress &) = delete;
    ~CallInProgress();

private:
    const int device_;
};

// Whether one that was left behind may still use the streams and the memory of the device.
bool has_call_in_progress(int device);

// The id that the driver and other processes know, of one that this process knows: they differ under
// ASCEND_RT_VISIBLE_DEVICES. Both are needed, each elsewhere.
int driver_id(int device);

// The reverse, or -1 if this process does not see that device.
int device_of_driver_id(int id);

// Lets the current device reach memory of another one. Once in a process, until the device is reset: to ask twice is
// not known to be allowed. Returns the vendor's code.
int enable_peer_access(int device, int peer);

// Where a stream is at home.
struct StreamHome {
    int device;
    aclrtContext context;
};

void register_stream(aclrtStream stream, const StreamHome &home);
void forget_stream(aclrtStream stream);

// The home of a stream of device_stream; for one that was made otherwise, what is current on the calling thread. Throws
// if there is none.
StreamHome home_of(aclrtStream stream);

// Makes a context current on this thread, and the one that was current before again at the end.
class ContextScope {
public:
    explicit ContextScope(const StreamHome &home);
    ContextScope(const ContextScope &) = delete;
    ContextScope &operator=(const ContextScope &) = delete;
    ~ContextScope();

private:
    const StreamHome home_;
    aclrtContext before_ = nullptr;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_DEVICE_USE_H
