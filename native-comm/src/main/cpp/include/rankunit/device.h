// The device ABI: memory and kernels of one device. A backend's library exports it in addition to rankunit/comm.h.
//
// Threads: every function may be called from any thread. The caller must ensure that no other call on the same handle
// runs during or after device_close. In the simulator, all work of a call is done when it returns. On other backends a
// kernel may still run after device_launch has returned; calls that touch memory wait for it and report its failure.
//
// Processes: a handle belongs to the process that made it. In a process forked from that one, every call on the handle
// fails with DEVICE_INVALID_ARGUMENT.
//
// Errors: every function that returns int returns a DeviceStatus or, from DEVICE_VENDOR_ERROR on, an unchanged error
// code of the vendor's library, such as 507015. device_last_error describes the failure. Addresses are checked against
// the allocated memory and the mapped windows, so a wrong address gives an error with a text. The arguments of a kernel
// are not checked.
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
    DEVICE_BAD_ADDRESS = 3,    // not, or not completely, inside device memory or a window
    DEVICE_KERNEL_LOAD = 4,    // the library or the symbol does not exist
    DEVICE_KERNEL_FAILED = 5,  // the kernel returned a value other than 0; the text has it
    DEVICE_SYSTEM = 6,
    DEVICE_NOT_SUPPORTED = 7,  // this backend does not support that
    DEVICE_TIMEOUT = 8,
    DEVICE_ABORTED = 9,  // device_abort was called, or a communicator of this process was aborted
    DEVICE_BUSY = 10,    // work on it has not ended
};

#define DEVICE_VENDOR_ERROR 100000

#define DEVICE_MAX_KERNEL_ARGS 256
#define DEVICE_MAX_BLOCKS 65535

// The name of an environment variable that makes devices of the simulator faulty. It lists devices with their faults,
// such as "3:507015,5:hang". With 507033 (DEV_SETUP_ERROR) device_open fails with that error; with any other vendor
// error each launch and each synchronize fails with it; with "hang" device_open never returns.
#define DEVICE_SIM_FAULTS "RANKUNIT_SIM_FAULTS"

RANKUNIT_EXPORT int device_open(int id, DeviceHandle *device_out);

// Frees all memory and all kernels of the device, and the handle.
RANKUNIT_EXPORT int device_close(DeviceHandle device);

// Allocates `size` bytes, at least 1, aligned to 64 bytes as the vendor's runtime documents; the simulator aligns to
// 512. The contents are undefined.
RANKUNIT_EXPORT int device_malloc(DeviceHandle device, size_t size, uint64_t *address_out);

// Frees memory at an address that device_malloc returned; any other address is rejected.
RANKUNIT_EXPORT int device_free(DeviceHandle device, uint64_t address);

// `address` may lie anywhere inside device memory or a window of this process's communicators.
RANKUNIT_EXPORT int device_zero(DeviceHandle device, uint64_t address, size_t size);
RANKUNIT_EXPORT int device_copy_in(DeviceHandle device, uint64_t target_address, const void *source, size_t size);
RANKUNIT_EXPORT int device_copy_out(DeviceHandle device, void *target, uint64_t source_address, size_t size);

// Copies from device memory or a window to device memory or a window. Two ranges that overlap, but are
// not equal, are rejected, since a device may move the bytes in any order.
RANKUNIT_EXPORT int device_copy(DeviceHandle device, uint64_t target_address, uint64_t source_address, size_t size);

// Stores a description, for people, of the device and of what drives it: UTF-8, truncated to `capacity` bytes including
// the terminating 0.
RANKUNIT_EXPORT int device_describe(DeviceHandle device, char *text_out, size_t capacity);

// Treats `size` bytes at `address` as memory of the device until they are disowned. Used for windows and contexts of
// another library's communicator, so that this device's kernels and copies can use their addresses.
RANKUNIT_EXPORT int device_adopt(DeviceHandle device, uint64_t address, size_t size);
RANKUNIT_EXPORT int device_disown(DeviceHandle device, uint64_t address);

