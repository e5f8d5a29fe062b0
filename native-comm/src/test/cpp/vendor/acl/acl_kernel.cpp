// Kernels: functions of a host library that take rankunit/kernel.h's arguments, all built for vector cores.
//
// On which cores one runs is what its binary says, as in the vendor's runtime; one that says nothing is taken for one
// of cube cores, and fails there.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "vendor/declarations.h"
#include "vendor/machine.h"
#include "vendor/stream.h"

using namespace rankunit::emulator;

namespace {

constexpr int kNoSuchFunction = 107000;
constexpr size_t kMaxKernelArgs = 128;

using Start = int (*)(const uint64_t *args, int nargs);
using Args = std::vector<uint64_t>;

enum class Cores { kVector, kCube };

// Stays open as long as a kernel of it runs, which may be longer than its device.
using Library = std::shared_ptr<void>;

struct Function {
    Library library;
    Start start;
    Cores cores;
};

struct Binary {
    Library library;
    std::string bytes;
    Cores otherwise;  // for kernels of which the binary says nothing
    std::map<std::string, Function> functions;
};

std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Cores cores_of_description(const std::string &path) {
    const std::string description = contents(path.substr(0, path.rfind('.')) + ".json");
    return description.find("RT_DEV_BINARY_MAGIC_ELF_AIVEC") == std::string::npos ? Cores::kCube : Cores::kVector;
}

int load(const std::string &path, const std::string &bytes, Cores otherwise, aclrtBinHandle *binary) {
    void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return kParameter;
    *binary = new Binary{Library(library, dlclose), bytes, otherwise, {}};
    return kOk;
}

bool has_text(const std::string &bytes, const std::string &text) {
    return bytes.find(text + '\0') != std::string::npos;
}

Cores cores_of(const Binary &binary, const std::string &symbol) {
    if (has_text(binary.bytes, ".ascend.meta." + symbol)) return Cores::kVector;
    return symbol.find("_mix_aiv") == std::string::npos ? binary.otherwise : Cores::kVector;
}

}  // namespace

aclError aclrtBinaryLoadFromFile(const char *path, void *options, aclrtBinHandle *binary) {
    return acl_call("aclrtBinaryLoadFromFile", text(path), kContext, [&] {
        if (path[0] != '/' || options != nullptr) return int{kParameter};
        return load(path, contents(path), cores_of_description(path), binary);
    });
}

aclError aclrtBinaryLoadFromData(const void *data, size_t size, const aclrtBinaryLoadOptions *options,
                                 aclrtBinHandle *binary) {
    return acl_call("aclrtBinaryLoadFromData", text(size), kContext, [&] {
        const int file = memfd_create("kernel", MFD_CLOEXEC);
        const bool written = file >= 0 && write(file, data, size) == static_cast<ssize_t>(size);
        Cores otherwise = Cores::kCube;
        for (size_t i = 0; options != nullptr && i < options->numOpt; i++) {
            const aclrtBinaryLoadOption &option = options->options[i];
            if (option.type != ACL_RT_BINARY_LOAD_OPT_MAGIC) return int{kParameter};
            if (option.value.magic == ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE) otherwise = Cores::kVector;
        }
        const std::string path = "/proc/self/fd/" + std::to_string(file);
        const std::string bytes(static_cast<const char *>(data), size);
        const int result = written ? load(path, bytes, otherwise, binary) : int{kParameter};
        close(file);
        return result;
    });
}

aclError aclrtBinaryUnLoad(aclrtBinHandle binary) {
    return acl_call("aclrtBinaryUnLoad", text(binary), kContextOnly, [&] {
        delete static_cast<Binary *>(binary);
        return kOk;
    });
}

// Found by its name without what tells one of its parts from another.
aclError aclrtBinaryGetFunction(const aclrtBinHandle binary, const char *name, aclrtFuncHandle *function) {
    return acl_call("aclrtBinaryGetFunction", text(name), kContext, [&] {
        Binary &loaded = *static_cast<Binary *>(binary);
        for (const std::string &symbol : {std::string(name), std::string(name) + "_mix_aiv"}) {
            const auto start = reinterpret_cast<Start>(dlsym(loaded.library.get(), symbol.c_str()));
            if (start == nullptr) continue;
            Function &found = loaded.functions[symbol];
            found = Function{loaded.library, start, cores_of(loaded, symbol)};
            *function = &found;
            return int{kOk};
        }
        return kNoSuchFunction;
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
        const Function kernel = *static_cast<const Function *>(function);
        enqueue_on(checked, "aclrtLaunchKernelWithConfig", [kernel, values = *taken](const std::atomic<bool> &) {
            if (kernel.cores != Cores::kVector) return int{kAicoreException};
            const int result = kernel.start(values.data(), static_cast<int>(values.size()));
            return result == 0 ? int{kOk} : int{kAicoreException};
        });
        return int{kOk};
    });
}
