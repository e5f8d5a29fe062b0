#include "shake/shake.h"

#include <pthread.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "rankunit/device.h"
#include "shake/group.h"
#include "shake/members.h"
#include "shake/of_process.h"
#include "support/failure.h"

namespace rankunit::shake {
namespace {

// So many decisions are kept and written.
constexpr size_t kMostKept = size_t{1} << 16;

thread_local Here on_this_thread;

struct State {
    std::mutex mutex;
    uint64_t last = 0;  // shaking
    Strategy strategy = Strategy::kOff;
    uint64_t seed = 0;
    uint64_t calls = 0;           // by the host
    int64_t streams = 0;          // made since the begin
    int64_t earlier_streams = 0;  // used since
    Result result;
    std::vector<std::pair<Point, Decision>> decided;
};

OfProcess<State> state_of_process;

State &state() {
    return state_of_process.get();
}

// It must not act for its parent, nor wait for locks of threads that it does not have.
void end_in_child() {
    current.store(0, std::memory_order_relaxed);
    state_of_process.forget_in_child();
    forget_members_in_child();
    forget_waiters_in_child();
}

void end_in_children() {
    static const int registered = pthread_atfork(nullptr, nullptr, end_in_child);
    if (registered != 0) throw std::bad_alloc();
}

// Called with the mutex held.
bool is_present(const State &state, uint64_t shaking) {
    return shaking != 0 && shaking == state.last && on();
}

Decision decided_at(State &state, const Point &point) noexcept {
    const Decision decision = decide(state.strategy, state.seed, point);
    state.result.count++;
    state.result.hash += hash_of(point, decision);
    try {
        if (state.result.count <= kMostKept) state.decided.emplace_back(point, decision);
    } catch (const std::bad_alloc &) {
        // it is counted
    }
    return decision;
}

struct CloseFile {
    void operator()(std::FILE *file) const { std::fclose(file); }
};

void write(const std::string &path, const State &state) {
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "we"));
    if (file == nullptr) throw Failure(DEVICE_SYSTEM, path + ": " + system_text("fopen"));
    if (state.result.count <= kMostKept) {
        for (const auto &[point, decision] : state.decided) {
            std::fprintf(file.get(), "%s\n", text_of(point, decision).c_str());
        }
    }
    if (std::fflush(file.get()) != 0 || std::ferror(file.get()) != 0) {
        throw Failure(DEVICE_SYSTEM, path + ": " + system_text("fflush"));
    }
}

}  // namespace

std::atomic<uint64_t> current{0};

void share_order(const std::string &path, int rank, int count) {
    end_in_children();
    if (on()) throw Failure(DEVICE_INVALID_ARGUMENT, "a schedule is being shaken: call this before");
    join_group(path, rank, count);
}

void begin(Strategy strategy, uint64_t seed) {
    end_in_children();
    // from now on others wait for it
    join();
    join_machine();
    State &state = shake::state();
    const std::lock_guard<std::mutex> lock(state.mutex);
    state.last++;
    state.strategy = strategy;
    state.seed = seed;
    state.calls = 0;
    state.streams = 0;
    state.earlier_streams = 0;
    state.result = {};
    state.decided.clear();
    current.store(strategy == Strategy::kOff ? 0 : state.last, std::memory_order_relaxed);
    group().begin();
    if (strategy == Strategy::kOff) group().end();
}

Result end(const std::string &path) {
    State &state = shake::state();
    const std::lock_guard<std::mutex> lock(state.mutex);
    current.store(0, std::memory_order_relaxed);
    group().end();
    std::sort(state.decided.begin(), state.decided.end(),
              [](const auto &a, const auto &b) { return a.first < b.first; });
    if (!path.empty()) write(path, state);
    return state.result;
}

void end() noexcept {
    current.store(0, std::memory_order_relaxed);
    group().end();
}

Here here() noexcept {
    return on_this_thread;
}

Here As::exchange(const Here &here) noexcept {
    return std::exchange(on_this_thread, here);
}

Decision pass(const Here &here, uint32_t step) noexcept {
    if (!on()) return {};
    State &state = shake::state();
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (!is_present(state, here.shaking)) return {};
    Point point = here.point;
    point.step = step;
    return decided_at(state, point);
}

Here Call::next() {
    join();
    Here here;
    Decision decision;
    {
        State &state = shake::state();
        const std::lock_guard<std::mutex> lock(state.mutex);
        if (!on()) return here;
        here.shaking = state.last;
        here.point.number = ++state.calls;
        decision = decided_at(state, here.point);
    }
    rest(decision);
    return here;
}

Queue::Queue() noexcept {
    if (!on()) return;
    State &state = shake::state();
    const std::lock_guard<std::mutex> lock(state.mutex);
    here_.shaking = state.last;
    here_.point.actor = ++state.streams;
}

Queue::Work Queue::decided() noexcept {
    State &state = shake::state();
    const std::lock_guard<std::mutex> lock(state.mutex);
    if (!on()) return {};
    if (here_.shaking != state.last) {
        here_ = Here{state.last, {}};
        here_.point.actor = -++state.earlier_streams;
    }
    here_.point.number++;
    return {here_, decided_at(state, here_.point)};
}

}  // namespace rankunit::shake