// Stores the stream on which copies and kernels of this device run, to be passed to comm_init; NULL in the simulator.
RANKUNIT_EXPORT int device_stream(DeviceHandle device, void **stream_out);

// Finds the kernel `symbol` in the shared library at `library_path`. The kernel lives as long as the device.
RANKUNIT_EXPORT int device_load_kernel(DeviceHandle device, const char *library_path, const char *symbol,
                                       KernelHandle *kernel_out);

RANKUNIT_EXPORT int device_launch(DeviceHandle device, KernelHandle kernel, const uint64_t *args, int nargs);

// Does the same with a number of blocks, in [1, DEVICE_MAX_BLOCKS], and on a stream: NULL for the stream of
// device_stream, or one that the caller has created with the vendor's runtime in this device's context, and
// synchronizes and destroys itself. The simulator has no streams of a vendor: there, any other stream gives
// DEVICE_NOT_SUPPORTED; rankunit/stream.h has streams for all backends. A backend may lack this function.
RANKUNIT_EXPORT int device_launch_on(DeviceHandle device, KernelHandle kernel, const uint64_t *args, int nargs,
                                     uint32_t blocks, void *stream);

// For the simulator, before the first launch: the platform whose cores and on-chip memory the device has, "a2a3sim",
// which it has without this call, or "a5sim".
RANKUNIT_EXPORT int device_set_platform(DeviceHandle device, const char *platform);

// For the simulator: records what happens in this process from now until the device is closed, in a new file at `path`
// with room for `capacity` events of 64 bytes, in [1, 2^28]. The file can be read meanwhile, and after a crash. The
// file takes room on its disk as it fills; what comes when it, or the disk, is full is dropped and counted. All ranks
// of a group pass the same `order_path`, a file that the first of them makes, so that signals of different ranks to one
// cell have an order; NULL for a process whose cells no other process signals. DEVICE_BUSY while a device of this
// process records.
RANKUNIT_EXPORT int device_record(DeviceHandle device, const char *path, const char *order_path, uint64_t capacity);

// What device_record_mark tells of.
enum DeviceMark {
    DEVICE_MARK_TEST_BEGIN = 1,
    DEVICE_MARK_TEST_END = 2,
    // A begin that is added before the first event that follows it. Without one, neither it nor the end is added, so
    // that a test which does nothing on its device takes no room and hardly any time.
    DEVICE_MARK_TEST_BEGIN_IF_USED = 3,
};

// Adds a mark with a text, at most 4096 bytes of UTF-8, if this process records. All work before the mark of a test's
// begin must have been done, on all ranks.
RANKUNIT_EXPORT int device_record_mark(DeviceHandle device, uint32_t mark, const char *text);

// Adds what people call some memory, at most 4096 bytes of UTF-8, if this process records. Messages about the test that
// has begun then use the name.
RANKUNIT_EXPORT int device_record_name(DeviceHandle device, uint64_t address, size_t bytes, const char *name);

// Says where the program is that calls, for people: "RingTest.java:41", at most 4096 bytes of UTF-8; NULL for nowhere.
// It holds for what the calling thread asks for until its next call of this function, if this process records.
RANKUNIT_EXPORT int device_record_place(DeviceHandle device, const char *place);

// The number by which the record knows the calling thread, 0 for the one that marks the tests, and how many events it
// has recorded, without those of device_record_acquire.
RANKUNIT_EXPORT int device_record_actor(DeviceHandle device, uint32_t *actor_out, uint64_t *events_out);

// Says that the calling thread, from now on, comes after what another thread did until a time, if this process records.
// `actor` is the number of that thread, and `until` the time when it let others know what it did, in nanoseconds of
// CLOCK_MONOTONIC.
RANKUNIT_EXPORT int device_record_acquire(DeviceHandle device, uint32_t actor, uint64_t until);

