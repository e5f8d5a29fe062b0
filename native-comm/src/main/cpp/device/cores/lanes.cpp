#include "device/cores/lanes.h"

#include "device/cores/activity.h"
#include "device/cores/workers.h"
#include "support/futex.h"

namespace rankunit::device {
namespace {

constexpr size_t kKiB = 1024;

size_t index(CoreKind kind) {
    return static_cast<size_t>(kind);
}

}  // namespace

// The numbers are those of a device id: all of an a2, one die of an a3, both dies of an a5.
const CoreLayout &CoreLayout::a2a3() {
    static const CoreLayout layout{48, 24, {192 * kKiB, 512 * kKiB, 64 * kKiB, 64 * kKiB, 128 * kKiB}};
    return layout;
}

const CoreLayout &CoreLayout::a5() {
    static const CoreLayout layout{72, 36, {256 * kKiB, 512 * kKiB, 64 * kKiB, 64 * kKiB, 256 * kKiB}};
    return layout;
}

Lanes::Lanes(const CoreLayout &layout) : counts_{layout.vector_cores, layout.cube_cores} {
    for (size_t kind = 0; kind < free_.size(); kind++) {
        for (uint32_t core = 0; core < counts_[kind]; core++) free_[kind].insert(core);
    }
}

// No wake-up is lost: a thread first counts as waiting and then looks at `given_back_`, which a thread that gives back
// a core changes before it looks for such threads.
template <typename TryTake>
auto Lanes::take(TryTake try_take, const Interruption &interruption) {
    for (;;) {
        const uint32_t seen = given_back_.load(std::memory_order_seq_cst);
        if (const auto taken = try_take()) return *taken;
        {
            const Activity::Wait wait([] { return "a free core"; }, [&] { return given_back_.load() != seen; },
                                      Activity::kForEver);
            const Workers::Pause pause(Workers::of_process());
            waiting_.fetch_add(1, std::memory_order_seq_cst);
            interruption.sleep_on(given_back_, seen, Clock::duration::max());
            waiting_.fetch_sub(1, std::memory_order_relaxed);
        }
        interruption.check();
    }
}

Lanes::Core::Core(Lanes &lanes, CoreKind kind, const Interruption &interruption)
    : Core(lanes, kind, lanes.take([&] { return lanes.try_take(kind); }, interruption)) {}

Lanes::Core::~Core() {
    lanes_.give_back(kind_, number_);
}

std::optional<uint32_t> Lanes::try_take(CoreKind kind) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::set<uint32_t> &free = free_[index(kind)];
    if (free.empty()) return std::nullopt;
    return free.extract(free.begin()).value();
}

void Lanes::give_back(CoreKind kind, uint32_t core) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        free_[index(kind)].insert(core);
    }
    given_back_.fetch_add(1, std::memory_order_seq_cst);
    if (waiting_.load(std::memory_order_seq_cst) > 0) futex_wake_all(&given_back_);
}

std::optional<Lanes::Mixed> Lanes::try_take_mixed() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::set<uint32_t> &cubes = free_[index(CoreKind::kCube)];
    std::set<uint32_t> &vectors = free_[index(CoreKind::kVector)];
    if (cubes.empty() || vectors.size() < 2) return std::nullopt;
    Mixed mixed{};
    mixed.cube = cubes.extract(cubes.begin()).value();
    for (uint32_t &core : mixed.vector) core = vectors.extract(vectors.begin()).value();
    return mixed;
}

Lanes::Mixed Lanes::take_mixed(const Interruption &interruption) {
    return take([this] { return try_take_mixed(); }, interruption);
}

}  // namespace rankunit::device
