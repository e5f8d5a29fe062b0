#include "device/cores/launch.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>

#include "device/cores/activity.h"
#include "device/cores/running.h"
#include "device/cores/workers.h"
#include "rankunit/device.h"
#include "record/record.h"
#include "shake/shake.h"
#include "support/failure.h"

namespace rankunit::device {
namespace {

// The blocks of a launch, each for one core or, of a mixed kernel, for three. Threads that come after the last block
// was claimed touch nothing else, so they may come when the launch has ended.
class Blocks : public std::enable_shared_from_this<Blocks> {
public:
    Blocks(const Launch &launch, Cores &cores) : launch_(launch), blocks_(launch.blocks), cores_(cores) {}

    // Runs blocks until all are claimed, or one has failed.
    void run() {
        while (const std::optional<uint32_t> block = claim()) {
            run_part([&] { launch_.cores == STREAM_CORES_MIXED ? run_mixed(*block) : run_alone(*block); });
        }
    }

    void wait_for_end() {
        const Activity::Wait wait([] { return ""; }, [this] { return has_ended(); }, Activity::kForEver);
        const Workers::Pause pause(Workers::of_process());
        std::unique_lock<std::mutex> lock(mutex_);
        all_ended_.wait(lock, [this] { return next_ >= blocks_ && running_ == 0; });
        if (failure_.has_value()) failure_->raise();
    }

private:
    bool has_ended() {
        const std::lock_guard<std::mutex> lock(mutex_);
        return next_ >= blocks_ && running_ == 0;
    }

    std::optional<uint32_t> claim() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (next_ >= blocks_) return std::nullopt;
        running_++;
        return next_++;
    }

    void run_alone(uint32_t block) {
        const CoreKind kind = launch_.cores == STREAM_CORES_CUBE ? CoreKind::kCube : CoreKind::kVector;
        run_on(Lanes::Core(cores_.lanes, kind, cores_.interruption), block, 0);
    }

    // One cube core and two vector cores. They are taken at once: two blocks that each held a part of what they need
    // could wait for each other. From then on all three run, even if a block fails meanwhile, since each may wait for
    // the others.
    void run_mixed(uint32_t block) {
        const Lanes::Mixed cores = cores_.lanes.take_mixed(cores_.interruption);
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            running_ += static_cast<uint32_t>(cores.vector.size());
        }
        for (uint32_t sub_block = 0; sub_block < cores.vector.size(); sub_block++) {
            Workers::of_process().submit([self = shared_from_this(), block, sub_block, core = cores.vector[sub_block]] {
                self->run_part(
                    [&] { self->run_on(Lanes::Core(self->cores_.lanes, CoreKind::kVector, core), block, sub_block); });
            });
        }
        run_on(Lanes::Core(cores_.lanes, CoreKind::kCube, cores.cube), block, 0);
    }

    void run_on(const Lanes::Core &core, uint32_t block, uint32_t sub_block) {
        const record::As as(launcher_);
        const shake::As shaken(shaken_launcher_);
        const RunsWithin within(within_launcher_);
        BlockPlace place;
        place.block = block;
        place.blocks = launch_.blocks;
        place.sub_block = sub_block;
        place.kind = core.kind();
        place.core = core.number();
        run_block(launch_.kernel, launch_.args.data(), static_cast<int>(launch_.args.size()), place, cores_.layout,
                  cores_.interruption, true);
    }

    // For one that counts as running.
    template <typename Body>
    void run_part(Body body) {
        std::optional<FailureRecord> failure;
        try {
            body();
        } catch (const Failure &thrown) {
            failure.emplace(thrown);
        } catch (const std::bad_alloc &) {
            failure.emplace(DEVICE_OUT_OF_MEMORY, "out of host memory");
        }
        ended(failure);
    }

    void ended(const std::optional<FailureRecord> &failure) {
        const std::lock_guard<std::mutex> lock(mutex_);
        running_--;
        if (failure.has_value()) {
            if (!failure_.has_value()) failure_ = failure;
            next_ = blocks_;
        }
        if (next_ >= blocks_ && running_ == 0) all_ended_.notify_all();
    }

    const Launch &launch_;
    const uint32_t blocks_;  // for threads that come when the launch has ended
    Cores &cores_;
    const record::Here launcher_ = record::here();
    const shake::Here shaken_launcher_ = shake::here();
    const std::string *const within_launcher_ = RunsWithin::here();  // lives until all blocks have ended
    std::mutex mutex_;
    std::condition_variable all_ended_;
    uint32_t next_ = 0;
    uint32_t running_ = 0;  // parts on cores, and blocks that wait for theirs
    std::optional<FailureRecord> failure_;
};

}  // namespace

void run_launch(const Launch &launch, Cores &cores) {
    Workers &workers = Workers::of_process();
    const Workers::Turn turn(workers);
    const auto blocks = std::make_shared<Blocks>(launch, cores);
    // One for each block, since those that run may all wait for one that has not started.
    for (uint32_t i = 1; i < launch.blocks; i++) workers.submit([blocks] { blocks->run(); });
    blocks->run();
    blocks->wait_for_end();
}

void require_launch(const KernelFunction &kernel, uint32_t blocks, uint32_t cores) {
    if (cores > STREAM_CORES_MIXED) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      "cores = " + std::to_string(cores) + " is not 0 (vector), 1 (cube) or 2 (mixed)");
    }
    const bool on_cube = cores == STREAM_CORES_CUBE;
    if (kernel.only.has_value() && cores != STREAM_CORES_MIXED && on_cube != (*kernel.only == CoreKind::kCube)) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "kernel \"" + kernel.name + "\" is compiled for " +
                                                   (on_cube ? "vector cores (aiv)" : "cube cores (aic)") +
                                                   " and does not run on " + (on_cube ? "cube" : "vector") + " cores");
    }
    if (kernel.in_blocks == nullptr && (blocks != 1 || cores == STREAM_CORES_MIXED)) {
        throw Failure(DEVICE_NOT_SUPPORTED,
                      "kernel \"" + kernel.name +
                          "\" takes no KernelEnv, so that it cannot know its block, and runs as one block on one core; "
                          "declare it with RANKUNIT_BLOCK_KERNEL");
    }
}

}  // namespace rankunit::device
