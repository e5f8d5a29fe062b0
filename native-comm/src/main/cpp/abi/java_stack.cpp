#include "abi/java_stack.h"

#include <dlfcn.h>

namespace rankunit::abi {
namespace {

constexpr int32_t kJvmti = 0x30010200;  // JVMTI_VERSION_1_2

// The function tables of jni.h and jvmti.h, as far as they are needed. Their layout is part of the specification.
struct Vm {
    struct Functions {
        const void *before[6];
        int32_t (*get_env)(Vm *vm, void **env_out, int32_t version);
    };
    const Functions *functions;
};

struct ToolInterface {
    struct Functions {
        const void *before[103];
        int (*get_stack_trace)(ToolInterface *tools, const void *thread, int32_t from, int32_t most,
                               JavaFrame *frames_out, int32_t *count_out);
    };
    const Functions *functions;
};

// Not linked: other programs than a JVM load this library as well.
ToolInterface *find() noexcept {
    const auto created = reinterpret_cast<int32_t (*)(Vm **vms_out, int32_t most, int32_t *count_out)>(
        dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs"));
    Vm *vm = nullptr;
    int32_t count = 0;
    if (created == nullptr || created(&vm, 1, &count) != 0 || count != 1) return nullptr;
    void *tools = nullptr;
    return vm->functions->get_env(vm, &tools, kJvmti) == 0 ? static_cast<ToolInterface *>(tools) : nullptr;
}

}  // namespace

size_t java_stack(size_t from, JavaFrame *frames_out, size_t most) noexcept {
    static ToolInterface *const tools = find();
    int32_t count = 0;
    const bool done =
        tools != nullptr && tools->functions->get_stack_trace(tools, nullptr, static_cast<int32_t>(from),
                                                              static_cast<int32_t>(most), frames_out, &count) == 0;
    return done ? static_cast<size_t>(count) : 0;
}

}  // namespace rankunit::abi
