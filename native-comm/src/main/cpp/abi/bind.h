// What Java calls: one library that loads a backend by its path and passes the calls on. So Java has one mapping for
// all backends, ours and other people's, and what a library lacks is found out in one place.
//
// A library handle is never closed: threads of a vendor's library may still run. Functions of comm.h and device.h
// are here with the prefix bind_, and handles that know their library, as each argument makes a call of Java's longer.
// A function that the
// library lacks gives COMM_NOT_SUPPORTED or DEVICE_NOT_SUPPORTED; a number that is not of our ABI BIND_UNKNOWN_STATUS.
#ifndef RANKUNIT_ABI_BIND_H
#define RANKUNIT_ABI_BIND_H

#include <stddef.h>
#include <stdint.h>

#include "rankunit/comm.h"
#include "rankunit/device.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BIND_UNKNOWN_STATUS (-1)

typedef struct Library_ *LibraryHandle;
typedef struct BoundComm_ *BoundComm;
typedef struct BoundDevice_ *BoundDevice;

// What a library must export: the six first functions of comm.h, or all of device.h that has no later addition.
enum LibraryKind { LIBRARY_COMM = 1, LIBRARY_DEVICE = 2 };

// The forms of comm_init in the field; no symbol tells them apart.
enum CommInitForm {
    COMM_INIT_BY_LIBRARY = 0,  // what the library's comm_init_form says, and without that COMM_INIT_STREAM
    COMM_INIT_STREAM = 1,      // (rank, nranks, stream, rootinfo_path)
    COMM_INIT_DEVICE = 2,      // (rank, nranks, device_id, rootinfo_path)
    COMM_INIT_PLAIN = 3,       // (rank, nranks, rootinfo_path)
};

// `kinds` is a sum of LibraryKind. NULL on failure; then bind_open_error has the text.
RANKUNIT_EXPORT LibraryHandle bind_open(const char *path, int kinds, int comm_init_form);
RANKUNIT_EXPORT const char *bind_open_error(void);

// Whether the library exports a function.
RANKUNIT_EXPORT int bind_has(LibraryHandle library, const char *function);

RANKUNIT_EXPORT BoundComm bind_comm_init(LibraryHandle library, int rank, int nranks, int device_id, void *stream,
                                         const char *rootinfo_path);
RANKUNIT_EXPORT int bind_comm_root_info(BoundComm comm, char *text_out, size_t capacity);
RANKUNIT_EXPORT int bind_comm_join(BoundComm comm, const char *root_info);
RANKUNIT_EXPORT int bind_comm_alloc_windows(BoundComm comm, size_t win_size, uint64_t *ctx_out);
RANKUNIT_EXPORT int bind_comm_get_local_window_base(BoundComm comm, uint64_t *base_out);
RANKUNIT_EXPORT int bind_comm_get_window_size(BoundComm comm, size_t *size_out);
RANKUNIT_EXPORT int bind_comm_barrier(BoundComm comm);
RANKUNIT_EXPORT int bind_comm_destroy(BoundComm comm);
RANKUNIT_EXPORT int bind_comm_derive_context(BoundComm comm, const uint32_t *rank_ids, size_t rank_count,
                                             uint32_t domain_rank, size_t offset, size_t size, uint64_t *ctx_out);
RANKUNIT_EXPORT int bind_comm_alloc_domain_windows(BoundComm comm, uint64_t id, const uint32_t *rank_ids,
                                                   size_t rank_count, uint32_t domain_rank, size_t size,
                                                   uint64_t *ctx_out, uint64_t *base_out);
RANKUNIT_EXPORT int bind_comm_release_domain_windows(BoundComm comm, uint64_t id, size_t rank_count,
                                                     uint32_t domain_rank);
RANKUNIT_EXPORT int bind_comm_domain_barrier(BoundComm comm, uint64_t id);
RANKUNIT_EXPORT int bind_comm_abort(BoundComm comm, int failed_rank, const char *reason);
RANKUNIT_EXPORT int bind_comm_set_timeout(BoundComm comm, int64_t milliseconds);
RANKUNIT_EXPORT int bind_comm_aborted_by(BoundComm comm);
RANKUNIT_EXPORT int bind_comm_describe(BoundComm comm, char *text_out, size_t capacity);
RANKUNIT_EXPORT const char *bind_comm_last_error(LibraryHandle library);

RANKUNIT_EXPORT int bind_device_open(LibraryHandle library, int id, BoundDevice *device_out);
RANKUNIT_EXPORT int bind_device_close(BoundDevice device);
RANKUNIT_EXPORT int bind_device_malloc(BoundDevice device, size_t size, uint64_t *address_out);
RANKUNIT_EXPORT int bind_device_free(BoundDevice device, uint64_t address);
RANKUNIT_EXPORT int bind_device_zero(BoundDevice device, uint64_t address, size_t size);
RANKUNIT_EXPORT int bind_device_copy_in(BoundDevice device, uint64_t target_address, const void *source, size_t size);
RANKUNIT_EXPORT int bind_device_copy_out(BoundDevice device, void *target, uint64_t source_address, size_t size);
RANKUNIT_EXPORT int bind_device_copy(BoundDevice device, uint64_t target_address, uint64_t source_address, size_t size);
RANKUNIT_EXPORT int bind_device_adopt(BoundDevice device, uint64_t address, size_t size);
RANKUNIT_EXPORT int bind_device_disown(BoundDevice device, uint64_t address);
RANKUNIT_EXPORT int bind_device_stream(BoundDevice device, void **stream_out);
RANKUNIT_EXPORT int bind_device_load_kernel(BoundDevice device, const char *library_path, const char *symbol,
                                            KernelHandle *kernel_out);
RANKUNIT_EXPORT int bind_device_launch(BoundDevice device, KernelHandle kernel, const uint64_t *args, int nargs);
RANKUNIT_EXPORT int bind_device_synchronize(BoundDevice device);
RANKUNIT_EXPORT int bind_device_describe(BoundDevice device, char *text_out, size_t capacity);
RANKUNIT_EXPORT const char *bind_device_last_error(LibraryHandle library);

#ifdef __cplusplus
}
#endif

#endif  // RANKUNIT_ABI_BIND_H
