// The task graph ABI: tasks with dependencies, which a device runs on its cores. A backend's library may export it in
// addition to rankunit/device.h; one that does not has no task graphs.
//
// A task runs a kernel as one block or several, after the tasks that it depends on. There are three ways to make the
// tasks of a graph, its runtimes (GraphRuntime). The host makes them with graph_add_task, or an orchestration function
// makes them with the operations of rankunit/orchestration.h: on the host before the graph runs, or on the device's
// control processor.
//
// Graphs are numbers, from 1 on, that their device gives out and never gives out again. Tasks are numbers, from 1 on,
// of their graph. The kernels of a graph are numbers, from 0 on, in the order in which they were added. All end with
// the device.
//
// Errors: as in rankunit/device.h. Arguments are checked by the call. A run that fails says which task failed, of which
// kernel, which block, and on which core. Tasks that have not started by then do not run, those that run end first.
// The device and the graph can be used again after that.
//
// Threads: every function may be called from any thread. A graph that runs cannot be changed: DEVICE_BUSY.
#ifndef RANKUNIT_GRAPH_H
#define RANKUNIT_GRAPH_H

#include "rankunit/device.h"
#include "rankunit/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

// Who makes the tasks, and where the dependencies come from.
enum GraphRuntime {
    // host_build_graph: the host makes tasks and edges, with graph_add_task and graph_add_edge or in an orchestration
    // function. The graph is checked for cycles, then run as a whole.
    GRAPH_HOST_BUILT = 0,
    // aicpu_build_graph: an orchestration function makes tasks and edges, and publishes each task.
    GRAPH_CONTROL_BUILT = 1,
    // tensormap_and_ringbuffer: an orchestration function submits tasks with their inputs and outputs. The edges follow
    // from these. Tasks and the outputs that the runtime allocates are kept in rings of fixed size.
    GRAPH_TENSOR_MAP = 2,
};

// What graph_set sets.
enum GraphSetting {
    // How many tasks a run may have, in [1, 2^24]: 131,072 of GRAPH_HOST_BUILT and 1,024 of GRAPH_CONTROL_BUILT unless
    // set. A graph of GRAPH_TENSOR_MAP has no such limit.
    GRAPH_TASKS = 0,
    // GRAPH_TENSOR_MAP: slots for tasks in each ring, a power of two in [1, 2^20]; 16,384 unless set.
    GRAPH_SLOTS = 1,
    // GRAPH_TENSOR_MAP: bytes of the heap of each ring, a multiple of 1,024; 256 MiB unless set.
    GRAPH_HEAP_BYTES = 2,
    // GRAPH_CONTROL_BUILT: with 1, published tasks run while the orchestration makes others; with 0, all run after it
    // has returned. 1 unless set.
    GRAPH_CONCURRENT = 3,
};

// How a kernel uses an argument.
enum GraphArgument {
    GRAPH_SCALAR = 0,
    GRAPH_IN = 1,
    GRAPH_OUT = 2,
    GRAPH_INOUT = 3,
};

// What graph_count tells of the latest run. Greater numbers than UINT32_MAX are UINT32_MAX.
enum GraphCount {
    GRAPH_COUNT_COMPLETED = 0,   // tasks that have completed
    GRAPH_COUNT_SKIPPED = 1,     // those of them that did not run, since their predicate was false
    GRAPH_COUNT_EDGES = 2,       // dependencies that were added or derived, without those on completed tasks
    GRAPH_COUNT_MOST_SLOTS = 3,  // GRAPH_TENSOR_MAP: slots of one ring in use at the same time, at most
    GRAPH_COUNT_MOST_HEAP = 4,   // GRAPH_TENSOR_MAP: KiB of one ring's heap in use at the same time, at most
};

#define GRAPH_MAX_TENSORS 32  // of one task
#define GRAPH_MAX_SCALARS 16  // of one task
#define GRAPH_MAX_WAITS 64    // conditions of one task
#define GRAPH_RINGS 4         // the scopes of depth 3 and deeper share the last one
#define GRAPH_HEAP_ALIGNMENT 1024

// The words of each argument in the `args` of graph_add_task: GraphArgument; the value of a scalar or the address of a
// tensor; the bytes of a tensor, 0 for a scalar.
#define GRAPH_ARGUMENT_WORDS 3

// `name` is for people; it must not be empty.
RANKUNIT_EXPORT int graph_create(DeviceHandle device, uint32_t runtime, const char *name, uint32_t *graph_out);

