// The device ABI: memory and kernels of one device. A backend's library exports it beside rankunit/comm.h.
//
// Threads: every function may be called from any thread; device_close while or before another call on the same
// handle is an error of the caller. In the simulator every call is done when it returns. Elsewhere a kernel may still
// run when device_launch has returned; calls that touch memory wait for it, and tell of its failure.
//
// Processes: a handle belongs to the process that made it. In a process forked from that one every call on it is
// refused with DEVICE_INVALID_ARGUMENT.
//
// Errors: every function returns a DeviceStatus, or a number from DEVICE_VENDOR_ERROR on: what the vendor's own library
// returned, unchanged (507015 and the like). What happened is in device_last_error.
// Addresses are checked against the memory that is allocated and the windows that are mapped, so a wrong one is
// an error with a text; the arguments of a kernel are not checked.
#ifndef RANKUNIT_DEVICE_H
#define RANKUNIT_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "rankunit/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DeviceHandle_ *DeviceHandle;
typedef struct KernelHandle_ *KernelHandle;

enum DeviceStatus {
    DEVICE_OK = 0,
    DEVICE_INVALID_ARGUMENT = 1,
    DEVICE_OUT_OF_MEMORY = 2,
    DEVICE_BAD_ADDRESS = 3,    // not, or not all, inside device memory or a window
    DEVICE_KERNEL_LOAD = 4,    // no such library, or no such symbol in it
    DEVICE_KERNEL_FAILED = 5,  // the kernel returned another value than 0; the text has it
    DEVICE_SYSTEM = 6,
    DEVICE_NOT_SUPPORTED = 7,  // this backend cannot do that
};

#define DEVICE_VENDOR_ERROR 100000

#define DEVICE_MAX_KERNEL_ARGS 256
#define DEVICE_MAX_BLOCKS 65535

// The simulator's devices are sound, but those that the environment variable of this name lists, each with what is
// wrong with it: "3:507015,5:hang". 507033 (DEV_SETUP_ERROR) is what device_open ends with, any other vendor error what
// each launch and each synchronize ends with; with "hang" device_open does not end.
#define DEVICE_SIM_FAULTS "RANKUNIT_SIM_FAULTS"

RANKUNIT_EXPORT int device_open(int id, DeviceHandle *device_out);

// Frees all memory and all kernels of the device, and the handle.
RANKUNIT_EXPORT int device_close(DeviceHandle device);

// Allocates `size` bytes, at least 1, aligned to 64, which is what the vendor's runtime documents; the simulator aligns
// to 512. Their contents are undefined.
RANKUNIT_EXPORT int device_malloc(DeviceHandle device, size_t size, uint64_t *address_out);

// Frees what device_malloc returned; any other address is refused.
RANKUNIT_EXPORT int device_free(DeviceHandle device, uint64_t address);

// `address` may lie anywhere inside device memory or a window of this process's communicators.
RANKUNIT_EXPORT int device_zero(DeviceHandle device, uint64_t address, size_t size);
RANKUNIT_EXPORT int device_copy_in(DeviceHandle device, uint64_t target_address, const void *source, size_t size);
RANKUNIT_EXPORT int device_copy_out(DeviceHandle device, void *target, uint64_t source_address, size_t size);

// From device memory or a window to device memory or a window; the two may overlap only if they are the same.
RANKUNIT_EXPORT int device_copy(DeviceHandle device, uint64_t target_address, uint64_t source_address, size_t size);

// Stores in words what the device is and what drives it, for people; UTF-8, cut to `capacity` with its end.
RANKUNIT_EXPORT int device_describe(DeviceHandle device, char *text_out, size_t capacity);

// Lets `size` bytes at `address` pass for memory of the device until they are disowned: windows and contexts of a
// communicator of another library, on whose addresses this one's kernels and copies are to work.
RANKUNIT_EXPORT int device_adopt(DeviceHandle device, uint64_t address, size_t size);
RANKUNIT_EXPORT int device_disown(DeviceHandle device, uint64_t address);

// Stores the stream on which copies and kernels of this device run, for comm_init; NULL in the simulator.
RANKUNIT_EXPORT int device_stream(DeviceHandle device, void **stream_out);

// Finds the kernel `symbol` in the shared library at `library_path`. The kernel lives as long as the device.
RANKUNIT_EXPORT int device_load_kernel(DeviceHandle device, const char *library_path, const char *symbol,
                                       KernelHandle *kernel_out);

RANKUNIT_EXPORT int device_launch(DeviceHandle device, KernelHandle kernel, const uint64_t *args, int nargs);

// The same with a number of blocks, in [1, DEVICE_MAX_BLOCKS], and on a stream: NULL for that of device_stream, or one
// that the caller has made with the vendor's runtime in this device's context, and waits for and ends itself. A
// simulated kernel knows no blocks, and a simulated device has no streams: both are DEVICE_NOT_SUPPORTED there. A
// backend may lack this function.
RANKUNIT_EXPORT int device_launch_on(DeviceHandle device, KernelHandle kernel, const uint64_t *args, int nargs,
                                     uint32_t blocks, void *stream);

// Waits until all that was launched on device_stream's stream is done.
RANKUNIT_EXPORT int device_synchronize(DeviceHandle device);

// Text of the last failure of a device_* function on this thread, UTF-8, empty if there was none.
RANKUNIT_EXPORT const char *device_last_error(void);

#ifdef __cplusplus
}
#endif

#endif  // RANKUNIT_DEVICE_H
