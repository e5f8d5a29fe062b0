#include "bind/bind.h"

#include <memory>
#include <stdexcept>

#include "bind/loaded_library.h"
#include "support/failure.h"

namespace {

thread_local rankunit::ErrorText open_error;
thread_local rankunit::ErrorText call_error;
// Whether the last failure on this thread is one that the library itself knows nothing of.
thread_local bool library_knows = false;

int missing(LibraryHandle library, int status, const char *name) {
    library_knows = false;
    call_error.set((library->path + " does not export " + name).c_str());
    return status;
}

int failed(LibraryHandle library, const char *name, int status) {
    library_knows = true;
    call_error.set((library->path + ": " + name + " returned " + std::to_string(status)).c_str());
    return status;
}

template <typename Function, typename... Arguments>
int call_comm(LibraryHandle library, const char *name, Function function, Arguments... arguments) {
    if (function == nullptr) return missing(library, COMM_NOT_SUPPORTED, name);
    const int status = function(arguments...);
    if (status == 0) return 0;
    failed(library, name, status);
    // A library that does not say which version it speaks has numbers of its own: 4 need not be COMM_TIMEOUT there.
    return library->comm_abi_version == nullptr ? BIND_UNKNOWN_STATUS : status;
}

template <typename Function, typename... Arguments>
int call_device(LibraryHandle library, const char *name, Function function, Arguments... arguments) {
    if (function == nullptr) return missing(library, DEVICE_NOT_SUPPORTED, name);
    const int status = function(arguments...);
    return status == 0 ? 0 : failed(library, name, status);
}

// The library's own words, where it has any.
const char *text_of(const char *(*last_error)()) {
    const char *own = last_error == nullptr || !library_knows ? nullptr : last_error();
    return own == nullptr || *own == '\0' ? call_error.get() : own;
}

}  // namespace

LibraryHandle bind_open(const char *path, int kinds, int comm_init_form) {
    try {
        return std::make_unique<Library_>(path, kinds, comm_init_form).release();
    } catch (const std::exception &failure) {
        open_error.set((std::string(path) + ": " + failure.what()).c_str());
        return nullptr;
    }
}

const char *bind_open_error() {
    return open_error.get();
}

int bind_has(LibraryHandle library, const char *function) {
    return library->exports(function) ? 1 : 0;
}

CommHandle bind_comm_init(LibraryHandle library, int rank, int nranks, int device_id, void *stream,
                          const char *rootinfo_path) {
    const CommHandle made = library->init(rank, nranks, device_id, stream, rootinfo_path);
    if (made == nullptr) {
        library_knows = true;
        call_error.set((library->path + ": comm_init returned NULL").c_str());
    }
    return made;
}

int bind_comm_aborted_by(LibraryHandle library, CommHandle h) {
    return library->comm_aborted_by == nullptr ? -1 : library->comm_aborted_by(h);
}

const char *bind_comm_last_error(LibraryHandle library) {
    return text_of(library->comm_last_error);
}

const char *bind_device_last_error(LibraryHandle library) {
    return text_of(library->device_last_error);
}

int bind_comm_root_info(LibraryHandle library, CommHandle h, char *text_out, size_t capacity) {
    return call_comm(library, "comm_root_info", library->comm_root_info, h, text_out, capacity);
}

int bind_comm_join(LibraryHandle library, CommHandle h, const char *root_info) {
    return call_comm(library, "comm_join", library->comm_join, h, root_info);
}

int bind_comm_alloc_windows(LibraryHandle library, CommHandle h, size_t win_size, uint64_t *ctx_out) {
    return call_comm(library, "comm_alloc_windows", library->comm_alloc_windows, h, win_size, ctx_out);
}

int bind_comm_get_local_window_base(LibraryHandle library, CommHandle h, uint64_t *base_out) {
    return call_comm(library, "comm_get_local_window_base", library->comm_get_local_window_base, h, base_out);
}

int bind_comm_get_window_size(LibraryHandle library, CommHandle h, size_t *size_out) {
    return call_comm(library, "comm_get_window_size", library->comm_get_window_size, h, size_out);
}

int bind_comm_barrier(LibraryHandle library, CommHandle h) {
    return call_comm(library, "comm_barrier", library->comm_barrier, h);
}

int bind_comm_destroy(LibraryHandle library, CommHandle h) {
    return call_comm(library, "comm_destroy", library->comm_destroy, h);
}

int bind_comm_derive_context(LibraryHandle library, CommHandle h, const uint32_t *rank_ids, size_t rank_count,
                             uint32_t domain_rank, size_t offset, size_t size, uint64_t *ctx_out) {
    return call_comm(library, "comm_derive_context", library->comm_derive_context, h, rank_ids, rank_count, domain_rank,
                     offset, size, ctx_out);
}

