#include "device/cores/turns.h"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <mutex>

#include "shake/shake.h"
#include "support/deadline.h"
#include "support/futex.h"

namespace rankunit::device {
namespace {

struct Registered {
    std::mutex mutex;
    std::deque<std::shared_ptr<SharedTurns>> all;  // the first one counts
    std::atomic<pid_t> owner{0};                   // who has registered them; 0 if there are none

    void changed() { owner.store(all.empty() ? 0 : getpid(), std::memory_order_relaxed); }
};

Registered &registered() {
    // never destroyed: threads may still wait when the process ends
    static Registered &registered = *new Registered;
    return registered;
}

// The turn of this thread. The SharedTurn that set it keeps it alive.
struct Own {
    SharedTurns *turns;
    uint32_t limit;
};
thread_local Own own{nullptr, 0};

}  // namespace

// As in Lanes::take, no wake-up is lost.
void SharedTurns::take(uint32_t limit) {
    uint32_t given = words_.given.load(std::memory_order_relaxed);
    auto since = Clock::now();
    for (;;) {
        const uint32_t ended = words_.ended.load(std::memory_order_seq_cst);
        if (try_take(limit)) return;
        if (abort_word_.load(std::memory_order_acquire) != 0) break;
        words_.waiting.fetch_add(1, std::memory_order_seq_cst);
        futex_wait({&words_.ended, ended}, patience_);
        words_.waiting.fetch_sub(1, std::memory_order_relaxed);
        const uint32_t now_given = words_.given.load(std::memory_order_relaxed);
        if (now_given != given) {
            given = now_given;
            since = Clock::now();
        } else if (Clock::now() - since >= patience_) {
            break;
        }
    }
    take_in_any_case();
}

bool SharedTurns::try_take(uint32_t limit) {
    uint32_t running = words_.running.load(std::memory_order_seq_cst);
    while (running < limit) {
        if (words_.running.compare_exchange_weak(running, running + 1, std::memory_order_seq_cst)) {
            words_.given.fetch_add(1, std::memory_order_relaxed);
            return true;
        }
    }
    return false;
}

void SharedTurns::take_in_any_case() {
    words_.running.fetch_add(1, std::memory_order_seq_cst);
    words_.given.fetch_add(1, std::memory_order_relaxed);
}

void SharedTurns::end() {
    words_.running.fetch_sub(1, std::memory_order_seq_cst);
    words_.ended.fetch_add(1, std::memory_order_seq_cst);
    if (words_.waiting.load(std::memory_order_seq_cst) > 0) futex_wake(&words_.ended, 1);
}

std::shared_ptr<SharedTurns> SharedTurns::of_process() {
    const pid_t owner = registered().owner.load(std::memory_order_relaxed);
    if (owner == 0 || owner != getpid()) return nullptr;
    const std::lock_guard<std::mutex> lock(registered().mutex);
    return registered().all.empty() ? nullptr : registered().all.front();
}

SharesTurns::SharesTurns(std::shared_ptr<SharedTurns> turns) : turns_(std::move(turns)) {
    const std::lock_guard<std::mutex> lock(registered().mutex);
    registered().all.push_back(turns_);
    registered().changed();
}

SharesTurns::~SharesTurns() {
    const std::lock_guard<std::mutex> lock(registered().mutex);
    auto &all = registered().all;
    all.erase(std::find(all.begin(), all.end(), turns_));
    registered().changed();
}

SharedTurn::SharedTurn(uint32_t limit) : turns_(shake::on() ? nullptr : SharedTurns::of_process()) {
    if (turns_ == nullptr) return;
    own = {turns_.get(), limit};
    resume();
}

SharedTurn::~SharedTurn() {
    if (turns_ == nullptr) return;
    turns_->end();
    own = {nullptr, 0};
}

void SharedTurn::pause() {
    if (own.turns != nullptr) own.turns->end();
}

void SharedTurn::resume() {
    if (own.turns != nullptr) own.turns->take(own.limit);
}

}  // namespace rankunit::device
