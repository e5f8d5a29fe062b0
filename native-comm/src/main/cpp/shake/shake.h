// Shaking the schedule of this process: the points of the simulator, which cost a load and a branch while nothing is
// shaken. decision.h says what is decided at them.
//
// Polls are no points, since how often a program looks depends on time; neither is what a program does once in a
// process, such as loading a kernel.
#ifndef RANKUNIT_SHAKE_SHAKE_H
#define RANKUNIT_SHAKE_SHAKE_H

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "shake/decision.h"
#include "shake/pauses.h"

namespace rankunit::shake {

// Which shaking is going on, counted from 1; 0 for none.
extern std::atomic<uint64_t> current;

inline bool on() noexcept {
    return current.load(std::memory_order_relaxed) != 0;
}

// Decides the order between the ranks of a group, too: those that name the same file, on this machine. They begin
// equally often from then on. Throws DEVICE_SYSTEM, or DEVICE_INVALID_ARGUMENT while something is shaken.
void share_order(const std::string &path, int rank, int count);

// Begins anew. What was counted before is gone.
void begin(Strategy strategy, uint64_t seed);

struct Result {
    uint64_t count = 0;  // decisions
    uint64_t hash = 0;   // sum of their hash_of
};

// Ends it and writes the decisions to a file, one a line in the order of their points, unless the path is empty. Too
// many are counted and not written. Throws DEVICE_SYSTEM.
Result end(const std::string &path);
// If no caller wants to know.
void end() noexcept;

// Who acts, and in which shaking.
struct Here {
    uint64_t shaking = 0;  // 0: no thread that is shaken
    Point point;           // without a step

    Here of_task(uint64_t task) const {
        Here here = *this;
        here.point.task = task;
        return here;
    }
    Here of_part(uint32_t part) const {
        Here here = *this;
        here.point.part = part;
        return here;
    }
};

Here here() noexcept;

// Decides at a point of `here`, if that is of the present shaking.
Decision pass(const Here &here, uint32_t step) noexcept;

// Waits as it was decided. A thread that others wait for must not call this with a lock or a turn of theirs.
inline void rest(const Decision &decision) {
    if (decision.waits) pause(decision.pause, decision.priority, [] { return !on(); });
}

// While it lives, an actor acts on this thread.
class As {
public:
    explicit As(const Here &here) noexcept {
        if (here.shaking != 0) before_ = exchange(here);
    }
    As(const As &) = delete;
    As &operator=(const As &) = delete;
    ~As() {
        if (before_.has_value()) exchange(*before_);
    }

private:
    static Here exchange(const Here &here) noexcept;

    std::optional<Here> before_;
};

// A call by the host, as long as it lives. Waits before it.
class Call {
public:
    Call() : as_(on() ? next() : Here{}) {}

private:
    static Here next();

    const As as_;
};

// The points of a stream, which are decided when work is put on it: until a test has seen that the work is done, no one
// knows how far it got. Not thread-safe.
class Queue {
public:
    Queue() noexcept;

    // A piece of work, and what was decided for it.
    struct Work {
        Here here;
        Decision decision;
    };
    Work next() noexcept { return on() ? decided() : Work{}; }

private:
    Work decided() noexcept;

    Here here_;
};

}  // namespace rankunit::shake

#endif  // RANKUNIT_SHAKE_SHAKE_H
