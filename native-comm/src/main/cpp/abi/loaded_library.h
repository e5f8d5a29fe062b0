// A backend's functions, looked up by name.
#ifndef RANKUNIT_ABI_LOADED_LIBRARY_H
#define RANKUNIT_ABI_LOADED_LIBRARY_H

#include <string>

#include "abi/bind.h"

namespace rankunit::abi {

struct LoadedLibrary {
    // Throws std::runtime_error that names everything wrong with the library.
    LoadedLibrary(const char *path, int kinds, int comm_init_form);

    bool exports(const char *function) const;
    CommHandle init(int rank, int nranks, int device_id, void *stream, const char *rootinfo_path) const;

    std::string path;
    void *handle;
    int form = COMM_INIT_STREAM;

    // Null if the library lacks the function.
#define FUNCTION(result, name, needed_by, parameters, arguments) decltype(&::name) name = nullptr;
#define WRAPPED(result, name, needed_by, parameters) decltype(&::name) name = nullptr;
#define LOOKED_UP(name, needed_by) decltype(&::name) name = nullptr;
#include "abi/functions.def"

private:
    void find_functions(int kinds);
    void require_version() const;
    void choose_form(int wanted);
};

}  // namespace rankunit::abi

#endif  // RANKUNIT_ABI_LOADED_LIBRARY_H
