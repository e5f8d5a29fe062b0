// The format of an event log: what the simulator writes and what readers rely on. This header is its only description;
// a test of the Java reader compares its constants with those here.
//
// A log is a file: one page of header, then `capacity` events of 64 bytes in the order in which they were appended.
// An event is there once its kind is not 0. Times are nanoseconds of CLOCK_MONOTONIC, which the processes of a machine
// share. All numbers are little-endian. When the log is full, further events are dropped and counted.
//
// Who does something is an actor. 0 is the host: the thread that marks the tests, and all that is not known better.
// kActor, kBlockBegin and kTask introduce the others: streams, kernels, orchestration functions, and the other threads
// of the program. The events of an actor are in the order in which it did them. What happens before what, apart from
// that:
//
//   the last event of an actor until a time -> kAcquire    of that actor and time
//   kEnqueue -> kWorkBegin        of the work; the works of a stream run in order
//   kWorkEnd -> kStreamSync       of that work and those before it on the stream
//   kEventRecord -> kEventWait    of the point
//   kNotifyPost -> kNotifyWait    of the token and the sequence, and from the post that this one replaced
//   kSignal -> kWait              of the cell, if the order of the signal is at most that of the wait
//   kWorkBegin -> kBlockBegin, kBlockEnd -> kWorkEnd    of the work; also of the host, for launches without a stream
//   kPublish -> kBlockBegin -> kBlockEnd -> kTaskEnd    of the task; a kTask of the host is published by its run
//   kTaskEnd -> kBlockBegin       along kEdge
//   kGraphBegin -> kOrchestrationBegin, kOrchestrationEnd -> kGraphEnd, kTaskEnd -> kGraphEnd    of the run
//   kWait -> kBlockBegin          of the task that waited
//   kDeferredComplete -> kTaskEnd of the task
//   kBarrierBegin -> kBarrierEnd  of all members: same communicator, domain and number; so is kWindow
//   kMark                         that a test begins: comes after everything that ranks did before it
//
// Not in a log: what kernels read and write through pointers unless they were compiled to tell it, what they read by
// atomic operations of C++, and changes of cells other than by a signal. Edges to tasks that had completed before
// tensormap_and_ringbuffer looked for them follow from kArgument and the order of kTask; that slots and heap were free
// again, from kRing.
#ifndef RANKUNIT_RECORD_FORMAT_H
#define RANKUNIT_RECORD_FORMAT_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rankunit::record {

constexpr uint64_t kLogMagic = 0x474f'4c54'4e56'4552;  // "REVNTLOG" in memory
constexpr uint32_t kLogVersion = 2;
constexpr uint32_t kHeaderBytes = 4096;
constexpr uint32_t kEventBytes = 64;
constexpr uint32_t kHostActor = 0;
constexpr uint32_t kUnrecordedActor = UINT32_MAX;  // all blocks of tasks that are not recorded
constexpr uint32_t kTextChunkBytes = 32;
constexpr uint32_t kMostTextBytes = 4096;

struct LogHeader {
    std::atomic<uint64_t> magic;  // stored last
    uint32_t version;
    uint32_t header_bytes;
    uint32_t event_bytes;
    uint32_t pid;
    uint64_t capacity;               // events
    uint64_t began;                  // time
    std::atomic<uint64_t> appended;  // events so far, with those that were dropped at the end
    std::atomic<uint64_t> dropped;   // events that are missing
};

// A place is where the program has asked for something, such as "RingTest.java:41": a text, 0 if it is not known, as
// for what streams and kernels do on their own.
//
// What happened. An event has up to five words, in brackets from the first on, which are 0 where nothing is said.
// "a | b" is one word with a in its lower and b in its upper half. A text is its number, 0 for none. An event without a
// duration has its time as begin and as end.
enum Kind : uint32_t {
    kNone = 0,

    // A piece of a text: four words of UTF-8, and the bytes of the whole text instead of an actor [text | offset, ...]
    kText = 1,
    kMark = 2,   // [Mark, text]
    kActor = 3,  // introduces its actor [ActorKind, number or run or actor of the block, text]

    // A thread of the program knows what another did until it released a lock, counted down a latch, or ended
    kAcquire = 5,         // [actor of the other, time]
    kOrderIsUnknown = 6,  // how threads order themselves cannot be seen [text: why]

    kAllocate = 10,  // [address, bytes, place]
    kFree = 11,      // [address, place]
    kCopy = 12,      // bytes that were copied or zeroed [Way, target, source, bytes, place]
    // The domain is its id + 1, or 0 for the whole communicator
    // [communicator, domain, rank | its place in the domain, address, bytes]
    kWindow = 13,
    kWindowsFreed = 14,  // [communicator, domain; 0 for all domains]
    kNamed = 17,         // what people call memory, in the test that has begun [address, bytes, text]
    // By code that was compiled to tell it: pieces of so many bytes, whose begins are `distance` apart. The place is
    // "library+0xoffset" [address, bytes of a piece, 1 if it wrote | pieces, 0 for one, place, distance]
    kPointerAccess = 18,
    // The same of atomic operations of C++ that change bytes, which make no order [address, bytes, 0 | pieces, place,
    // distance]
    kAtomicChange = 19,
    kBarrierBegin = 15,  // [communicator, domain, number]
    kBarrierEnd = 16,    // [communicator, domain, number]

