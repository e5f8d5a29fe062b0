// The communication ABI: the functions that a backend exports. Each backend is one shared library.
//
// A communicator joins `nranks` processes on one or more machines. Each rank calls, in this order:
//
//     comm_init -> comm_alloc_windows -> (comm_get_*, comm_barrier)* -> comm_destroy
//
// Threads: a handle belongs to one thread at a time. Three functions may be called from any thread while another thread
// is inside a call on the same handle: comm_abort, comm_set_timeout and comm_aborted_by. No other call may run on a
// handle during or after comm_destroy.
//
// Processes: a handle belongs to the process that made it. In a process forked from that one, every call on the handle,
// including comm_destroy, fails with COMM_INVALID_STATE and does not affect the parent.
//
// Errors: every function that returns int returns a CommStatus; comm_last_error describes the failure. Every wait ends:
// by success, at the deadline, by an abort, or because a peer has died or left. A wait that does not end by success
// leaves the communicator aborted for all ranks, since the ranks no longer agree on what comes next. After that, the
// communicator can only be destroyed.
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
    COMM_INVALID_STATE = 2,     // a call out of order, or a second thread in one communicator; nothing was done
    COMM_OUT_OF_MEMORY = 3,
    COMM_TIMEOUT = 4,         // the deadline has passed; the text names the wait and the missing ranks
    COMM_ABORTED = 5,         // a rank has called comm_abort or given up waiting; see comm_aborted_by
    COMM_PEER_DIED = 6,       // a rank's process has ended without comm_destroy; see comm_aborted_by
    COMM_PEER_LEFT = 7,       // a rank called comm_destroy while this one waited for it; see comm_aborted_by
    COMM_MISMATCH = 8,        // the ranks use different settings; the text names both values
    COMM_SYSTEM = 9,          // a system call failed; the text has the call and its errno
    COMM_VENDOR = 10,         // the vendor's communication library failed; the text has its code and meaning
    COMM_NOT_SUPPORTED = 11,  // this backend does not support that, or lacks the function
};

// Values from here on are error codes of the vendor's runtime, unchanged, such as 507015; the text explains them.
#define COMM_VENDOR_ERROR 100000

// Checks its arguments and makes a handle. Returns NULL on failure. Does not wait for other ranks.
//   rank, nranks   0 <= rank < nranks <= 64
//   stream         the backend's stream, owned by the caller; the simulator has no streams and ignores it
//   rootinfo_path  the file through which the ranks find each other: the same path for all ranks of one communicator
//                  and for no other live communicator. Its folder must exist. Rank 0 creates and removes the file.
//                  With COMM_ROOTINFO_BY_JOIN instead of a path, comm_root_info and comm_join replace the file.
RANKUNIT_EXPORT CommHandle comm_init(int rank, int nranks, void *stream, const char *rootinfo_path);

#define COMM_ROOTINFO_BY_JOIN "join:"

// Makes this rank's window of at least `win_size` bytes, zero-filled, and waits until all ranks have done so. 0 means
// 200 MiB; all ranks must ask for the same size. Stores the device address of the CommContext (rankunit/kernel.h),
// which stays valid until comm_destroy. Call it only once per communicator. If it fails, every rank that has called it
// so far fails at once, with the same text. A rank that calls it after rank 0 has given up finds no other rank and
// waits until its deadline.
RANKUNIT_EXPORT int comm_alloc_windows(CommHandle h, size_t win_size, uint64_t *device_ctx_out);

// Stores the device address of this rank's own window, which is windowsIn[rankId] of the context.
RANKUNIT_EXPORT int comm_get_local_window_base(CommHandle h, uint64_t *base_out);

// Stores the actual size of each window in bytes, which may exceed the requested size.
RANKUNIT_EXPORT int comm_get_window_size(CommHandle h, size_t *size_out);

// Waits until every rank has called it as often as this one. Everything that a rank wrote to any window before the
// barrier is visible to all ranks after it.
RANKUNIT_EXPORT int comm_barrier(CommHandle h);

// Leaves the communicator and frees the handle, with all remaining domains and derived contexts. Never fails because a
// peer is gone. In the simulator it does not wait for other ranks, and peers keep their view of this rank's window. On
// backends where a window must not be freed before its peers' views of it, it waits for the peers that are alive, at
// most until the deadline. Rejects NULL.
RANKUNIT_EXPORT int comm_destroy(CommHandle h);