int bind_comm_alloc_domain_windows(LibraryHandle library, CommHandle h, uint64_t id, const uint32_t *rank_ids,
                                   size_t rank_count, uint32_t domain_rank, size_t size, uint64_t *ctx_out,
                                   uint64_t *base_out) {
    return call_comm(library, "comm_alloc_domain_windows", library->comm_alloc_domain_windows, h, id, rank_ids,
                     rank_count, domain_rank, size, ctx_out, base_out);
}

int bind_comm_release_domain_windows(LibraryHandle library, CommHandle h, uint64_t id, size_t rank_count,
                                     uint32_t domain_rank) {
    return call_comm(library, "comm_release_domain_windows", library->comm_release_domain_windows, h, id, rank_count,
                     domain_rank);
}

int bind_comm_domain_barrier(LibraryHandle library, CommHandle h, uint64_t id) {
    return call_comm(library, "comm_domain_barrier", library->comm_domain_barrier, h, id);
}

int bind_comm_abort(LibraryHandle library, CommHandle h, int failed_rank, const char *reason) {
    return call_comm(library, "comm_abort", library->comm_abort, h, failed_rank, reason);
}

int bind_comm_set_timeout(LibraryHandle library, CommHandle h, int64_t milliseconds) {
    return call_comm(library, "comm_set_timeout", library->comm_set_timeout, h, milliseconds);
}

int bind_device_open(LibraryHandle library, int id, DeviceHandle *device_out) {
    return call_device(library, "device_open", library->device_open, id, device_out);
}

int bind_device_close(LibraryHandle library, DeviceHandle device) {
    return call_device(library, "device_close", library->device_close, device);
}

int bind_device_malloc(LibraryHandle library, DeviceHandle device, size_t size, uint64_t *address_out) {
    return call_device(library, "device_malloc", library->device_malloc, device, size, address_out);
}

int bind_device_free(LibraryHandle library, DeviceHandle device, uint64_t address) {
    return call_device(library, "device_free", library->device_free, device, address);
}

int bind_device_zero(LibraryHandle library, DeviceHandle device, uint64_t address, size_t size) {
    return call_device(library, "device_zero", library->device_zero, device, address, size);
}

int bind_device_copy_in(LibraryHandle library, DeviceHandle device, uint64_t target_address, const void *source,
                        size_t size) {
    return call_device(library, "device_copy_in", library->device_copy_in, device, target_address, source, size);
}

int bind_device_copy_out(LibraryHandle library, DeviceHandle device, void *target, uint64_t source_address,
                         size_t size) {
    return call_device(library, "device_copy_out", library->device_copy_out, device, target, source_address, size);
}

int bind_device_copy(LibraryHandle library, DeviceHandle device, uint64_t target_address, uint64_t source_address,
                     size_t size) {
    return call_device(library, "device_copy", library->device_copy, device, target_address, source_address, size);
}

int bind_device_adopt(LibraryHandle library, DeviceHandle device, uint64_t address, size_t size) {
    return call_device(library, "device_adopt", library->device_adopt, device, address, size);
}

int bind_device_disown(LibraryHandle library, DeviceHandle device, uint64_t address) {
    return call_device(library, "device_disown", library->device_disown, device, address);
}

int bind_device_stream(LibraryHandle library, DeviceHandle device, void **stream_out) {
    return call_device(library, "device_stream", library->device_stream, device, stream_out);
}

int bind_device_load_kernel(LibraryHandle library, DeviceHandle device, const char *library_path, const char *symbol,
                            KernelHandle *kernel_out) {
    return call_device(library, "device_load_kernel", library->device_load_kernel, device, library_path, symbol,
                       kernel_out);
}

int bind_device_launch(LibraryHandle library, DeviceHandle device, KernelHandle kernel, const uint64_t *args,
                       int nargs) {
    return call_device(library, "device_launch", library->device_launch, device, kernel, args, nargs);
}

int bind_device_synchronize(LibraryHandle library, DeviceHandle device) {
    return call_device(library, "device_synchronize", library->device_synchronize, device);
}

int bind_comm_describe(LibraryHandle library, CommHandle h, char *text_out, size_t capacity) {
    return call_comm(library, "comm_describe", library->comm_describe, h, text_out, capacity);
}

int bind_device_describe(LibraryHandle library, DeviceHandle device, char *text_out, size_t capacity) {
    return call_device(library, "device_describe", library->device_describe, device, text_out, capacity);
}
