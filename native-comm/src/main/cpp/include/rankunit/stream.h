// The stream ABI: work that a device does in the background. A backend's library may export it in addition to
// rankunit/device.h; one that does not has no streams.
//
// Work that is put on a stream runs in order; work on different streams runs concurrently. Streams, events and notifies
// are numbers, from 1 on, that their device gives out and never gives out again, so that the use of a destroyed one is
// an error with a text. They end with their device.
//
// Errors: as in rankunit/device.h. Arguments are checked by the call. Work that fails later, while its stream runs it,
// ends the stream: what was put on it after that is not run, and every later call that names the stream fails with the
// same error, whose text names the piece of work, and where the program has put it on the stream if the device records
// what happens. Such a stream can only be destroyed.
//
// Waits on a stream end with DEVICE_TIMEOUT when the device's time-out passes, and with DEVICE_ABORTED after
// device_abort or the abort of a communicator of this process.
//
// Threads: every function may be called from any thread. Two calls for one stream from two threads are run in some
// order.
#ifndef RANKUNIT_STREAM_H
#define RANKUNIT_STREAM_H

#include "rankunit/device.h"

#ifdef __cplusplus
extern "C" {
#endif

// Which cores run a kernel.
enum StreamCores {
    STREAM_CORES_VECTOR = 0,  // a block is one vector core (AIV)
    STREAM_CORES_CUBE = 1,    // a block is one cube core (AIC)
    STREAM_CORES_MIXED = 2,   // a block is one cube core and two vector cores, which run at the same time
};

RANKUNIT_EXPORT int stream_create(DeviceHandle device, uint32_t *stream_out);

// Fails with DEVICE_BUSY if the stream has work that has not ended; then synchronize it first. A stream whose work has
// failed is destroyed, and the call fails with that failure unless another call has before.
RANKUNIT_EXPORT int stream_destroy(DeviceHandle device, uint32_t stream);

// Waits until all work on the stream has ended. DEVICE_TIMEOUT with what the stream is doing if that takes longer than
// `timeout_ms`, which is at least 1; the stream goes on.
RANKUNIT_EXPORT int stream_synchronize(DeviceHandle device, uint32_t stream, int64_t timeout_ms);

// Stores whether all work on the stream has ended: 1, else 0.
RANKUNIT_EXPORT int stream_query(DeviceHandle device, uint32_t stream, uint32_t *done_out);

// Stores what the stream is doing, for people: UTF-8, truncated to `capacity` bytes including the terminating 0.
RANKUNIT_EXPORT int stream_describe(DeviceHandle device, uint32_t stream, char *text_out, size_t capacity);

// Runs a kernel as `blocks` blocks, in [1, DEVICE_MAX_BLOCKS], on cores of the kind `cores` (StreamCores). The blocks
// of one launch run concurrently as far as there are cores, in any order. `args` is copied by the call.
RANKUNIT_EXPORT int stream_launch(DeviceHandle device, uint32_t stream, KernelHandle kernel, const uint64_t *args,
                                  int nargs, uint32_t blocks, uint32_t cores);

// The same, and declares how the kernel uses its arguments: `args` has GRAPH_ARGUMENT_WORDS words for each, as for
// graph_add_task. The kernel gets the same as from stream_launch: the value of a scalar, the address of a tensor. Only
// the simulator makes use of the declaration: it checks that tensors lie in device memory or in a window, and records
// them. A backend may lack this function.
RANKUNIT_EXPORT int stream_launch_declared(DeviceHandle device, uint32_t stream, KernelHandle kernel,
                                           const uint64_t *args, int nargs, uint32_t blocks, uint32_t cores);

// The same as the functions of rankunit/device.h, on a stream. Host memory must remain until the stream has been
// synchronized.
RANKUNIT_EXPORT int stream_zero(DeviceHandle device, uint32_t stream, uint64_t address, size_t size);
RANKUNIT_EXPORT int stream_copy(DeviceHandle device, uint32_t stream, uint64_t target_address, uint64_t source_address,
                                size_t size);
RANKUNIT_EXPORT int stream_copy_in(DeviceHandle device, uint32_t stream, uint64_t target_address, const void *source,
                                   size_t size);
RANKUNIT_EXPORT int stream_copy_out(DeviceHandle device, uint32_t stream, void *target, uint64_t source_address,
                                    size_t size);

// An event marks a point of a stream. It may be recorded again; what waits for it waits for the record before the wait.
RANKUNIT_EXPORT int event_create(DeviceHandle device, uint32_t *event_out);
RANKUNIT_EXPORT int event_destroy(DeviceHandle device, uint32_t event);
RANKUNIT_EXPORT int event_record(DeviceHandle device, uint32_t event, uint32_t stream);
// Later work on the stream waits for the event, which must have been recorded before.
RANKUNIT_EXPORT int event_wait(DeviceHandle device, uint32_t stream, uint32_t event);
RANKUNIT_EXPORT int event_synchronize(DeviceHandle device, uint32_t event, int64_t timeout_ms);
RANKUNIT_EXPORT int event_query(DeviceHandle device, uint32_t event, uint32_t *done_out);

// A notify is a flag between streams, of one device or of two. A post sets it; posting a set one changes nothing. A
// wait holds up its stream until the flag is set, and clears it: one wait consumes one post.
RANKUNIT_EXPORT int notify_create(DeviceHandle device, uint32_t *notify_out);
RANKUNIT_EXPORT int notify_destroy(DeviceHandle device, uint32_t notify);
RANKUNIT_EXPORT int notify_post(DeviceHandle device, uint32_t stream, uint32_t notify);
// Only the device that created a notify may wait for it.
RANKUNIT_EXPORT int notify_wait(DeviceHandle device, uint32_t stream, uint32_t notify);
// Stores a text with which another process of this user on this machine can import the notify while it exists. Needs at
// most STREAM_NOTIFY_KEY_BYTES bytes including the terminating 0.
RANKUNIT_EXPORT int notify_export(DeviceHandle device, uint32_t notify, char *key_out, size_t capacity);
// Makes a notify of this device for one of another device, which can then be posted from here.
RANKUNIT_EXPORT int notify_import(DeviceHandle device, const char *key, uint32_t *notify_out);

#define STREAM_NOTIFY_KEY_BYTES 128

// Changes one int32 cell of a semaphore in device memory or in a window: KernelSignal of rankunit/kernel.h.
// DEVICE_NOT_SUPPORTED, also from stream_wait, where only kernels signal and wait.
RANKUNIT_EXPORT int stream_signal(DeviceHandle device, uint32_t stream, uint64_t cell, uint32_t signal, int32_t value);
// Holds up the stream until `rows` x `columns` cells, the rows `row_bytes` apart, all satisfy the comparison
// (KernelCompare). Resets nothing.
RANKUNIT_EXPORT int stream_wait(DeviceHandle device, uint32_t stream, uint64_t cells, uint32_t rows, uint32_t columns,
                                uint64_t row_bytes, uint32_t compare, int32_t value);

// Sets how long a wait on a stream or in a kernel may take: 120,000 ms unless set, at least 1.
RANKUNIT_EXPORT int device_set_timeout(DeviceHandle device, int64_t milliseconds);

// Waits until all work on all streams has ended, and all kernels of device_launch: at the end of a test, for example,
// so that nothing of it goes on in the next one. Fails with what has failed of which no call has told before, or with
// DEVICE_TIMEOUT and what is still to do; the text has a line for each such stream. A backend may lack this function.
RANKUNIT_EXPORT int device_settle(DeviceHandle device, int64_t timeout_ms);

// Ends all waits on streams and in kernels of this device, now and later, with DEVICE_ABORTED and `reason`.
RANKUNIT_EXPORT int device_abort(DeviceHandle device, const char *reason);

// What the devices of this process do.
enum DeviceActivity {
    DEVICE_IDLE = 0,        // nothing
    DEVICE_WORKS = 1,       // something that goes on by itself, or may
    DEVICE_WAITS = 2,       // all that is left on them waits for something that only others can do
    DEVICE_HOST_WAITS = 3,  // as before, and so does a thread of the host, in a call for a device
};

// Stores what the devices of this process do (DeviceActivity), the number of times that it changed so far, and, for
// people, the waits that are not over, one on a line, truncated to `capacity` bytes including the terminating 0. A wait
// with a time-out below 5 s counts as work, since it ends by itself. If two calls say that all devices wait, with the
// same number of changes, nothing happened between the end of the first call and the start of the second.
RANKUNIT_EXPORT int device_activity(DeviceHandle device, uint32_t *activity_out, uint64_t *changes_out, char *text_out,
                                    size_t capacity);

#ifdef __cplusplus
}
#endif

#endif  // RANKUNIT_STREAM_H
