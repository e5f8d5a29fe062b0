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
// Processes: a handle belongs to the process that made it. In a process forked from that one every call on it is
// refused with COMM_INVALID_STATE, comm_destroy too, and its parent is not disturbed.
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
    COMM_TIMEOUT = 4,         // the deadline has passed; the text names what was waited for and the ranks missing
    COMM_ABORTED = 5,         // a rank has called comm_abort, or gave up waiting; see comm_aborted_by
    COMM_PEER_DIED = 6,       // a rank's process has ended without comm_destroy; see comm_aborted_by
    COMM_PEER_LEFT = 7,       // a rank has called comm_destroy while this one waits for it; see comm_aborted_by
    COMM_MISMATCH = 8,        // ranks were started with different settings; the text names both values
    COMM_SYSTEM = 9,          // the operating system refused; the text has the call and its errno
    COMM_VENDOR = 10,         // the vendor's communication library has failed; the text has its code and what it means
    COMM_NOT_SUPPORTED = 11,  // this backend cannot do that, or lacks the function
};

// A status from here on is what the vendor's runtime returned, unchanged (507015 and the like); the text explains it.
#define COMM_VENDOR_ERROR 100000

// Checks its arguments and makes a handle; NULL on failure. Waits for nobody.
//   rank, nranks   0 <= rank < nranks <= 64
//   stream         the backend's stream, owned by the caller; the simulator has none and ignores it
//   rootinfo_path  the file through which the ranks find each other: the same for all ranks of one communicator
//                  and for no other that is alive; its folder exists. The file itself is made and removed by rank 0.
//                  Or COMM_ROOTINFO_BY_JOIN: then comm_root_info and comm_join take the place of the file.
RANKUNIT_EXPORT CommHandle comm_init(int rank, int nranks, void *stream, const char *rootinfo_path);

#define COMM_ROOTINFO_BY_JOIN "join:"

// Makes this rank's window of at least `win_size` bytes, zero-filled, and waits until all ranks have done so.
// 0 stands for 200 MiB; all ranks must ask for the same size. Stores the device address of the CommContext
// (rankunit/kernel.h), which stays valid until comm_destroy. To be called once. When it fails, every rank that has come
// so far fails at once, with the same text; one that comes after rank 0 has given up finds nobody and waits for its
// deadline.
RANKUNIT_EXPORT int comm_alloc_windows(CommHandle h, size_t win_size, uint64_t *device_ctx_out);

// Stores the device address of this rank's own window: windowsIn[rankId] of the context.
RANKUNIT_EXPORT int comm_get_local_window_base(CommHandle h, uint64_t *base_out);

// Stores the actual size of each window in bytes, which may be more than was asked for.
RANKUNIT_EXPORT int comm_get_window_size(CommHandle h, size_t *size_out);

// Waits until every rank has called it as often as this one. What a rank wrote to any window before the
// barrier is visible to all ranks after it.
RANKUNIT_EXPORT int comm_barrier(CommHandle h);

// Leaves the communicator and frees the handle, and with it all domains and derived contexts that are left. Never fails
// because a peer is gone. In the simulator it waits for nobody, and peers keep their view of this rank's window;
// where a window must not go before its peers' views of it, it waits for those peers that are alive, until the
// deadline. NULL is refused.
RANKUNIT_EXPORT int comm_destroy(CommHandle h);

// Domains: some of the ranks, numbered anew. A backend may lack these three functions.
//   rank_ids     `rank_count` different ranks of the communicator; the order is that of the domain's ranks
//   domain_rank  the place of this rank in it: rank_ids[domain_rank] is its own

// Makes a context of a domain over a part of the base windows: `window_size` bytes from `window_offset` on in the
// window of each of its ranks. Waits for nobody, and need not be called by the others. The context lives as long as
// `h`.
RANKUNIT_EXPORT int comm_derive_context(CommHandle h, const uint32_t *rank_ids, size_t rank_count, uint32_t domain_rank,
                                        size_t window_offset, size_t window_size, uint64_t *device_ctx_out);

// Makes a second window, zero-filled, on each rank of a domain, and waits until all its ranks have called this with the
// same `allocation_id`, ranks and size. The id is free to choose, and of one allocation of this rank at a time.
// 0 bytes are refused. Other ranks of the communicator need not know.
RANKUNIT_EXPORT int comm_alloc_domain_windows(CommHandle h, uint64_t allocation_id, const uint32_t *rank_ids,
                                              size_t rank_count, uint32_t domain_rank, size_t window_size,
                                              uint64_t *device_ctx_out, uint64_t *local_window_base_out);

// Takes the windows of an allocation away again, once all its ranks have called this. `rank_count` and `domain_rank`
// are those of the allocation.
RANKUNIT_EXPORT int comm_release_domain_windows(CommHandle h, uint64_t allocation_id, size_t rank_count,
                                                uint32_t domain_rank);

// RankUnit's additions. A backend of somebody else may lack them.

// Rank 0, after comm_init with COMM_ROOTINFO_BY_JOIN: stores what the other ranks are to join by, a text of less than
// COMM_MAX_ROOT_INFO bytes. Whoever starts the ranks carries it to them by a way of its own.
#define COMM_MAX_ROOT_INFO 512
RANKUNIT_EXPORT int comm_root_info(CommHandle h, char *text_out, size_t capacity);

// The other ranks, between comm_init and comm_alloc_windows.
RANKUNIT_EXPORT int comm_join(CommHandle h, const char *root_info);

// Waits until every rank of an allocation has called it as often as this one, as comm_barrier does for all ranks.
RANKUNIT_EXPORT int comm_domain_barrier(CommHandle h, uint64_t allocation_id);

// Releases every rank waiting in this communicator, now and later, with COMM_ABORTED and `reason`.
// From any thread, any number of times: the first caller's rank and reason win, so that a report can name the
// first failure. `reason` may be NULL and is cut to 400 bytes.
RANKUNIT_EXPORT int comm_abort(CommHandle h, int failed_rank, const char *reason);

// Sets the deadline of every wait that starts later, in [1 ms, 31 days]. It is 120 s at first.
RANKUNIT_EXPORT int comm_set_timeout(CommHandle h, int64_t milliseconds);

// The rank that is to blame for the abort, or -1 while nothing has been aborted.
RANKUNIT_EXPORT int comm_aborted_by(CommHandle h);

// Stores in words how the windows of this communicator were made, for people; UTF-8, cut to `capacity` with its end.
RANKUNIT_EXPORT int comm_describe(CommHandle h, char *text_out, size_t capacity);

// Text of the last failure of a comm_* function on this thread, UTF-8, empty if there was none. Valid until the
// next failure on this thread; a success leaves it as it is.
RANKUNIT_EXPORT const char *comm_last_error(void);

RANKUNIT_EXPORT uint32_t comm_abi_version(void);

#ifdef __cplusplus
}
#endif

#endif  // RANKUNIT_COMM_H