    kEnqueue = 20,      // [work, WorkKind, actor of the stream, text, place]
    kWorkBegin = 21,    // [work, WorkKind, text, place if the host launches]
    kWorkEnd = 22,      // [work, WorkKind, text, 1 if it failed]
    kStreamSync = 23,   // a caller has seen that works of a stream have ended [actor of the stream, the last one]
    kEventRecord = 24,  // [point]
    kEventWait = 25,    // [point]
    kNotifyPost = 26,   // [token, sequence, the sequence that it found set and replaced, or 0]
    kNotifyWait = 27,   // [token, sequence of the post that it took]
    kNotifyGone = 28,   // destroyed by its owner [token]

    kSignal = 30,  // [cell, KernelSignal | value before, value, order, place]
    kWait = 31,    // one cell of a wait or test that was satisfied [cell, KernelCompare, value, order, found | Look]
    // Introduces its actor; its kernel may tell its accesses through pointers
    // [parent | text of the kernel, work, block | blocks, core | 1 if it tells, KernelCore | sub-block]
    kBlockBegin = 32,
    kBlockEnd = 33,  // [1 if it failed]
    kArgument = 34,  // of a work, or of the task that is its actor [index, ArgumentKind, value, bytes, work]

    kGraphBegin = 40,          // [run, text, text of what kind it is]
    kGraphEnd = 41,            // [run, 1 if it failed]
    kOrchestrationBegin = 42,  // [run]
    kOrchestrationEnd = 43,    // [run, 1 if it failed]
    kTask = 44,     // [actor of the task | place, run, task, text of the kernel | of the task, blocks | StreamCores]
    kEdge = 45,     // [actor of the task before, actor of the task after, 1 if derived, 1 if already completed]
    kPublish = 46,  // [actor of the task]
    kTaskEnd = 47,  // of its actor [run, 1 if its predicate was false]
    kDefer = 48,    // [token, actor of the task]
    kDeferredComplete = 49,  // [token, actor of the task]
    kRing = 50,              // after a submission [run | ring, slots in use, slots, heap bytes in use, heap bytes]
    kScopeBegin = 51,        // [run, scope, text, 1 if manual]
    kScopeEnd = 52,          // [run, scope]
    // The memory of an argument of the task that is its actor, in the file of device_record_memory
    // [argument | 1 if after the task, offset in the file or kNoCopy, bytes]
    kMemoryCopy = 53,
    // Of a run of very many tasks: so many were not recorded, since they are ordered by their arguments alone, which
    // are those of tasks before them [run, tasks, 1 if others may have seen more of the run than its arguments]
    kUnrecorded = 54,

    // A step that was left out on purpose [mutate::Step, its number, actor of the task if it is a tensor, its argument]
    kLeftOut = 60,
};

// There is no copy: the file or its disk was full, or the memory had been freed.
constexpr uint64_t kNoCopy = UINT64_MAX;

enum Mark : uint64_t { kTestBegin = 1, kTestEnd = 2 };

// A transfer is a work of its own that a block has put on its way, as if on a stream.
enum ActorKind : uint64_t { kStreamActor = 1, kOrchestrationActor = 2, kTransferActor = 3, kThreadActor = 4 };

// How bytes were moved; kAdd adds them to the elements of the target, each atomically.
enum Way : uint64_t { kZero = 0, kIn = 1, kOut = 2, kAcross = 3, kAdd = 4 };

enum WorkKind : uint64_t {
    kLaunchWork = 1,
    kCopyWork = 2,
    kEventRecordWork = 3,
    kEventWaitWork = 4,
    kNotifyPostWork = 5,
    kNotifyWaitWork = 6,
    kSignalWork = 7,
    kWaitWork = 8,
    kGraphWork = 9,
};

// What looked at a cell: a wait, a test, or the waits or the predicate of the task that is the actor. A predicate that
// is false is one that demands the opposite.
enum Look : uint64_t { kWaits = 0, kTests = 1, kTaskWaits = 2, kPredicates = 3 };

// As GraphArgument; the arguments of a launch that does not declare them are of no known kind.
enum ArgumentKind : uint64_t { kScalar = 0, kRead = 1, kWritten = 2, kReadAndWritten = 3, kUnknownUse = 4 };

struct Event {
    uint64_t begin;
    uint64_t end;
    std::atomic<uint32_t> kind;  // stored last
    uint32_t actor;
    uint64_t words[5];
};

static_assert(sizeof(Event) == kEventBytes, "the format is fixed");
static_assert(sizeof(LogHeader) <= kHeaderBytes, "the format is fixed");
static_assert(std::atomic<uint64_t>::is_always_lock_free, "processes share the header");

// The second file, which all ranks of a group share: a page of header, then kOrderSlots slots. The signals to a cell
// and what waits see of it are put in an order by the slot of the cell: its offset in its page / 4.
constexpr uint64_t kOrderMagic = 0x5245'4452'4f4c'4c43;  // "CLLORDER" in memory
constexpr uint32_t kOrderSlots = 1024;

struct OrderHeader {
    std::atomic<uint64_t> magic;
    std::atomic<uint64_t> broken;  // locks that were taken from a holder that did not let go
};

struct alignas(64) OrderSlot {
    std::atomic<uint32_t> holder;  // the thread that has the lock; 0 if none
    std::atomic<uint64_t> signals;
};

}  // namespace rankunit::record

#endif  // RANKUNIT_RECORD_FORMAT_H
