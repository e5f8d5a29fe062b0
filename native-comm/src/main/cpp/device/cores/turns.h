// The turns that the ranks of a communicator share.
#ifndef RANKUNIT_DEVICE_CORES_TURNS_H
#define RANKUNIT_DEVICE_CORES_TURNS_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace rankunit::device {

// In memory that the ranks share. Everything starts as zero.
struct alignas(64) TurnWords {
    std::atomic<uint32_t> running;  // threads that have a turn
    std::atomic<uint32_t> given;    // turns so far
    std::atomic<uint32_t> ended;    // of these; a futex
    std::atomic<uint32_t> waiting;  // threads for a turn
};

// Limits how many threads of all ranks run at a time; see Workers, which does the same within a process. A turn limits
// and does not lock: a rank that dies takes its turns with it, and then the others go on without them. Thread-safe.
class SharedTurns {
public:
    static constexpr std::chrono::milliseconds kPatience{10};

    // `memory` holds the words. No turn is waited for any more once `abort_word` is not 0: ranks may be gone.
    SharedTurns(std::shared_ptr<const void> memory, TurnWords &words, const std::atomic<uint32_t> &abort_word,
                std::chrono::milliseconds patience = kPatience)
        : memory_(std::move(memory)), words_(words), abort_word_(abort_word), patience_(patience) {}
    SharedTurns(const SharedTurns &) = delete;
    SharedTurns &operator=(const SharedTurns &) = delete;

    // Waits until fewer than `limit` threads have a turn, or none got one for the time of `patience`, and takes one.
    void take(uint32_t limit);
    void end();

    // Those that the threads of this process take; null if it has no communicator. A forked child has none.
    static std::shared_ptr<SharedTurns> of_process();

private:
    bool try_take(uint32_t limit);
    void take_in_any_case();

    const std::shared_ptr<const void> memory_;
    TurnWords &words_;
    const std::atomic<uint32_t> &abort_word_;
    const std::chrono::milliseconds patience_;
};

// Makes these the turns of this process as long as the object lives, unless it has some: of several communicators, the
// first counts. Threads that have a turn when it ends give back that one.
class SharesTurns {
public:
    explicit SharesTurns(std::shared_ptr<SharedTurns> turns);
    SharesTurns(const SharesTurns &) = delete;
    SharesTurns &operator=(const SharesTurns &) = delete;
    ~SharesTurns();

private:
    const std::shared_ptr<SharedTurns> turns_;
};

// While it lives, this thread has one of the turns of this process; none while the schedule of the process is shaken,
// which must not depend on other processes.
class SharedTurn {
public:
    explicit SharedTurn(uint32_t limit);
    SharedTurn(const SharedTurn &) = delete;
    SharedTurn &operator=(const SharedTurn &) = delete;
    ~SharedTurn();

    // Gives up the turn of this thread, if it has one, and takes it again.
    static void pause();
    static void resume();

private:
    const std::shared_ptr<SharedTurns> turns_;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_TURNS_H
