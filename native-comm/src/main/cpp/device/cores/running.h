// Which kernels run on the threads of this process, in a file that others read: another thread, and the parent of the
// process after it has ended in whatever way.
#ifndef RANKUNIT_DEVICE_CORES_RUNNING_H
#define RANKUNIT_DEVICE_CORES_RUNNING_H

#include <atomic>
#include <cstdint>
#include <string>

namespace rankunit::device {

// The file: a header, then slots. org.rankunit.device.running.RunningKernels reads it.
struct RunningHeader {
    uint64_t magic;  // kRunningMagic
    uint32_t slots;
    uint32_t slot_bytes;
    std::atomic<uint32_t> fatal_thread;   // that has called abort; 0 for none
    std::atomic<uint32_t> exit_thread;    // that has called exit; 0 for none
    std::atomic<uint32_t> ending_signal;  // that asked the process to end, and has a handler; 0 for none
    uint8_t rest[36];
};

struct RunningSlot {
    std::atomic<uint32_t> thread;  // its number in the system; 0 if the slot is free, kFilling while it is filled
    std::atomic<uint32_t> waits;   // for something that others do
    std::atomic<int64_t> began;    // by CLOCK_MONOTONIC, later by the time that it has waited
    std::atomic<int64_t> polled;   // when it last looked at cells in vain; 0 for never
    uint64_t task;                 // its number, of a kernel that runs for a task
    uint32_t of_task;
    uint32_t what;  // RunningKind
    uint32_t core;
    uint32_t block;
    uint32_t blocks;
    uint32_t padding;
    char name[96];       // texts end with 0, and are truncated
    char task_name[64];  // may be empty
    char within[256];    // "stream 1, work 2, RingTest.java:41"; may be empty
    uint8_t rest[40];
};

constexpr uint64_t kRunningMagic = 0x31474e494e4e5552;  // "RUNNING1"
constexpr uint32_t kRunningSlots = 512;
constexpr uint32_t kFilling = UINT32_MAX;
static_assert(sizeof(RunningHeader) == 64 && sizeof(RunningSlot) == 512, "the layout of a file");

enum class RunningKind : uint32_t { kVector = 0, kCube = 1, kPlain = 2, kOrchestration = 3 };

// Begins to note, for as long as the process lives. Also notes which thread ends the process by abort or exit, and that
// SIGTERM, SIGINT or SIGHUP has come, before its handler, by which a JVM ends later; and lets handlers of SIGSEGV and
// SIGBUS run on the SignalStack of a thread. Throws DEVICE_BUSY if it has begun, and
// DEVICE_SYSTEM.
void note_running(const std::string &path);

// Where this thread is in its code, or `thread` of this process: "/path/libscale.so+0x1130" for the innermost function
// of the kernel, then its callers, each on a line. Empty if the thread does not answer. It is interrupted by a signal.
std::string code_of(uint32_t thread);

struct RunningBlock {
    RunningKind kind = RunningKind::kPlain;
    uint32_t core = 0;
    uint32_t block = 0;
    uint32_t blocks = 1;
};

struct RunningTask {
    uint64_t id;
    const std::string *name;  // may be null
};

// A kernel, or an orchestration function, that runs on this thread as long as the object lives. Costs a load and a
// branch while nothing is noted.
class RunningKernel {
public:
    RunningKernel(const std::string &name, const RunningBlock &block, const RunningTask *task) noexcept;
    RunningKernel(const RunningKernel &) = delete;
    RunningKernel &operator=(const RunningKernel &) = delete;
    ~RunningKernel();

    // It has looked at cells that did not satisfy it.
    void polled() noexcept;

    // While it lives, the kernel waits for what others do.
    class Wait {
    public:
        explicit Wait(const RunningKernel &kernel) noexcept;
        Wait(const Wait &) = delete;
        Wait &operator=(const Wait &) = delete;
        ~Wait();

    private:
        RunningSlot *const slot_;
        const int64_t began_;
    };

private:
    RunningSlot *const slot_;  // null while nothing is noted
};

// What kernels run within that this thread starts, as long as the object lives: "stream 1, work 2". `text` must live as
// long.
class RunsWithin {
public:
    explicit RunsWithin(const std::string *text) noexcept;
    RunsWithin(const RunsWithin &) = delete;
    RunsWithin &operator=(const RunsWithin &) = delete;
    ~RunsWithin();

    // Of this thread; null for nothing.
    static const std::string *here() noexcept;

private:
    const std::string *const before_;
};

// Memory for the handlers of signals on this thread, which lives as long: a kernel that overflows the stack of its
// thread has left no room for them there.
class SignalStack {
public:
    SignalStack() noexcept;
    SignalStack(const SignalStack &) = delete;
    SignalStack &operator=(const SignalStack &) = delete;
    ~SignalStack();

private:
    void *memory_ = nullptr;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_RUNNING_H
