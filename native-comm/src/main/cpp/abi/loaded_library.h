// A backend's functions, found by their names.
#ifndef RANKUNIT_ABI_LOADED_LIBRARY_H
#define RANKUNIT_ABI_LOADED_LIBRARY_H

#include <string>

#include "abi/bind.h"

// X(name, kind that cannot do without it, or 0)
#define RANKUNIT_COMM_FUNCTIONS(X)              \
    X(comm_alloc_windows, LIBRARY_COMM)         \
    X(comm_get_local_window_base, LIBRARY_COMM) \
    X(comm_get_window_size, LIBRARY_COMM)       \
    X(comm_barrier, LIBRARY_COMM)               \
    X(comm_destroy, LIBRARY_COMM)               \
    X(comm_root_info, 0)                        \
    X(comm_join, 0)                             \
    X(comm_derive_context, 0)                   \
    X(comm_alloc_domain_windows, 0)             \
    X(comm_release_domain_windows, 0)           \
    X(comm_domain_barrier, 0)                   \
    X(comm_abort, 0)                            \
    X(comm_set_timeout, 0)                      \
    X(comm_aborted_by, 0)                       \
    X(comm_describe, 0)                         \
    X(comm_last_error, 0)                       \
    X(comm_abi_version, 0)

#define RANKUNIT_DEVICE_FUNCTIONS(X)      \
    X(device_open, LIBRARY_DEVICE)        \
    X(device_close, LIBRARY_DEVICE)       \
    X(device_malloc, LIBRARY_DEVICE)      \
    X(device_free, LIBRARY_DEVICE)        \
    X(device_zero, LIBRARY_DEVICE)        \
    X(device_copy_in, LIBRARY_DEVICE)     \
    X(device_copy_out, LIBRARY_DEVICE)    \
    X(device_load_kernel, LIBRARY_DEVICE) \
    X(device_launch, LIBRARY_DEVICE)      \
    X(device_synchronize, LIBRARY_DEVICE) \
    X(device_last_error, LIBRARY_DEVICE)  \
    X(device_copy, LIBRARY_DEVICE)        \
    X(device_adopt, LIBRARY_DEVICE)       \
    X(device_disown, LIBRARY_DEVICE)      \
    X(device_describe, LIBRARY_DEVICE)    \
    X(device_stream, LIBRARY_DEVICE)

struct Library_ {
    // Throws std::runtime_error with all that is wrong with the library.
    Library_(const char *path, int kinds, int comm_init_form);

    bool exports(const char *function) const;
    CommHandle init(int rank, int nranks, int device_id, void *stream, const char *rootinfo_path) const;

    std::string path;
    void *handle;
    void *comm_init_function = nullptr;
    int form = COMM_INIT_STREAM;
#define RANKUNIT_POINTER(name, needed_by) decltype(&::name) name = nullptr;
    RANKUNIT_COMM_FUNCTIONS(RANKUNIT_POINTER)
    RANKUNIT_DEVICE_FUNCTIONS(RANKUNIT_POINTER)
#undef RANKUNIT_POINTER

private:
    void find_functions(int kinds);
    void require_version() const;
    void choose_form(int wanted);
};

#endif  // RANKUNIT_ABI_LOADED_LIBRARY_H
