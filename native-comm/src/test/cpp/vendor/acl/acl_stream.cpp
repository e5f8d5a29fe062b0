// Streams.
#include "vendor/declarations.h"
#include "vendor/machine.h"
#include "vendor/stream.h"

using namespace rankunit::emulator;

aclError aclrtCreateStream(aclrtStream *stream) {
    return acl_call("aclrtCreateStream", "", kContext, [&] {
        const std::lock_guard<std::recursive_mutex> lock(machine_mutex());
        auto *made = new Stream(current_context());
        current_context()->device->streams.insert(made);
        *stream = made;
        return kOk;
    });
}

aclError aclrtDestroyStream(aclrtStream stream) {
    return acl_call("aclrtDestroyStream", "", kContextOnly, [&] {
        int refusal = kOk;
        Stream *checked = checked_stream(stream, &refusal);
        if (checked == nullptr) return refusal;
        if (!checked->idle()) return int{kSocketClose};
        destroy_stream(checked);
        return int{kOk};
    });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
    return acl_call("aclrtDestroyStreamForce", "", kContextOnly, [&] {
        int refusal = kOk;
        Stream *checked = checked_stream(stream, &refusal);
        if (checked != nullptr) destroy_stream(checked);
        return refusal;
    });
}

aclError aclrtStreamAbort(aclrtStream stream) {
    return acl_call("aclrtStreamAbort", "", kContextOnly, [&] {
        int refusal = kOk;
        Stream *checked = checked_stream(stream, &refusal);
        if (checked != nullptr) checked->abort();
        return refusal;
    });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status) {
    return acl_call("aclrtStreamQuery", "", kContextOnly, [&] {
        int refusal = kOk;
        const Stream *checked = checked_stream(stream, &refusal);
        if (checked == nullptr) return refusal;
        *status = checked->idle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
        return int{kOk};
    });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
    return acl_call("aclrtSynchronizeStream", "", kContextOnly, [&] {
        int refusal = kOk;
        Stream *checked = checked_stream(stream, &refusal);
        return checked == nullptr ? refusal : checked->synchronize(-1);
    });
}

// One that times out is logged, and leaves a task behind.
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout_ms) {
    return acl_call("aclrtSynchronizeStreamWithTimeout", text(timeout_ms), kContextOnly, [&] {
        int refusal = kOk;
        Stream *checked = checked_stream(stream, &refusal);
        return checked == nullptr ? refusal : checked->synchronize(timeout_ms);
    });
}
