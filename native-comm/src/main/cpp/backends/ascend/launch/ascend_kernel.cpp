#include <cstdlib>

#include "backends/ascend/ascend_device.h"
#include "backends/ascend/launch/kernel_binary.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/device.h"

namespace rankunit::ascend {
namespace {

constexpr char kCoresKey[] = "RANKUNIT_ASCEND_KERNEL_CORES";

constexpr int kMostArgs = 128;  // that the vendor's argument list takes

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

// The magic of the cores that the user says, for a kernel that says nothing itself.
uint32_t magic_of_cores(const KernelBinary &binary, const std::string &kernel) {
    const char *cores = std::getenv(kCoresKey);
    const std::string said = cores == nullptr ? "" : cores;
    if (said == "vector") return ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE;
    if (said == "cube") return ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE;
    const std::string key = kCoresKey;
    if (!said.empty()) throw Failure(DEVICE_KERNEL_LOAD, key + " = \"" + said + "\": give \"vector\" or \"cube\"");
    throw Failure(DEVICE_KERNEL_LOAD,
                  binary.path() + " does not say on which cores kernel \"" + kernel +
                      "\" runs, and the runtime may take one of vector cores for one of cube cores. It is said by a "
                      "section .ascend.meta." +
                      kernel +
                      " in it: build it as the vendor's samples do, with ascendc_fatbin_library of CANN's "
                      "ascendc.cmake. Or put the compiler's .json file beside it, outside of a jar; or set " +
                      key + " to vector or cube for all kernels that say nothing");
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
    const KernelBinary binary(library_path);
    cores_ = binary.cores_of(symbol);
    if (binary.says_cores_of(symbol) || !binary.has(symbol)) {
        check_load(api.aclrtBinaryLoadFromFile(binary.path().c_str(), nullptr, &binary_),
                   "aclrtBinaryLoadFromFile of " + binary.path(), device_);
    } else {
        const uint32_t magic = magic_of_cores(binary, symbol);
        cores_ = magic == ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE ? BlockCores::kCube : BlockCores::kVector;
        load_for(magic, binary);
    }
    const aclError result = api.aclrtBinaryGetFunction(binary_, symbol.c_str(), &function_);
    if (result == ACL_SUCCESS) return;
    if (api.aclrtBinaryUnLoad != nullptr) api.aclrtBinaryUnLoad(binary_);
    check_load(result, "aclrtBinaryGetFunction: there is no kernel \"" + symbol + "\" in " + binary.path() + ". It",
               device_);
}

// The runtime takes the magic for data alone, not for a file.
void AscendKernel::load_for(uint32_t magic, const KernelBinary &binary) {
    const AclApi &api = acl();
    if (api.aclrtBinaryLoadFromData == nullptr) {
        throw Failure(DEVICE_KERNEL_LOAD, std::string(kCoresKey) + " needs aclrtBinaryLoadFromData, which this CANN (" +
                                              acl_version() + ") lacks");
    }
    aclrtBinaryLoadOption option{};
    option.type = ACL_RT_BINARY_LOAD_OPT_MAGIC;
    option.value.magic = magic;
    const aclrtBinaryLoadOptions options{&option, 1};
    check_load(api.aclrtBinaryLoadFromData(binary.bytes().data(), binary.bytes().size(), &options, &binary_),
               "aclrtBinaryLoadFromData of " + binary.path(), device_);
}

AscendKernel::~AscendKernel() {
    if (acl().aclrtBinaryUnLoad != nullptr) acl().aclrtBinaryUnLoad(binary_);
}

std::string AscendKernel::call(const char *function) const {
    return std::string(function) + " for kernel \"" + name_ + "\"";
}

void AscendKernel::require_cores(BlockCores cores) const {
    if (!cores_.has_value() || *cores_ == cores) return;
    throw Failure(DEVICE_INVALID_ARGUMENT, "kernel \"" + name_ + "\" was built for " + text_of(*cores_) +
                                               ", and the launch asks for " + text_of(cores));
}

void AscendKernel::launch(const uint64_t *args, int nargs, uint32_t blocks, aclrtStream stream) const {
    if (nargs > kMostArgs) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "nargs = " + std::to_string(nargs) +
                                                   "; the vendor's runtime takes at most " + std::to_string(kMostArgs));
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
    check_acl(api.aclrtLaunchKernelWithConfig(function_, blocks, stream, nullptr, list, nullptr),
              call("aclrtLaunchKernelWithConfig"), device_);
}

}  // namespace rankunit::ascend
