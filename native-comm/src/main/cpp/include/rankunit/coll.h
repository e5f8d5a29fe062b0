// Collectives as schedules: each rank has a list of tasks, which it runs with one call; and the vendor's own. A backend
// may export these functions in addition to rankunit/comm.h.
//
// A plan is a schedule that is prepared to run on a communicator, any number of times. Plans are numbers, from 1 on, of
// their communicator, and end with it. Threads and errors are as in rankunit/comm.h: a call on a plan is a call on its
// communicator.
//
// A plan has memory of its own on each rank for the buffer SCRATCH, as much as the tasks of any rank use, and for
// notifies. The buffers CCL_IN and CCL_OUT belong to the communicator, and all of its plans use the same: each has as
// many MiB as the environment variable HCCL_BUFFSIZE says, 200 if it is not set. They are made by the first plan that
// uses them. Buffers are zero-filled at first and keep what a run leaves in them.
//
// Tasks of one stream run in order. A task that moves data has ended when the next task of its stream begins. On
// simulators, all streams of a rank are run by the thread that calls coll_plan_run: each until it must wait, then the
// next. On other devices, streams of the device run them: stream 0 is that of comm_init, behind everything that was put
// there before, and the others are the plan's own.
#ifndef RANKUNIT_COLL_H
#define RANKUNIT_COLL_H

#include "rankunit/comm.h"