// Domains: subsets of the ranks, renumbered from 0. A backend may lack these three functions.
//   rank_ids     `rank_count` different ranks of the communicator, in the order of the domain's ranks
//   domain_rank  the index of this rank in rank_ids: rank_ids[domain_rank] is its own rank

// Makes a context of a domain over part of the base windows: `window_size` bytes starting at `window_offset` in the
// window of each of its ranks. Does not wait for other ranks, and they need not call it. The context stays valid until
// comm_destroy.
RANKUNIT_EXPORT int comm_derive_context(CommHandle h, const uint32_t *rank_ids, size_t rank_count, uint32_t domain_rank,
                                        size_t window_offset, size_t window_size, uint64_t *device_ctx_out);

// Makes a second window, zero-filled, on each rank of a domain, and waits until all its ranks have called this with the
// same `allocation_id`, ranks and size. The caller may choose any id that no other current allocation of this rank
// uses. A size of 0 bytes is rejected. Other ranks of the communicator need not take part.
RANKUNIT_EXPORT int comm_alloc_domain_windows(CommHandle h, uint64_t allocation_id, const uint32_t *rank_ids,
                                              size_t rank_count, uint32_t domain_rank, size_t window_size,
                                              uint64_t *device_ctx_out, uint64_t *local_window_base_out);

// Frees the windows of an allocation once all its ranks have called this. `rank_count` and `domain_rank` must be those
// of the allocation.
RANKUNIT_EXPORT int comm_release_domain_windows(CommHandle h, uint64_t allocation_id, size_t rank_count,
                                                uint32_t domain_rank);

// RankUnit's additions. A third-party backend may lack them.

// For rank 0, after comm_init with COMM_ROOTINFO_BY_JOIN: stores the text with which the other ranks join, less than
// COMM_MAX_ROOT_INFO bytes long. The program that starts the ranks must pass it on to them. If RANKUNIT_MEET_ADDRESS is
// set, a backend whose ranks may be on several machines listens at that address of this one, and the text says where;
// a backend whose ranks must be on one machine fails with COMM_NOT_SUPPORTED. The text is a secret of the ranks.
#define COMM_MAX_ROOT_INFO 512
RANKUNIT_EXPORT int comm_root_info(CommHandle h, char *text_out, size_t capacity);

// For the other ranks, between comm_init and comm_alloc_windows: `root_info` is rank 0's text from comm_root_info.
RANKUNIT_EXPORT int comm_join(CommHandle h, const char *root_info);

// Waits until every rank of an allocation has called it as often as this one, as comm_barrier does for all ranks.
RANKUNIT_EXPORT int comm_domain_barrier(CommHandle h, uint64_t allocation_id);

// Releases every rank waiting in this communicator, now and later, with COMM_ABORTED and `reason`. May be called from
// any thread, any number of times: the rank and reason of the first call win, so that a report can name the first
// failure. `reason` may be NULL and is truncated to 400 bytes.
RANKUNIT_EXPORT int comm_abort(CommHandle h, int failed_rank, const char *reason);

// Sets the time limit of every wait that starts later, in [1 ms, 31 days]. The initial value is 120 s.
RANKUNIT_EXPORT int comm_set_timeout(CommHandle h, int64_t milliseconds);

// Returns the rank that is to blame for the abort, or -1 if the communicator has not been aborted.
RANKUNIT_EXPORT int comm_aborted_by(CommHandle h);

// Stores a description, for people, of how the windows of this communicator were made: UTF-8, truncated to `capacity`
// bytes including the terminating 0.
RANKUNIT_EXPORT int comm_describe(CommHandle h, char *text_out, size_t capacity);

// Returns the text of the last failure of a comm_* function on this thread, in UTF-8; empty if there was none. The
// pointer stays valid until the next failure on this thread; successful calls do not change the text.
RANKUNIT_EXPORT const char *comm_last_error(void);

RANKUNIT_EXPORT uint32_t comm_abi_version(void);

#ifdef __cplusplus
}
#endif

#endif  // RANKUNIT_COMM_H