// Fails with DEVICE_BUSY while the graph runs. If a run of it has ended a stream, the call destroys it and fails as
// stream_destroy does.
RANKUNIT_EXPORT int graph_destroy(DeviceHandle device, uint32_t graph);

RANKUNIT_EXPORT int graph_set(DeviceHandle device, uint32_t graph, uint32_t setting, uint64_t value);

// Makes a kernel of the device known to the graph. Its tasks take cores of the kind `cores` (StreamCores) and have
// `nargs` arguments, any number if -1. `name` is for people and for orchestration functions; one of each name.
RANKUNIT_EXPORT int graph_add_kernel(DeviceHandle device, uint32_t graph, KernelHandle kernel, uint32_t cores,
                                     int32_t nargs, const char *name, uint32_t *kernel_out);

// Sets the function that makes the tasks, of a library as for device_load_kernel. They belong to one run: each run
// calls the function again. A graph of GRAPH_HOST_BUILT has either such a function or tasks of graph_add_task.
RANKUNIT_EXPORT int graph_set_orchestration(DeviceHandle device, uint32_t graph, const char *library_path,
                                            const char *symbol);

// Adds a task of `blocks` blocks, in [1, DEVICE_MAX_BLOCKS], to a graph of GRAPH_HOST_BUILT. The kernel gets one word
// for each of `nargs` arguments, in order: the value of a scalar, the address of a tensor, which must lie in device
// memory or in a window. `name` may be empty.
RANKUNIT_EXPORT int graph_add_task(DeviceHandle device, uint32_t graph, uint32_t kernel, uint32_t blocks,
                                   const char *name, const uint64_t *args, size_t nargs, uint32_t *task_out);

// The task `after` is not started before the task `before` has completed.
RANKUNIT_EXPORT int graph_add_edge(DeviceHandle device, uint32_t graph, uint32_t before, uint32_t after);

// Adds a condition to a task, WAIT as a parameter: the task is not started before all its cells satisfy the comparison
// (KernelCompare). The control processor polls them; no core is taken meanwhile. At most GRAPH_MAX_WAITS for a task.
//
// A run in which nothing happens any more but such waits fails within a second if all cells lie in memory of this
// device. Cells in windows may be changed by other ranks; then it fails with the run's time-out.
RANKUNIT_EXPORT int graph_add_wait(DeviceHandle device, uint32_t graph, uint32_t task, uint64_t cells, uint32_t rows,
                                   uint32_t columns, uint64_t row_bytes, uint32_t compare, int32_t value);

// The task runs only if `cell` satisfies the comparison when it would be started. Else it counts as completed.
RANKUNIT_EXPORT int graph_set_predicate(DeviceHandle device, uint32_t graph, uint32_t task, uint64_t cell,
                                        uint32_t compare, int32_t value);

// Runs the graph and waits for its end: at most `timeout_ms`, at least 1, and until the waits of this device are ended
// by device_abort or the abort of a communicator. `args` go to the orchestration function; without one, nargs is 0.
// A graph can be run any number of times.
RANKUNIT_EXPORT int graph_run(DeviceHandle device, uint32_t graph, const uint64_t *args, int32_t nargs,
                              int64_t timeout_ms);

// Puts a run of the graph on a stream. It begins when the work before it has ended, with the device's time-out
// (device_set_timeout). A run that fails ends the stream, with a text that names the task. `args` is copied by the
// call. Until the run has ended, the graph cannot be changed or destroyed: DEVICE_BUSY. It runs once at a time, so of
// two streams that run it, one must wait for an event of the other.
RANKUNIT_EXPORT int stream_run_graph(DeviceHandle device, uint32_t stream, uint32_t graph, const uint64_t *args,
                                     int32_t nargs);

// Completes what a kernel has deferred (KernelOps.defer).
RANKUNIT_EXPORT int graph_complete(DeviceHandle device, uint64_t token);

// Stores a number of the latest run (GraphCount).
RANKUNIT_EXPORT int graph_count(DeviceHandle device, uint32_t graph, uint32_t count, uint32_t *value_out);

// Stores what the graph is and does, for people: UTF-8, truncated to `capacity` bytes including the terminating 0.
RANKUNIT_EXPORT int graph_describe(DeviceHandle device, uint32_t graph, char *text_out, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif  // RANKUNIT_GRAPH_H