#ifdef __cplusplus
extern "C" {
#endif

// The bytes that a task reads and those that it writes may be equal. On simulators they may also overlap otherwise, if
// the task only copies; elsewhere a run with such a task is refused.
enum CollTaskKind {
    COLL_COPY = 0,
    COLL_REDUCE = 1,      // to[i] = to[i] op from[i]
    COLL_PUT = 2,         // the peer's `to`
    COLL_GET = 3,         // the peer's `from`
    COLL_PUT_REDUCE = 4,  // the peer's `to`
    COLL_GET_REDUCE = 5,  // the peer's `from`
    COLL_POST = 6,
    COLL_WAIT = 7,
};

enum CollBuffer {
    COLL_INPUT = 0,
    COLL_OUTPUT = 1,
    COLL_CCL_IN = 2,
    COLL_CCL_OUT = 3,
    COLL_SCRATCH = 4,
};

// Integers wrap around. Each result of float16 and bfloat16 is computed as a float and rounded to nearest, ties to
// even. Other types can be copied, as bytes, but not reduced. So it is on simulators; which of these types streams of
// other devices reduce, and how they round, is theirs to say.
enum CollType {
    COLL_FLOAT32 = 0,
    COLL_FLOAT16 = 1,
    COLL_BFLOAT16 = 2,
    COLL_FLOAT64 = 3,
    COLL_INT8 = 4,
    COLL_INT16 = 5,
    COLL_INT32 = 6,
    COLL_INT64 = 7,
    COLL_UINT8 = 8,
    COLL_UINT16 = 9,
    COLL_UINT32 = 10,
    COLL_UINT64 = 11,
    COLL_BYTES = 12,
};

// Of the largest and the smallest, on simulators, the result is NaN if one of the elements is. Zeros are equal there,
// and of equal elements it is the one of `from`.
enum CollReduction {
    COLL_SUM = 0,
    COLL_PROD = 1,
    COLL_MAX = 2,
    COLL_MIN = 3,
};

enum CollMemory {
    // INPUT and OUTPUT are any memory of this rank's device, or in windows; other ranks cannot reach them.
    COLL_SINGLE_OPERATOR = 0,
    // INPUT and OUTPUT lie in the communicator's windows, at the same offsets on all ranks.
    COLL_WINDOWS = 1,
};

// What ranks tell each other over a link.
enum CollSignal {
    COLL_ACK = 0,          // the other end may read and write now
    COLL_DATA_SIGNAL = 1,  // data was written or read
    COLL_DATA_ACK = 2,     // written data has arrived
};

// The words of each task:
//   0  CollTaskKind | CollBuffer of `from` << 8 | CollBuffer of `to` << 16 | number of the stream << 32 | line << 48
//   1  the peer, UINT32_MAX for none | notify << 32
//   2  the first byte of `from` in its buffer
//   3  the first byte of `to` in its buffer
//   4  bytes
// A post with a peer sets the notify of the peer that is for this rank; a wait with a peer waits for the notify of this
// rank that is for the peer. Without a peer, the notify is one between the streams of this rank. Those between ranks
// are numbered by links: the number of the link among those between the two ranks, times COLL_SIGNALS, plus a
// CollSignal. The line is that of the algorithm that queued the task: its number among the `lines` of the plan, from 1
// on; 0 if it is not known.
#define COLL_TASK_WORDS 5
#define COLL_SIGNALS 3
#define COLL_MAX_STREAMS 1024
#define COLL_MAX_NOTIFIES 1024  // between two ranks in one direction, and between the streams of a rank
#define COLL_MAX_LINES 65535

// Makes a plan of this rank's tasks and waits until all ranks have made theirs. `call` says which collective it is and
// by which algorithm, for people; `schedule` is a digest of the tasks of all ranks. If one of them differs between
// ranks, all of them fail with COMM_MISMATCH, and the text has two different ones. If the devices of any rank cannot
// run its tasks, all ranks fail with COMM_NOT_SUPPORTED and the reason, and nothing was done. So it is for reductions
// that the devices do not have, and for notifies that they lack.
//
// `lines` are those of the algorithm that queued this rank's tasks, for messages about them: places such as
// "RingAllReduce.java:41", each followed by a line feed, COLL_MAX_LINES at most; NULL if they are not known.
//
// Where notifies are the device's, each is made by the rank that waits for it, so that a post for which the peer never
// waits is a COMM_MISMATCH here.
RANKUNIT_EXPORT int coll_plan_create(CommHandle h, const char *call, uint64_t schedule, uint32_t type,
                                     uint32_t reduction, uint32_t memory, const uint64_t *tasks, size_t task_count,
                                     const char *lines, uint32_t *plan_out);

// Runs the tasks of this rank, and returns when all its streams have ended. `input` and `output` are offsets in the
// window with COLL_WINDOWS, else addresses; where no task uses the buffer, they are not looked at. Those that cannot be
// are refused with COMM_INVALID_ARGUMENT, and the other ranks fail at once.
//
// All ranks run the same plans in the same order. On simulators, ranks that pass different offsets fail with
// COMM_MISMATCH at the first notify between them. So does a post that finds its notify still set: the earlier one would
// be lost. Runs use the same notifies, one after the other: a rank that is already in the next run must not post what a
// peer has not waited for. On other devices, a run first waits on the host until all ranks have come, and fails with
// COMM_MISMATCH if they run different plans or pass different offsets; a post that is lost is not noticed.
RANKUNIT_EXPORT int coll_plan_run(CommHandle h, uint32_t plan, uint64_t input, uint64_t output);

// Frees the plan on this rank. Does not wait for other ranks, which may still be running it. Memory that the driver
// would take away from them is freed when a later plan is made and all ranks have freed this one, or with the
// communicator.
RANKUNIT_EXPORT int coll_plan_destroy(CommHandle h, uint32_t plan);

// The collectives of the vendor's own library, to compare schedules with. What each does with `count` elements:
//
//   ALL_REDUCE      reduces as many at `send` of all ranks to `recv` of each
//   ALL_GATHER      puts as many at `send` of each rank, in the order of the ranks, to `recv` of all
//   REDUCE_SCATTER  reduces as many for each rank at `send` of all, in the order of the ranks, each part to `recv` of
//                   its rank
//   BROADCAST       copies as many at `send` of the root to `send` of the others; `recv` is not looked at
//   SEND, RECV      moves as many from `send` of one rank to `recv` of another
enum CollVendorOperation {
    COLL_VENDOR_ALL_REDUCE = 0,
    COLL_VENDOR_ALL_GATHER = 1,
    COLL_VENDOR_REDUCE_SCATTER = 2,
    COLL_VENDOR_BROADCAST = 3,
    COLL_VENDOR_SEND = 4,
    COLL_VENDOR_RECV = 5,
};

// Runs one of them, behind everything that was put on the stream of comm_init, and waits until it has ended on this
// rank. `send` and `recv` are addresses in memory of this rank's device, or in its own window; `type` is a CollType and
// `reduction` a CollReduction, which counts only where something is reduced.
//
// All ranks call it in the same order and with the same arguments but for the addresses; COMM_MISMATCH if not. A send
// and a receive are of two ranks, and the others need not know. The vendor's communicator is made by the first call,
// which must be one of all ranks: COMM_INVALID_STATE if it is a send or a receive. It ends with the communicator.
//
// COMM_NOT_SUPPORTED if the devices have no such library, or one that lacks the function; COMM_INVALID_ARGUMENT for a
// type that the vendor does not have. Which types it reduces on this kind of device is the vendor's to say, by
// COMM_VENDOR.
RANKUNIT_EXPORT int coll_vendor_run(CommHandle h, uint32_t operation, uint64_t send, uint64_t recv, uint64_t count,
                                    uint32_t type, uint32_t reduction, uint32_t peer_or_root);

#ifdef __cplusplus
}
#endif

#endif  // RANKUNIT_COLL_H
