// For authors of orchestration functions, which make the tasks of a graph (rankunit/graph.h): with GRAPH_HOST_BUILT on
// the host, before the first task runs, else on the device's control processor. Either is a thread of its own in the
// simulator, so that the time-out of a run ends the wait for a function that does not return.
//
//     #include <rankunit/orchestration.h>
//
//     // args: input, output
//     RANKUNIT_ORCHESTRATION_FUNCTION(scale_twice)(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
//         if (nargs != 2) return 1;  // not zero: the run fails and names this code
//         const uint32_t scale = rankunit_kernel(env, "scale");
//         OrchestrationArgument first[] = {rankunit_in(args[0], 1024), rankunit_new(1024)};
//         rankunit_submit(env, scale, first);
//         OrchestrationArgument second[] = {rankunit_in(first[1].value, 1024), rankunit_out(args[1], 1024)};
//         rankunit_submit(env, scale, second);  // runs after the first task, whose output it reads
//         return 0;
//     }
//
// With GRAPH_CONTROL_BUILT, the function adds the edges itself and publishes each task:
//
//     const uint64_t first = rankunit_submit(env, scale, arguments_of_first);
//     const uint64_t second = rankunit_submit(env, scale, arguments_of_second);
//     env->ops->add_edge(env, first, second);
//     env->ops->publish(env, first);
//     env->ops->publish(env, second);
//
// With GRAPH_HOST_BUILT, it adds the edges too, and publishes nothing: all tasks run once it has returned 0.
//
// An orchestration function must not throw exceptions. It must be compiled with unwind tables, as compilers do unless
// told otherwise: an operation that fails leaves it by unwinding its stack. All operations are called on the thread of
// the function.
#ifndef RANKUNIT_ORCHESTRATION_H
#define RANKUNIT_ORCHESTRATION_H

#include "rankunit/graph.h"
#include "rankunit/kernel.h"

struct OrchestrationOps;

typedef struct OrchestrationEnv {
    uint32_t size;     // bytes of this struct; later versions append fields
    uint32_t runtime;  // GraphRuntime
    const struct OrchestrationOps *ops;
    void *state;  // the simulator's
} OrchestrationEnv;

typedef struct OrchestrationArgument {
    uint32_t kind;      // GraphArgument
    uint32_t reserved;  // 0
    uint64_t value;     // of a scalar, or the address of a tensor; 0 for an output that the runtime allocates
    uint64_t bytes;     // of a tensor
} OrchestrationArgument;

// Holds if all cells satisfy the comparison (KernelCompare).
typedef struct OrchestrationCondition {
    KernelCells cells;
    uint32_t compare;
    int32_t value;
} OrchestrationCondition;

// What a task is; see graph_add_task, graph_add_wait and graph_set_predicate. Zeros stand for "none" everywhere.
typedef struct OrchestrationTask {
    uint32_t size;  // bytes of this struct; later versions append fields
    uint32_t kernel;
    uint32_t blocks;  // 0 as 1
    uint32_t nargs;
    OrchestrationArgument *args;  // addresses that the runtime allocates are stored here
    const char *name;
    const OrchestrationCondition *waits;
    const OrchestrationCondition *predicate;
    const uint64_t *after;  // tasks that this one depends on; not in a scope whose dependencies are derived
    uint32_t nwaits;
    uint32_t nafter;
    // Where the function makes the task, for messages about it; a task may end here, without them.
    const char *file;
    uint32_t line;
    uint32_t reserved;  // 0
} OrchestrationTask;

