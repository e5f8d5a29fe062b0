// Streams, and kernels: functions of a host library that take rankunit/kernel.h's arguments.
#include <dlfcn.h>

#include <cstring>
#include <vector>

#include "vendor/declarations.h"
#include "vendor/machine.h"
#include "vendor/stream.h"

using namespace rankunit::emulator;

namespace {

constexpr int kNoSuchFunction = 107000;
constexpr size_t kMaxKernelArgs = 128;

using Kernel = int (*)(const uint64_t *args, int nargs);
using Args = std::vector<uint64_t>;

}  // namespace

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

aclError aclrtBinaryLoadFromFile(const char *path, void *, aclrtBinHandle *binary) {
    return acl_call("aclrtBinaryLoadFromFile", text(path), kContext, [&] {
        if (path[0] != '/') return kParameter;
        *binary = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        return *binary == nullptr ? kParameter : kOk;
    });
}

aclError aclrtBinaryUnLoad(aclrtBinHandle binary) {
    return acl_call("aclrtBinaryUnLoad", text(binary), kContextOnly, [&] {
        dlclose(binary);
        return kOk;
    });
}

aclError aclrtBinaryGetFunction(const aclrtBinHandle binary, const char *name, aclrtFuncHandle *function) {
    return acl_call("aclrtBinaryGetFunction", text(name), kContext, [&] {
        *function = dlsym(binary, name);
        return *function == nullptr ? kNoSuchFunction : kOk;
    });
}

aclError aclrtKernelArgsInit(aclrtFuncHandle, aclrtArgsHandle *args) {
    return acl_call("aclrtKernelArgsInit", "", kContext, [&] {
        *args = new Args;
        return kOk;
    });
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle args, void *value, size_t size, aclrtParamHandle *parameter) {
    return acl_call("aclrtKernelArgsAppend", text(size), kContext, [&] {
        Args &all = *static_cast<Args *>(args);
        if (size != sizeof(uint64_t) || all.size() == kMaxKernelArgs) return kParameter;
        uint64_t word = 0;
        std::memcpy(&word, value, size);
        all.push_back(word);
        *parameter = args;
        return kOk;
    });
}

aclError aclrtKernelArgsFinalize(aclrtArgsHandle) {
    return acl_call("aclrtKernelArgsFinalize", "", kContext, [] { return kOk; });
}

// Takes the arguments along, as the vendor's does.
aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle function, uint32_t blocks, aclrtStream stream, void *,
                                     aclrtArgsHandle args, void *) {
    return acl_call("aclrtLaunchKernelWithConfig", text(blocks), kContext | kEnqueues, [&] {
        const std::unique_ptr<Args> taken(static_cast<Args *>(args));
        int refusal = kOk;
        Stream *checked = checked_stream(stream, &refusal);
        if (checked == nullptr) return refusal;
        const auto kernel = reinterpret_cast<Kernel>(function);
        enqueue_on(checked, "aclrtLaunchKernelWithConfig", [kernel, values = *taken](const std::atomic<bool> &) {
            return kernel(values.data(), static_cast<int>(values.size())) == 0 ? int{kOk} : int{kAicoreException};
        });
        return int{kOk};
    });
}
