// The threads that run kernels, for all simulated devices of this process.
#ifndef RANKUNIT_DEVICE_CORES_WORKERS_H
#define RANKUNIT_DEVICE_CORES_WORKERS_H

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "device/cores/turns.h"
#include "support/deadline.h"

namespace rankunit::device {

// Runs jobs on few threads. A device has dozens of cores; with a thread for each that wants to run, 8 ranks would
// starve a small machine. Only `limit` threads run at a time; the others wait for their turn. A thread that waits for
// something gives up its turn (Pause), so that what it waits for can run. The ranks of a communicator together have no
// more turns than that (SharedTurn).
//
// A turn limits, it does not lock: code that spins instead of waiting in a Pause keeps its turn forever, and what it
// spins on may need one. So who has not got a turn for kPatience while no other thread got one runs without.
// Thread-safe.
class Workers {
public:
    // Twice the cores of this machine may run.
    static Workers &of_process();

    explicit Workers(uint32_t limit) : limit_(limit) {}
    Workers(const Workers &) = delete;
    Workers &operator=(const Workers &) = delete;

    // Runs `job`, which must not throw, on a thread of the pool. There are as many threads as run or pause, and one
    // more.
    void submit(std::function<void()> job);

    uint32_t limit() const { return limit_; }

    // While it lives, this thread has a turn. For threads that are not of the pool.
    class Turn {
    public:
        explicit Turn(Workers &workers) : workers_(workers) {
            workers_.take_turn();
            shared_.emplace(workers_.limit_);
        }
        Turn(const Turn &) = delete;
        Turn &operator=(const Turn &) = delete;
        ~Turn() {
            shared_.reset();
            workers_.end_turn();
        }

    private:
        Workers &workers_;
        std::optional<SharedTurn> shared_;
    };

    // While it lives, this thread, which has a turn, waits for something and goes without one.
    class Pause {
    public:
        explicit Pause(Workers &workers) : workers_(workers) {
            SharedTurn::pause();
            workers_.end_turn();
        }
        Pause(const Pause &) = delete;
        Pause &operator=(const Pause &) = delete;
        ~Pause() {
            workers_.take_turn();
            SharedTurn::resume();
        }

    private:
        Workers &workers_;
    };

private:
    static constexpr std::chrono::milliseconds kPatience{10};

    void take_turn();
    void end_turn();
    // Waits until a turn is free or `no_longer` holds; goes without one if no thread got one for kPatience. Then takes
    // it.
    template <typename NoLonger>
    bool wait_for_turn(std::unique_lock<std::mutex> &lock, NoLonger no_longer);
    void work();

    const uint32_t limit_;
    std::mutex mutex_;
    std::condition_variable turn_free_;
    std::condition_variable job_there_;
    std::deque<std::function<void()>> jobs_;
    uint32_t running_ = 0;  // threads with a turn
    uint32_t idle_ = 0;     // threads of the pool that wait for a job
    uint64_t turns_ = 0;    // given so far
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_WORKERS_H
