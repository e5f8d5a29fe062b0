// Leaving out one step of a program that makes an order, to see whether anything notices.
#ifndef RANKUNIT_MUTATE_MUTATION_H
#define RANKUNIT_MUTATE_MUTATION_H

#include <atomic>
#include <cstdint>
#include <string>

namespace rankunit::mutate {

// The steps that can be left out. The numbers are in logs of events.
enum Step : uint32_t {
    kEdge = 1,         // between two tasks, as the program makes it
    kTaskWait = 2,     // of a task for cells
    kPublish = 3,      // of a task
    kEventWait = 4,    // of a stream
    kNotifyPost = 5,   // of a stream
    kNotifyWait = 6,   // of a stream
    kSignal = 7,       // of a stream or a kernel
    kCellWait = 8,     // of a stream or a kernel
    kSynchronize = 9,  // of the host with a stream
    kTensor = 10,      // of a task: what an argument of it depends on, where the runtime derives that
};

extern std::atomic<uint32_t> wanted;

bool reached(Step step, uint32_t task, uint64_t argument) noexcept;

// Whether this step is the one that is to be left out. Costs a load and a branch if none is.
// The record of events says which argument of which actor it is, where the step has one.
inline bool leaves_out(Step step, uint32_t task = 0, uint64_t argument = 0) noexcept {
    return wanted.load(std::memory_order_relaxed) == step && reached(step, task, argument);
}

// Whether any step is to be left out.
inline bool is_wanted() noexcept {
    return wanted.load(std::memory_order_relaxed) != 0;
}

// From now on leaves out the step with this number among those of its kind, which are counted from the last call of
// begin_anew on. `what`: "edge:3", or an empty text for none. Throws DEVICE_INVALID_ARGUMENT.
void leave_out(const std::string &what);
void begin_anew() noexcept;

}  // namespace rankunit::mutate

#endif  // RANKUNIT_MUTATE_MUTATION_H
