// Recording what happens in this process: the hooks of the simulator, which cost a load and a branch while nothing is
// recorded. format.h says what they record.
#ifndef RANKUNIT_RECORD_RECORD_H
#define RANKUNIT_RECORD_RECORD_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "record/log.h"

namespace rankunit::record {

extern std::atomic<Log *> current_log;

// The log of this process; null while nothing is recorded.
inline Log *log() noexcept {
    if (current_log.load(std::memory_order_relaxed) == nullptr) return nullptr;
    return current_log.load(std::memory_order_acquire);
}

// Records into a new log as long as it lives. The mapping stays until the process ends, since other threads may be
// about to append. A process that is forked meanwhile records nothing.
class Recording {
public:
    // Throws DEVICE_BUSY if something records already, and what Log and CellOrder throw.
    Recording(const std::string &path, const std::string &order_path, uint64_t capacity);
    Recording(const Recording &) = delete;
    Recording &operator=(const Recording &) = delete;
    ~Recording();

private:
    Log *const log_;
};

// Whether others can see more of a run of a graph than that it runs tasks, before it ends: signals, copies, and what
// else is recorded. Thread-safe.
class Watch {
public:
    bool has_seen() const noexcept { return seen_.load(std::memory_order_relaxed); }
    void see() noexcept { seen_.store(true, std::memory_order_relaxed); }

private:
    std::atomic<bool> seen_{false};
};

// Who acts on this thread, and within which work or run.
struct Here {
    uint32_t actor = kHostActor;
    uint64_t work = 0;       // of a stream or of the host; of an orchestration function, its run
    Watch *watch = nullptr;  // of the run of a graph for which it acts
};
Here here() noexcept;

// Called whenever a thread of the program enters this library. One that does not mark the tests, and acts for no actor
// else, becomes an actor of its own.
void enter() noexcept;
// The actor that this thread is, no matter for what it acts, and how many events it has recorded as that; what it has
// acquired is none.
struct OwnActor {
    uint32_t actor;
    uint64_t events;
};
OwnActor actor_of_this_thread() noexcept;
// From now on, this thread is the host, as far as it is no actor of its own.
void become_host() noexcept;

// Where the program that this thread runs is, for people: "RingTest.java:41". It holds until the next call by the
// thread; an empty text ends it.
void set_place(const std::string &place) noexcept;
// The number of that text in the log; 0 if there is none.
uint32_t place() noexcept;
// That text, where the program has set it and not a line of a kernel.
std::string place_text();

// A line of a source file as the place of this thread, while it lives. Does nothing while nothing is recorded, or if
// the file is not known (NULL).
class AtLine {
public:
    AtLine(const char *file, uint32_t line) noexcept : changed_(file != nullptr && log() != nullptr) {
        if (changed_) begin(file, line);
    }
    AtLine(const AtLine &) = delete;
    AtLine &operator=(const AtLine &) = delete;
    ~AtLine();

private:
    void begin(const char *file, uint32_t line) noexcept;

    const bool changed_;
    uint32_t before_ = 0;
};

// Numbers of this process; none is 0.
uint32_t new_actor() noexcept;
uint64_t new_number() noexcept;

// While it lives, `actor` acts on this thread. Does nothing while nothing is recorded.
class As {
public:
    explicit As(Here here) noexcept : changed_(log() != nullptr) {
        if (changed_) before_ = exchange(here);
    }
    As(const As &) = delete;
    As &operator=(const As &) = delete;
    ~As() {
        if (changed_) exchange(before_);
    }

private:
    static Here exchange(Here here) noexcept;

    const bool changed_;
    Here before_;
};

void append(Log &log, Kind kind, uint32_t actor, const Log::Words &words) noexcept;

// An event without a duration, of who acts on this thread.
inline void now(Kind kind, uint64_t w0 = 0, uint64_t w1 = 0, uint64_t w2 = 0, uint64_t w3 = 0,
                uint64_t w4 = 0) noexcept {
    if (Log *const to = log()) append(*to, kind, here().actor, {w0, w1, w2, w3, w4});
}

// The same of another actor.
inline void now_of(uint32_t actor, Kind kind, uint64_t w0 = 0, uint64_t w1 = 0, uint64_t w2 = 0,
                   uint64_t w3 = 0) noexcept {
    if (Log *const to = log()) append(*to, kind, actor, {w0, w1, w2, w3, 0});
}

// The same with a begin, if it is recorded to its end.
class Span {
public:
    Span() noexcept : log_(log()), begin_(log_ == nullptr ? 0 : now_ns()) {}
    void end(Kind kind, uint64_t w0, uint64_t w1 = 0, uint64_t w2 = 0, uint64_t w3 = 0, uint64_t w4 = 0) const noexcept;

private:
    Log *const log_;
    const uint64_t begin_;
};

constexpr uint64_t halves(uint64_t low, uint64_t high) {
    return (low & UINT32_MAX) | high << 32;
}

// Asks the log, unless this thread has asked for the text just before: threads that run tasks would wait for each
// other.
uint32_t text_in(Log &log, const std::string &text) noexcept;

// A text's number; 0 while nothing is recorded.
inline uint32_t text(const std::string &text) noexcept {
    Log *const to = log();
    return to == nullptr ? 0 : text_in(*to, text);
}

// An argument of the launch that is done on this thread; `kind` is an ArgumentKind, and thus a GraphArgument.
void argument(size_t index, uint64_t kind, uint64_t value, uint64_t bytes) noexcept;

// All of its arguments, if nothing says how the kernel uses them.
void arguments(const uint64_t *args, size_t count) noexcept;

}  // namespace rankunit::record

#endif  // RANKUNIT_RECORD_RECORD_H
