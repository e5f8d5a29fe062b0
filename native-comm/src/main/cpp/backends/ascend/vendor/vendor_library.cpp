#include "backends/ascend/vendor/vendor_library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <mutex>
#include <vector>

namespace rankunit::ascend {
namespace {

// Where a library may be: wherever the dynamic linker looks, then where the toolkit says that it is.
std::vector<std::string> candidates(const std::string &name) {
    std::vector<std::string> paths{name};
    for (const char *variable : {"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"}) {
        const char *home = std::getenv(variable);
        if (home != nullptr && *home != '\0') paths.push_back(std::string(home) + "/lib64/" + name);
    }
    return paths;
}

std::string path_of(void *library) {
    const link_map *map = nullptr;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return "?";
    return map->l_name;
}

// RTLD_GLOBAL, as in a program that was linked to it: parts of CANN are opened later and look for each other's symbols
// there. Null, and a text, if it cannot be opened.
void *try_open(const std::string &name, std::string *failures) {
    for (const std::string &path : candidates(name)) {
        if (void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL)) return library;
        *failures += std::string("\n  ") + dlerror();
    }
    return nullptr;
}

[[noreturn]] void refuse_missing_library(const std::string &name, const std::string &failures) {
    throw VendorUnavailable(name + " of CANN, the vendor's toolkit, cannot be opened:" + failures +
                            "\nIf CANN is installed, load its environment first (source <toolkit>/set_env.sh, as a "
                            "rule /usr/local/Ascend/ascend-toolkit/set_env.sh), or add its lib64 to LD_LIBRARY_PATH.");
}

void *open_library(const std::string &name) {
    std::string failures;
    if (void *library = try_open(name, &failures)) return library;
    refuse_missing_library(name, failures);
}

#define RANKUNIT_IS_THERE(name, result, parameters) \
    if (dlsym(library, #name) == nullptr) return false;

bool has_all_required(void *library) {
    RANKUNIT_ACL_REQUIRED(RANKUNIT_IS_THERE)
    return true;
}

#undef RANKUNIT_IS_THERE

// CANN 9 has these functions in libacl_rt.so; libascendcl.so, which passes them on, is being retired for them. The
// later one is opened where the other is missing or lacks some, so that two that are of different CANN are not mixed.
std::vector<void *> open_acl() {
    std::string failures;
    std::vector<void *> libraries;
    if (void *library = try_open("libascendcl.so", &failures)) libraries.push_back(library);
    if (!libraries.empty() && has_all_required(libraries[0])) return libraries;
    if (void *library = try_open("libacl_rt.so", &failures)) libraries.push_back(library);
    if (libraries.empty()) refuse_missing_library("libascendcl.so", failures);
    return libraries;
}

// Symbols of one library, or of several that share them.
class Symbols {
public:
    explicit Symbols(std::vector<void *> libraries) : libraries_(std::move(libraries)) {}

    template <typename Function>
    void optional(const char *name, Function *function) const {
        for (void *library : libraries_) {
            *function = reinterpret_cast<Function>(dlsym(library, name));
            if (*function != nullptr) return;
        }
    }

    template <typename Function>
    void required(const char *name, Function *function) {
        optional(name, function);
        if (*function == nullptr) missing_ += std::string(missing_.empty() ? "" : ", ") + name;
    }

    void refuse_missing(const std::string &version) const {
        if (missing_.empty()) return;
        std::string paths;
        for (void *library : libraries_) paths += std::string(paths.empty() ? "" : " and ") + path_of(library);
        throw VendorUnavailable(paths + " lacks " + missing_ + (version.empty() ? "" : "; it says to be " + version) +
                                ". RankUnit needs CANN 8.1 or later; is another library of this name in front of it "
                                "in LD_LIBRARY_PATH?");
    }

private:
    std::vector<void *> libraries_;
    std::string missing_;
};

std::string version_of(const AclApi &api) {
    int32_t major = 0;
    int32_t minor = 0;
    int32_t patch = 0;
    if (api.aclrtGetVersion == nullptr || api.aclrtGetVersion(&major, &minor, &patch) != ACL_SUCCESS) return "";
    return "ACL " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

#define RANKUNIT_REQUIRED(name, result, parameters) symbols.required(#name, &api.name);
#define RANKUNIT_OPTIONAL(name, result, parameters) symbols.optional(#name, &api.name);

AclApi find_acl() {
    AclApi api;
    Symbols symbols(open_acl());
    RANKUNIT_ACL_REQUIRED(RANKUNIT_REQUIRED)
    RANKUNIT_ACL_OPTIONAL(RANKUNIT_OPTIONAL)
    symbols.refuse_missing(version_of(api));
    return api;
}

HcclApi find_hccl() {
    HcclApi api;
    std::vector<void *> libraries{open_library("libhccl.so")};
    // CANN 9 has the management of communicators in a library of its own. libhccl depends on it by name, so its symbols
    // are found through libhccl's handle; where they are not, this one has them.
    std::string unused;
    if (dlsym(libraries[0], "HcclCommInitRootInfo") == nullptr) {
        if (void *management = try_open("libhcomm.so", &unused)) libraries.push_back(management);
    }
    Symbols symbols(std::move(libraries));
    RANKUNIT_HCCL_REQUIRED(RANKUNIT_REQUIRED)
    RANKUNIT_HCCL_OPTIONAL(RANKUNIT_OPTIONAL)
    symbols.refuse_missing(acl_version());
    return api;
}

#undef RANKUNIT_REQUIRED
#undef RANKUNIT_OPTIONAL

}  // namespace

// An initialisation that throws is tried again by the next caller, who may have set the environment right.
const AclApi &acl() {
    static const AclApi api = find_acl();
    return api;
}

const HcclApi &hccl() {
    static const HcclApi api = find_hccl();
    return api;
}

std::string acl_version() {
    return version_of(acl());
}

}  // namespace rankunit::ascend
