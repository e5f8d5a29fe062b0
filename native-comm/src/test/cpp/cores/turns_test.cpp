// Turns that processes share. A thread that nobody wakes lets the test program run into its time-out.
#include "device/cores/turns.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "harness/check.h"
#include "shake/shake.h"

using rankunit::device::SharedTurn;
using rankunit::device::SharedTurns;
using rankunit::device::SharesTurns;
using rankunit::device::TurnWords;

namespace {

constexpr std::chrono::hours kForEver{1};
constexpr std::chrono::milliseconds kShort{1};

// What the processes of a test share.
struct Board {
    TurnWords words;
    std::atomic<uint32_t> abort;
    std::atomic<uint32_t> inside;
    std::atomic<uint32_t> most_inside;
    std::atomic<uint32_t> entered;

    void enter() {
        entered++;
        const uint32_t now = ++inside;
        uint32_t most = most_inside.load();
        while (most < now && !most_inside.compare_exchange_weak(most, now)) {
        }
    }
    void leave() { inside--; }
};

class Shared {
public:
    Shared()
        : pages_(mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
                 [](void *pages) { munmap(pages, sizeof(Board)); }),
          board_(*new (pages_.get()) Board) {}

    Board &board() const { return board_; }
    std::shared_ptr<SharedTurns> turns(std::chrono::milliseconds patience) const {
        return std::make_shared<SharedTurns>(pages_, board_.words, board_.abort, patience);
    }

private:
    const std::shared_ptr<void> pages_;
    Board &board_;
};

template <typename Body>
pid_t start(Body body) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        body();
        _exit(0);
    }
    return child;
}

void await_exit(pid_t child) {
    int status = -1;
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(status, 0);
}

TEST(no_more_threads_of_all_processes_have_a_turn_than_the_limit) {
    const Shared shared;
    constexpr uint32_t kLimit = 2;
    constexpr int kThreads = 3;
    constexpr int kRounds = 200;
    std::vector<pid_t> children;
    for (int i = 0; i < 3; i++) {
        children.push_back(start([&] {
            const SharesTurns shares(shared.turns(kForEver));
            std::vector<std::thread> threads;
            for (int t = 0; t < kThreads; t++) {
                threads.emplace_back([&] {
                    for (int round = 0; round < kRounds; round++) {
                        const SharedTurn turn(kLimit);
                        shared.board().enter();
                        std::this_thread::yield();
                        shared.board().leave();
                    }
                });
            }
            for (std::thread &thread : threads) thread.join();
        }));
    }
    for (const pid_t child : children) await_exit(child);
    CHECK_EQUAL(shared.board().entered.load(), 3u * kThreads * kRounds);
    CHECK(shared.board().most_inside.load() <= kLimit);
    CHECK_EQUAL(shared.board().words.running.load(), 0u);
}

TEST(a_thread_that_pauses_leaves_its_turn_to_another) {
    const Shared shared;
    const SharesTurns shares(shared.turns(kForEver));
    std::atomic<bool> first_has_paused{false};
    std::atomic<bool> second_is_done{false};
    std::thread first([&] {
        const SharedTurn turn(1);
        SharedTurn::pause();
        first_has_paused = true;
        while (!second_is_done) std::this_thread::yield();
        SharedTurn::resume();
        CHECK_EQUAL(shared.board().words.running.load(), 1u);
    });
    while (!first_has_paused) std::this_thread::yield();
    {
        const SharedTurn turn(1);
        CHECK_EQUAL(shared.board().words.running.load(), 1u);
    }
    second_is_done = true;
    first.join();
    CHECK_EQUAL(shared.board().words.running.load(), 0u);
}

TEST(a_turn_that_a_dead_process_had_stops_nobody) {
    const Shared shared;
    const pid_t child = start([&] {
        const SharesTurns shares(shared.turns(kForEver));
        const SharedTurn turn(1);
        _exit(0);
    });
    await_exit(child);
    CHECK_EQUAL(shared.board().words.running.load(), 1u);
    const SharesTurns shares(shared.turns(kShort));
    const SharedTurn turn(1);
    CHECK_EQUAL(shared.board().words.running.load(), 2u);
}

TEST(after_an_abort_nobody_waits_for_a_turn) {
    const Shared shared;
    shared.board().words.running = 7;
    shared.board().abort = 1;
    const SharesTurns shares(shared.turns(kForEver));
    const SharedTurn turn(1);
    CHECK_EQUAL(shared.board().words.running.load(), 8u);
}

TEST(a_process_without_a_communicator_has_no_shared_turns) {
    CHECK(SharedTurns::of_process() == nullptr);
    const SharedTurn turn(1);
    SharedTurn::pause();
    SharedTurn::resume();
}

TEST(of_several_communicators_the_first_counts) {
    const Shared first;
    const Shared second;
    const auto first_turns = first.turns(kForEver);
    auto shares_first = std::make_unique<SharesTurns>(first_turns);
    const SharesTurns shares_second(second.turns(kForEver));
    {
        const SharedTurn turn(1);
        CHECK_EQUAL(first.board().words.running.load(), 1u);
        shares_first.reset();  // this thread gives back the turn that it has
        const SharedTurn next(1);
        CHECK_EQUAL(second.board().words.running.load(), 1u);
    }
    CHECK_EQUAL(first.board().words.running.load(), 0u);
    CHECK_EQUAL(second.board().words.running.load(), 0u);
}

TEST(a_forked_child_takes_no_turns_of_its_parent) {
    const Shared shared;
    const SharesTurns shares(shared.turns(kForEver));
    const SharedTurn turn(1);
    await_exit(start([] {
        if (SharedTurns::of_process() != nullptr) _exit(1);
    }));
}

TEST(while_a_schedule_is_shaken_other_processes_do_not_count) {
    const Shared shared;
    const SharesTurns shares(shared.turns(kForEver));
    rankunit::shake::begin(rankunit::shake::Strategy::kRandom, 1);
    {
        const SharedTurn turn(1);
        CHECK_EQUAL(shared.board().words.running.load(), 0u);
    }
    rankunit::shake::end();
    const SharedTurn turn(1);
    CHECK_EQUAL(shared.board().words.running.load(), 1u);
}

}  // namespace
