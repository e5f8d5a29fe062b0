// The communication ABI: what a backend exports, one shared library per backend.
//
// A communicator joins `nranks` processes of one machine or more. Each rank calls, in this order:
//
//     comm_init -> comm_alloc_windows -> (comm_get_*, comm_barrier)* -> comm_destroy
//
// Threads: a handle belongs to one thread at a time. Three functions may be called from any thread while
// another one is inside a call on the same handle: comm_abort, comm_set_timeout and comm_aborted_by.
// Nothing may run on a handle while or after it is destroyed.
//
// Errors: every function that returns int returns a CommStatus; what happened is in comm_last_error.
// Every wait ends: by success, by the deadline, by an abort, or because a peer has died or left. A wait that
// ends in any other way than by success leaves the communicator aborted for all ranks, since its ranks no longer
// agree on what comes next; only comm_destroy is of use then.
#ifndef RANKUNIT_COMM_H
#define RANKUNIT_COMM_H

#include <stddef.h>
#include <stdint.h>

#include "rankunit/export.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COMM_ABI_VERSION 1u

typedef struct CommHandle_ *CommHandle;

enum CommStatus {
    COMM_OK = 0,
    COMM_INVALID_ARGUMENT = 1,  // nothing was done
    COMM_INVALID_STATE = 2,     // a call out of order, or two threads in one communicator; nothing was done
    COMM_OUT_OF_MEMORY = 3,
    COMM_TIMEOUT = 4,    // the deadline has passed; the text names what was waited for and the ranks missing
    COMM_ABORTED = 5,    // a rank has called comm_abort, or gave up waiting; see comm_aborted_by
    COMM_PEER_DIED = 6,  // a rank's process has ended without comm_destroy; see comm_aborted_by
    COMM_PEER_LEFT = 7,  // a rank has called comm_destroy while this one waits for it; see comm_aborted_by
    COMM_MISMATCH = 8,   // ranks were started with different settings; the text names both values
    COMM_SYSTEM = 9,     // the operating system refused; the text has the call and its errno
};

// Checks its arguments and makes a handle; NULL on failure. Waits for nobody.
//   rank, nranks   0 <= rank < nranks <= 64
//   stream         the backend's stream, owned by the caller; the simulator has none and ignores it
//   rootinfo_path  the file through which the ranks find each other: the same for all ranks of one communicator
//                  and for no other that is alive; its folder exists. The file itself is made and removed by rank 0.
RANKUNIT_EXPORT CommHandle comm_init(int rank, int nranks, void *stream, const char *rootinfo_path);

// Makes this rank's window of at least `win_size` bytes, zero-filled, and waits until all ranks have done so.
// 0 stands for 200 MiB; all ranks must ask for the same size. Stores the device address of the CommContext
// (rankunit/kernel.h), which stays valid until comm_destroy. To be called once. When it fails, every rank that has come
// so far fails at once; one that comes after rank 0 has given up finds nobody and waits for its deadline.
RANKUNIT_EXPORT int comm_alloc_windows(CommHandle h, size_t win_size, uint64_t *device_ctx_out);

// Stores the device address of this rank's own window: windowsIn[rankId] of the context.
RANKUNIT_EXPORT int comm_get_local_window_base(CommHandle h, uint64_t *base_out);

// Stores the actual size of each window in bytes, which may be more than was asked for.
RANKUNIT_EXPORT int comm_get_window_size(CommHandle h, size_t *size_out);

// Waits until every rank has called it as often as this one. What a rank wrote to any window before the
// barrier is visible to all ranks after it.
RANKUNIT_EXPORT int comm_barrier(CommHandle h);

// Leaves the communicator and frees the handle. Never waits for a peer and never fails because one is gone;
// peers keep their view of this rank's window. NULL is refused.
RANKUNIT_EXPORT int comm_destroy(CommHandle h);

// RankUnit's additions. A backend of somebody else may lack them.

// Releases every rank waiting in this communicator, now and later, with COMM_ABORTED and `reason`.
// From any thread, any number of times: the first caller's rank and reason win, so that a report can name the
// first failure. `reason` may be NULL and is cut to 400 bytes.
RANKUNIT_EXPORT int comm_abort(CommHandle h, int failed_rank, const char *reason);

// Sets the deadline of every wait that starts later, in [1 ms, 31 days]. It is 120 s at first.
RANKUNIT_EXPORT int comm_set_timeout(CommHandle h, int64_t milliseconds);

// The rank that is to blame for the abort, or -1 while nothing has been aborted.
RANKUNIT_EXPORT int comm_aborted_by(CommHandle h);

// Text of the last failure of a comm_* function on this thread, UTF-8, empty if there was none. Valid until the
// next failure on this thread; a success leaves it as it is.
RANKUNIT_EXPORT const char *comm_last_error(void);

RANKUNIT_EXPORT uint32_t comm_abi_version(void);

#ifdef __cplusplus
}
#endif

#endif  // RANKUNIT_COMM_H
