#include "abi/loaded_library.h"

#include <dlfcn.h>

#include <stdexcept>

#include "support/load_error.h"

namespace rankunit::abi {
namespace {

void *open_library(const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) throw std::runtime_error("it cannot be loaded: " + load_error(path));
    return handle;
}

template <typename Function>
void find(void *handle, const char *name, bool needed, Function *function_out, std::string *missing) {
    *function_out = reinterpret_cast<Function>(dlsym(handle, name));
    if (*function_out == nullptr && needed) *missing += (missing->empty() ? "" : ", ") + std::string(name);
}

}  // namespace

LoadedLibrary::LoadedLibrary(const char *library_path, int kinds, int comm_init_form)
    : path(library_path), handle(open_library(library_path)) {
    find_functions(kinds);
    if ((kinds & LIBRARY_COMM) != 0) {
        require_version();
        choose_form(comm_init_form);
    }
}

void LoadedLibrary::find_functions(int kinds) {
    std::string missing;
#define LOOKED_UP(name, needed_by) find(handle, #name, (kinds & (needed_by)) != 0, &name, &missing);
#define WRAPPED(result, name, needed_by, parameters) LOOKED_UP(name, needed_by)
#define FUNCTION(result, name, needed_by, parameters, arguments) LOOKED_UP(name, needed_by)
#include "abi/functions.def"
    if (missing.empty()) return;
    const char *what = (kinds & LIBRARY_COMM) != 0 ? "a communication library" : "a device library";
    throw std::runtime_error("it is not " + std::string(what) + ": it does not export " + missing);
}

void LoadedLibrary::require_version() const {
    const uint32_t version = comm_abi_version == nullptr ? COMM_ABI_VERSION : comm_abi_version();
    if (version != COMM_ABI_VERSION) {
        throw std::runtime_error("its comm_abi_version is " + std::to_string(version) + ", RankUnit's is " +
                                 std::to_string(COMM_ABI_VERSION));
    }
}

void LoadedLibrary::choose_form(int wanted) {
    form = wanted;
    if (form == COMM_INIT_BY_LIBRARY) {
        const auto own = reinterpret_cast<int (*)()>(dlsym(handle, "comm_init_form"));
        form = own == nullptr ? static_cast<int>(COMM_INIT_STREAM) : own();
        if (form < COMM_INIT_STREAM || form > COMM_INIT_PLAIN) {
            throw std::runtime_error("its comm_init_form returns " + std::to_string(form) + ", which is not in [1, 3]");
        }
    }
}

bool LoadedLibrary::exports(const char *function) const {
    return dlsym(handle, function) != nullptr;
}

CommHandle LoadedLibrary::init(int rank, int nranks, int device_id, void *stream, const char *rootinfo_path) const {
    const auto of_any_form = reinterpret_cast<void (*)()>(comm_init);
    switch (form) {
        case COMM_INIT_DEVICE:
            return reinterpret_cast<CommHandle (*)(int, int, int, const char *)>(of_any_form)(rank, nranks, device_id,
                                                                                              rootinfo_path);
        case COMM_INIT_PLAIN:
            return reinterpret_cast<CommHandle (*)(int, int, const char *)>(of_any_form)(rank, nranks, rootinfo_path);
        default:
            return comm_init(rank, nranks, stream, rootinfo_path);
    }
}

}  // namespace rankunit::abi
