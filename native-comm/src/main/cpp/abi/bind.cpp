#include "abi/bind.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "abi/known_places.h"
#include "abi/loaded_library.h"
#include "support/failure.h"

namespace rankunit::abi {

struct BoundComm {
    Library library;
    CommHandle handle;
};

struct BoundDevice {
    Library library;
    DeviceHandle handle;
};

namespace {

thread_local ErrorText open_error;
thread_local ErrorText call_error;
// Whether the last failure on this thread came from the library, which may then have its own text for it.
thread_local bool library_knows = false;

int missing(Library library, int status, const char *name) {
    library_knows = false;
    call_error.set((library->path + " does not export " + name).c_str());
    return status;
}

int failed(Library library, const char *name, int status) {
    library_knows = true;
    call_error.set((library->path + ": " + name + " returned " + std::to_string(status)).c_str());
    return status;
}

int status_of(Comm comm, const char *name, int status) {
    if (status == 0) return 0;
    failed(comm->library, name, status);
    // A library that does not report an ABI version may have its own status values: 4 need not mean COMM_TIMEOUT there.
    return comm->library->comm_abi_version == nullptr ? BIND_UNKNOWN_STATUS : status;
}

int status_of(Device device, const char *name, int status) {
    return status == 0 ? 0 : failed(device->library, name, status);
}

constexpr int not_supported(Comm) {
    return COMM_NOT_SUPPORTED;
}

constexpr int not_supported(Device) {
    return DEVICE_NOT_SUPPORTED;
}

// Passes a call on without converting arguments: the functions in functions.def have the types of comm.h and device.h.
template <typename Bound, typename Handle, typename... Parameters, typename... Arguments>
int forward(const char *name, int (*LoadedLibrary::*function)(Handle, Parameters...), Bound bound,
            Arguments... arguments) {
    static_assert(std::is_same_v<Handle, decltype(bound->handle)>, "a handle of the other kind");
    static_assert(std::is_same_v<std::tuple<Parameters...>, std::tuple<Arguments...>>,
                  "other types than in the header");
    const auto found = bound->library->*function;
    if (found == nullptr) return missing(bound->library, not_supported(bound), name);
    return status_of(bound, name, found(bound->handle, arguments...));
}

// The library's own text, if it has one.
const char *text_of(const char *(*last_error)()) {
    const char *own = last_error == nullptr || !library_knows ? nullptr : last_error();
    return own == nullptr || *own == '\0' ? call_error.get() : own;
}

KnownPlaces &known_places() {
    static auto *const places = new KnownPlaces();
    return *places;
}

}  // namespace

Library bind_open(const char *path, int kinds, int comm_init_form) {
    try {
        return std::make_unique<LoadedLibrary>(path, kinds, comm_init_form).release();
    } catch (const std::exception &failure) {
        open_error.set((std::string(path) + ": " + failure.what()).c_str());
        return nullptr;
    }
}

const char *bind_open_error() {
    return open_error.get();
}

int bind_has(Library library, const char *function) {
    return library->exports(function) ? 1 : 0;
}

Comm bind_comm_init(Library library, int rank, int nranks, int device_id, void *stream, const char *rootinfo_path) {
    auto bound = std::make_unique<BoundComm>(BoundComm{library, nullptr});
    bound->handle = library->init(rank, nranks, device_id, stream, rootinfo_path);
    if (bound->handle == nullptr) {
        library_knows = true;
        call_error.set((library->path + ": comm_init returned NULL").c_str());
        return nullptr;
    }
    return bound.release();
}

int bind_comm_aborted_by(Comm comm) {
    return comm->library->comm_aborted_by == nullptr ? -1 : comm->library->comm_aborted_by(comm->handle);
}

const char *bind_comm_last_error(Library library) {
    return text_of(library->comm_last_error);
}

const char *bind_device_last_error(Library library) {
    return text_of(library->device_last_error);
}

int bind_comm_destroy(Comm comm) {
    const std::unique_ptr<BoundComm> gone(comm);
    return forward("comm_destroy", &LoadedLibrary::comm_destroy, comm);
}

int bind_device_open(Library library, int id, Device *device_out) {
    auto bound = std::make_unique<BoundDevice>(BoundDevice{library, nullptr});
    if (library->device_open == nullptr) return missing(library, DEVICE_NOT_SUPPORTED, "device_open");
    const int status = library->device_open(id, &bound->handle);
    if (status != 0) return failed(library, "device_open", status);
    *device_out = bound.release();
    return 0;
}

int bind_device_close(Device device) {
    const std::unique_ptr<BoundDevice> gone(device);
    return forward("device_close", &LoadedLibrary::device_close, device);
}

int bind_record_known_place(Device device) {
    const std::string *const place = known_places().find();
    if (place == nullptr) return BIND_UNKNOWN_STATUS;
    return bind_device_record_place(device, place->empty() ? nullptr : place->c_str());
}

void bind_learn_place(int frames, Text place) {
    known_places().learn(static_cast<size_t>(frames), place == nullptr ? "" : place);
}

#define RANKUNIT_LIST(...) __VA_ARGS__
#define FUNCTION(result, name, needed_by, parameters, arguments)              \
    result bind_##name parameters {                                           \
        return forward(#name, &LoadedLibrary::name, RANKUNIT_LIST arguments); \
    }
#include "abi/functions.def"
#undef RANKUNIT_LIST

}  // namespace rankunit::abi
