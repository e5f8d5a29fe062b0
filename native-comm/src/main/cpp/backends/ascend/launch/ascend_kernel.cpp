#include <climits>
#include <cstdlib>

#include "backends/ascend/ascend_device.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/device.h"

namespace rankunit::ascend {
namespace {

constexpr int kMostArgs = 128;   // that the vendor's argument list takes
constexpr uint32_t kBlocks = 1;  // the kernel is one function with one argument list; it starts others itself

// The vendor wants a path from the root on.
std::string whole_path(const std::string &path) {
    char whole[PATH_MAX];
    if (realpath(path.c_str(), whole) == nullptr) {
        throw Failure(DEVICE_KERNEL_LOAD, "the kernel's binary cannot be loaded: " + system_text(path.c_str()));
    }
    return whole;
}

// Their names and signatures are documented for CANN 8.5 and 9; which release was the first to have them is not known.
void require_kernel_functions(const AclApi &api) {
    if (api.aclrtBinaryLoadFromFile != nullptr && api.aclrtBinaryGetFunction != nullptr &&
        api.aclrtKernelArgsInit != nullptr && api.aclrtKernelArgsAppend != nullptr &&
        api.aclrtKernelArgsFinalize != nullptr && api.aclrtLaunchKernelWithConfig != nullptr) {
        return;
    }
    throw Failure(DEVICE_KERNEL_LOAD, "this CANN (" + acl_version() +
                                          ") cannot load kernels from a file: it lacks aclrtBinaryLoadFromFile, "
                                          "aclrtLaunchKernelWithConfig, or what belongs to them. CANN 8.5 has them");
}

// A failure to load is DEVICE_KERNEL_LOAD, with the vendor's words.
void check_load(int code, const std::string &call, int device) {
    try {
        check_acl(code, call, device);
    } catch (const VendorError &error) {
        throw Failure(DEVICE_KERNEL_LOAD, error.what());
    }
}

}  // namespace

AscendKernel::AscendKernel(int device, const std::string &library_path, const std::string &symbol)
    : device_(device), name_(symbol) {
    const AclApi &api = acl();
    require_kernel_functions(api);
    const std::string path = whole_path(library_path);
    check_load(api.aclrtBinaryLoadFromFile(path.c_str(), nullptr, &binary_), "aclrtBinaryLoadFromFile of " + path,
               device_);
    const aclError result = api.aclrtBinaryGetFunction(binary_, symbol.c_str(), &function_);
    if (result == ACL_SUCCESS) return;
    if (api.aclrtBinaryUnLoad != nullptr) api.aclrtBinaryUnLoad(binary_);
    check_load(result, "aclrtBinaryGetFunction: there is no kernel \"" + symbol + "\" in " + path + ". It", device_);
}

AscendKernel::~AscendKernel() {
    if (acl().aclrtBinaryUnLoad != nullptr) acl().aclrtBinaryUnLoad(binary_);
}

std::string AscendKernel::call(const char *function) const {
    return std::string(function) + " for kernel \"" + name_ + "\"";
}

void AscendKernel::launch(const uint64_t *args, int nargs, aclrtStream stream) const {
    if (nargs > kMostArgs) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "nargs = " + std::to_string(nargs) + "; the vendor's runtime takes " +
                                                   std::to_string(kMostArgs) + " at the most");
    }
    const AclApi &api = acl();
    aclrtArgsHandle list = nullptr;
    check_acl(api.aclrtKernelArgsInit(function_, &list), call("aclrtKernelArgsInit"), device_);
    for (int i = 0; i < nargs; i++) {
        uint64_t value = args[i];
        aclrtParamHandle parameter = nullptr;
        check_acl(api.aclrtKernelArgsAppend(list, &value, sizeof(value), &parameter), call("aclrtKernelArgsAppend"),
                  device_);
    }
    check_acl(api.aclrtKernelArgsFinalize(list), call("aclrtKernelArgsFinalize"), device_);
    check_acl(api.aclrtLaunchKernelWithConfig(function_, kBlocks, stream, nullptr, list, nullptr),
              call("aclrtLaunchKernelWithConfig"), device_);
}

}  // namespace rankunit::ascend