// A call that fails ends the function, and the run with the reason.
typedef struct OrchestrationOps {
    uint32_t size;  // bytes of this struct; later versions append functions
    // Returns the number of the graph's kernel of this name.
    uint32_t (*kernel)(const OrchestrationEnv *env, const char *name);
    // Makes a task and returns its number. With GRAPH_TENSOR_MAP, the task also is published, and the call waits for a
    // free slot and for room in the heap.
    uint64_t (*submit)(const OrchestrationEnv *env, const OrchestrationTask *task);
    // GRAPH_HOST_BUILT: `after` waits for `before`. GRAPH_CONTROL_BUILT: the same; `before` may have completed already,
    // and `after` must not have been published.
    void (*add_edge)(const OrchestrationEnv *env, uint64_t before, uint64_t after);
    // GRAPH_CONTROL_BUILT: lets the task run once its dependencies have completed. A task that is never published is
    // never run, and fails the run.
    void (*publish)(const OrchestrationEnv *env, uint64_t task);
    // GRAPH_TENSOR_MAP: tasks and allocated outputs of a scope are kept until it ends. Scopes can be nested; the whole
    // function is the outermost one. In a `manual` one, tasks are ordered among each other only by their `after`.
    void (*begin_scope)(const OrchestrationEnv *env, const char *name, int manual);
    void (*end_scope)(const OrchestrationEnv *env);
    // Ends the function with a reason. Does not return.
    void (*fail)(const OrchestrationEnv *env, const char *reason);
} OrchestrationOps;

#ifdef __cplusplus
// Begins the definition of an orchestration function. The constant tells the simulator what it is.
#define RANKUNIT_ORCHESTRATION_FUNCTION(name)                       \
    extern "C" {                                                    \
    RANKUNIT_EXPORT extern const uint32_t name##_orchestration_abi; \
    const uint32_t name##_orchestration_abi = 1;                    \
    }                                                               \
    extern "C" RANKUNIT_EXPORT int name

inline OrchestrationArgument rankunit_scalar(uint64_t value) {
    return {GRAPH_SCALAR, 0, value, 0};
}
inline OrchestrationArgument rankunit_in(uint64_t address, uint64_t bytes) {
    return {GRAPH_IN, 0, address, bytes};
}
inline OrchestrationArgument rankunit_out(uint64_t address, uint64_t bytes) {
    return {GRAPH_OUT, 0, address, bytes};
}
inline OrchestrationArgument rankunit_inout(uint64_t address, uint64_t bytes) {
    return {GRAPH_INOUT, 0, address, bytes};
}
// An output that the runtime allocates. Its address is in `value` after the submission.
inline OrchestrationArgument rankunit_new(uint64_t bytes) {
    return {GRAPH_OUT, 0, 0, bytes};
}

inline uint32_t rankunit_kernel(const OrchestrationEnv *env, const char *name) {
    return env->ops->kernel(env, name);
}

// `task.size` and its place need not be set. File and line are those of the caller.
inline uint64_t rankunit_submit(const OrchestrationEnv *env, OrchestrationTask task,
                                const char *file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {
    task.size = sizeof(task);
    task.file = file;
    task.line = line;
    return env->ops->submit(env, &task);
}

// A task of one block.
template <size_t N>
inline uint64_t rankunit_submit(const OrchestrationEnv *env, uint32_t kernel, OrchestrationArgument (&args)[N],
                                const char *name = nullptr, const char *file = __builtin_FILE(),
                                uint32_t line = __builtin_LINE()) {
    OrchestrationTask task{};
    task.kernel = kernel;
    task.nargs = N;
    task.args = args;
    task.name = name;
    return rankunit_submit(env, task, file, line);
}

// A scope as long as the object lives.
class RankUnitScope {
public:
    RankUnitScope(const OrchestrationEnv *env, const char *name, bool manual = false) : env_(env) {
        env_->ops->begin_scope(env_, name, manual ? 1 : 0);
    }
    RankUnitScope(const RankUnitScope &) = delete;
    RankUnitScope &operator=(const RankUnitScope &) = delete;
    // Ends the scope; when an operation has failed inside it, that is of no effect.
    ~RankUnitScope() noexcept(false) { env_->ops->end_scope(env_); }

private:
    const OrchestrationEnv *env_;
};
#endif

#endif  // RANKUNIT_ORCHESTRATION_H
