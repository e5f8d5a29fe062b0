#include "abi/bind.h"

#include <memory>
#include <stdexcept>

#include "abi/loaded_library.h"
#include "support/failure.h"

struct BoundComm_ {
    LibraryHandle library;
    CommHandle handle;
};

struct BoundDevice_ {
    LibraryHandle library;
    DeviceHandle handle;
};

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

BoundComm bind_comm_init(LibraryHandle library, int rank, int nranks, int device_id, void *stream,
                         const char *rootinfo_path) {
    auto bound = std::make_unique<BoundComm_>(BoundComm_{library, nullptr});
    bound->handle = library->init(rank, nranks, device_id, stream, rootinfo_path);
    if (bound->handle == nullptr) {
        library_knows = true;
        call_error.set((library->path + ": comm_init returned NULL").c_str());
        return nullptr;
    }
    return bound.release();
}

int bind_comm_aborted_by(BoundComm comm) {
    return comm->library->comm_aborted_by == nullptr ? -1 : comm->library->comm_aborted_by(comm->handle);
}

const char *bind_comm_last_error(LibraryHandle library) {
    return text_of(library->comm_last_error);
}

const char *bind_device_last_error(LibraryHandle library) {
    return text_of(library->device_last_error);
}

int bind_comm_root_info(BoundComm comm, char *text_out, size_t capacity) {
    return call_comm(comm->library, "comm_root_info", comm->library->comm_root_info, comm->handle, text_out, capacity);
}

int bind_comm_join(BoundComm comm, const char *root_info) {
    return call_comm(comm->library, "comm_join", comm->library->comm_join, comm->handle, root_info);
}

int bind_comm_alloc_windows(BoundComm comm, size_t win_size, uint64_t *ctx_out) {
    return call_comm(comm->library, "comm_alloc_windows", comm->library->comm_alloc_windows, comm->handle, win_size,
                     ctx_out);
}

int bind_comm_get_local_window_base(BoundComm comm, uint64_t *base_out) {
    return call_comm(comm->library, "comm_get_local_window_base", comm->library->comm_get_local_window_base,
                     comm->handle, base_out);
}

int bind_comm_get_window_size(BoundComm comm, size_t *size_out) {
    return call_comm(comm->library, "comm_get_window_size", comm->library->comm_get_window_size, comm->handle,
                     size_out);
}

int bind_comm_barrier(BoundComm comm) {
    return call_comm(comm->library, "comm_barrier", comm->library->comm_barrier, comm->handle);
}

int bind_comm_destroy(BoundComm comm) {
    const std::unique_ptr<BoundComm_> gone(comm);
    return call_comm(comm->library, "comm_destroy", comm->library->comm_destroy, comm->handle);
}

int bind_comm_derive_context(BoundComm comm, const uint32_t *rank_ids, size_t rank_count, uint32_t domain_rank,
                             size_t offset, size_t size, uint64_t *ctx_out) {
    return call_comm(comm->library, "comm_derive_context", comm->library->comm_derive_context, comm->handle, rank_ids,
                     rank_count, domain_rank, offset, size, ctx_out);
}

int bind_comm_alloc_domain_windows(BoundComm comm, uint64_t id, const uint32_t *rank_ids, size_t rank_count,
                                   uint32_t domain_rank, size_t size, uint64_t *ctx_out, uint64_t *base_out) {
    return call_comm(comm->library, "comm_alloc_domain_windows", comm->library->comm_alloc_domain_windows, comm->handle,
                     id, rank_ids, rank_count, domain_rank, size, ctx_out, base_out);
}

int bind_comm_release_domain_windows(BoundComm comm, uint64_t id, size_t rank_count, uint32_t domain_rank) {
    return call_comm(comm->library, "comm_release_domain_windows", comm->library->comm_release_domain_windows,
                     comm->handle, id, rank_count, domain_rank);
}

int bind_comm_domain_barrier(BoundComm comm, uint64_t id) {
    return call_comm(comm->library, "comm_domain_barrier", comm->library->comm_domain_barrier, comm->handle, id);
}

int bind_comm_abort(BoundComm comm, int failed_rank, const char *reason) {
    return call_comm(comm->library, "comm_abort", comm->library->comm_abort, comm->handle, failed_rank, reason);
}

int bind_comm_set_timeout(BoundComm comm, int64_t milliseconds) {
    return call_comm(comm->library, "comm_set_timeout", comm->library->comm_set_timeout, comm->handle, milliseconds);
}

int bind_device_open(LibraryHandle library, int id, BoundDevice *device_out) {
    auto bound = std::make_unique<BoundDevice_>(BoundDevice_{library, nullptr});
    const int status = call_device(library, "device_open", library->device_open, id, &bound->handle);
    if (status == 0) *device_out = bound.release();
    return status;
}

int bind_device_close(BoundDevice device) {
    const std::unique_ptr<BoundDevice_> gone(device);
    return call_device(device->library, "device_close", device->library->device_close, device->handle);
}

int bind_device_malloc(BoundDevice device, size_t size, uint64_t *address_out) {
    return call_device(device->library, "device_malloc", device->library->device_malloc, device->handle, size,
                       address_out);
}

int bind_device_free(BoundDevice device, uint64_t address) {
    return call_device(device->library, "device_free", device->library->device_free, device->handle, address);
}

int bind_device_zero(BoundDevice device, uint64_t address, size_t size) {
    return call_device(device->library, "device_zero", device->library->device_zero, device->handle, address, size);
}

int bind_device_copy_in(BoundDevice device, uint64_t target_address, const void *source, size_t size) {
    return call_device(device->library, "device_copy_in", device->library->device_copy_in, device->handle,
                       target_address, source, size);
}

int bind_device_copy_out(BoundDevice device, void *target, uint64_t source_address, size_t size) {
    return call_device(device->library, "device_copy_out", device->library->device_copy_out, device->handle, target,
                       source_address, size);
}

int bind_device_copy(BoundDevice device, uint64_t target_address, uint64_t source_address, size_t size) {
    return call_device(device->library, "device_copy", device->library->device_copy, device->handle, target_address,
                       source_address, size);
}

int bind_device_adopt(BoundDevice device, uint64_t address, size_t size) {
    return call_device(device->library, "device_adopt", device->library->device_adopt, device->handle, address, size);
}

int bind_device_disown(BoundDevice device, uint64_t address) {
    return call_device(device->library, "device_disown", device->library->device_disown, device->handle, address);
}

int bind_device_stream(BoundDevice device, void **stream_out) {
    return call_device(device->library, "device_stream", device->library->device_stream, device->handle, stream_out);
}

int bind_device_load_kernel(BoundDevice device, const char *library_path, const char *symbol,
                            KernelHandle *kernel_out) {
    return call_device(device->library, "device_load_kernel", device->library->device_load_kernel, device->handle,
                       library_path, symbol, kernel_out);
}

int bind_device_launch(BoundDevice device, KernelHandle kernel, const uint64_t *args, int nargs) {
    return call_device(device->library, "device_launch", device->library->device_launch, device->handle, kernel, args,
                       nargs);
}

int bind_device_synchronize(BoundDevice device) {
    return call_device(device->library, "device_synchronize", device->library->device_synchronize, device->handle);
}

int bind_comm_describe(BoundComm comm, char *text_out, size_t capacity) {
    return call_comm(comm->library, "comm_describe", comm->library->comm_describe, comm->handle, text_out, capacity);
}

int bind_device_describe(BoundDevice device, char *text_out, size_t capacity) {
    return call_device(device->library, "device_describe", device->library->device_describe, device->handle, text_out,
                       capacity);
}