// Says that the order of threads is not known, and why, at most 4096 bytes of UTF-8, if this process records.
RANKUNIT_EXPORT int device_record_no_order(DeviceHandle device, const char *why);

// For the simulator, while this process records: copies what the arguments of tasks of graphs point to into a file at
// `path`: what a task reads before it runs, and what it has written after that. The first copy makes the file, which
// must not exist; what would make it larger than `most_bytes` is left out. NULL as the path ends that.
RANKUNIT_EXPORT int device_record_memory(DeviceHandle device, const char *path, uint64_t most_bytes);

// For the simulator: notes from now on which kernels and orchestration functions run on which threads of this process,
// in a file at `path`, which is made anew. It can be read at any time, and after the process has ended in whatever way;
// device/cores/running.h describes it. DEVICE_BUSY if this process notes them in another file.
RANKUNIT_EXPORT int device_note_running(DeviceHandle device, const char *path);

// For the simulator: stores where a thread of this process is in the code of a kernel, "/path/libscale.so+0x1130" on a
// line for each function, the innermost first. The text is empty if the thread is in none, or does not answer within
// half a second; it is truncated to `capacity` bytes including the terminating 0. The thread is interrupted by a
// signal.
RANKUNIT_EXPORT int device_code_of(DeviceHandle device, uint32_t thread, char *text_out, size_t capacity);

// For the simulator: leaves out one step of the program that makes an order, to see whether anything notices. `what`:
// the kind of the step and its number, such as "edge:3"; an empty text for none. Kinds are edge, task-wait, publish,
// event-wait, notify-post, notify-wait, signal, cell-wait, synchronize and tensor. Steps are counted from here, and
// anew from each mark of a test's begin. The step is recorded.
RANKUNIT_EXPORT int device_leave_out(DeviceHandle device, const char *what);

// How the schedule of a simulated device is shaken: which of its points pause, and for how long.
enum DeviceShake {
    DEVICE_SHAKE_OFF = 0,
    DEVICE_SHAKE_RANDOM = 1,  // each point by itself
    DEVICE_SHAKE_PCT = 2,     // streams, tasks and blocks have priorities, and low ones pause at all of their points
    DEVICE_SHAKE_DELAY = 3,   // a few points, for long
};

// For the simulator: shakes the schedule of this process from now on, until device_shake_result or until the device is
// closed. Points are calls by the host that act on the device, the pieces of work of streams, tasks, and the begins and
// operations of blocks. What is decided at a point depends on nothing but the strategy, the seed and the name of the
// point, so ranks of a group pass different seeds. A call begins anew; what other threads have begun before it does not
// count any more.
RANKUNIT_EXPORT int device_shake(DeviceHandle device, uint32_t strategy, uint64_t seed);

// From now on device_shake decides the order between the ranks of a group, too: a rank that waits at a point goes on
// when no other thread does, in any of the ranks. All of them are on this machine, and name the same file, which the
// first one makes; there are at most 64. Each calls this once, before device_shake, and calls device_shake equally
// often: ranks wait for one that has not, though for no more than some seconds.
RANKUNIT_EXPORT int device_shake_group(DeviceHandle device, const char *path, int rank, int nranks);

// Ends shaking. Stores the number of decisions and a hash that is the same for two runs that did the same. Writes them
// to the file at `path`, unless it is NULL: a line for each decision, "stream 2, work 5: pauses 16", in the order of
// their names; more than 65536 are not written.
RANKUNIT_EXPORT int device_shake_result(DeviceHandle device, const char *path, uint64_t *count_out, uint64_t *hash_out);

// Waits until everything launched on the stream of device_stream is done.
RANKUNIT_EXPORT int device_synchronize(DeviceHandle device);

// Returns the text of the last failure of a device_* function on this thread, in UTF-8; empty if there was none.
RANKUNIT_EXPORT const char *device_last_error(void);

#ifdef __cplusplus
}
#endif

#endif  // RANKUNIT_DEVICE_H
