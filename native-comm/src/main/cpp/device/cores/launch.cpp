#include "device/cores/launch.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>

#include "device/cores/workers.h"
#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::device {
namespace {

// A block of a mixed kernel is one cube core, then two vector cores.
constexpr uint32_t kPartsOfMixed = 3;

// The parts of a launch, each for one core. Threads that come after the last part was claimed touch nothing else, so
// they may come when the launch has ended.
class Parts {
public:
    Parts(const Launch &launch, Cores &cores)
        : launch_(launch),
          cores_(cores),
          total_(launch.cores == STREAM_CORES_MIXED ? launch.blocks * kPartsOfMixed : launch.blocks) {}

    uint32_t total() const { return total_; }

    // Runs parts until all are claimed, or one has failed.
    void run() {
        while (const std::optional<uint32_t> part = claim()) {
            std::optional<FailureRecord> failure;
            try {
                run(*part);
            } catch (const Failure &thrown) {
                failure.emplace(thrown);
            } catch (const std::bad_alloc &) {
                failure.emplace(DEVICE_OUT_OF_MEMORY, "out of host memory");
            }
            ended(failure);
        }
    }

    void wait_for_end() {
        const Workers::Pause pause(Workers::of_process());
        std::unique_lock<std::mutex> lock(mutex_);
        all_ended_.wait(lock, [this] { return next_ >= total_ && running_ == 0; });
        if (failure_.has_value()) failure_->raise();
    }

private:
    std::optional<uint32_t> claim() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (next_ >= total_) return std::nullopt;
        running_++;
        return next_++;
    }

    void run(uint32_t part) {
        BlockPlace place;
        place.blocks = launch_.blocks;
        if (launch_.cores == STREAM_CORES_MIXED) {
            const uint32_t in_block = part % kPartsOfMixed;
            place.block = part / kPartsOfMixed;
            place.kind = in_block == 0 ? CoreKind::kCube : CoreKind::kVector;
            place.sub_block = in_block == 0 ? 0 : in_block - 1;
        } else {
            place.block = part;
            place.kind = launch_.cores == STREAM_CORES_CUBE ? CoreKind::kCube : CoreKind::kVector;
        }
        const Lanes::Core core(cores_.lanes, place.kind, cores_.interruption);
        place.core = core.number();
        run_block(launch_.kernel, launch_.args.data(), static_cast<int>(launch_.args.size()), place, cores_.layout,
                  cores_.interruption, true);
    }

    void ended(const std::optional<FailureRecord> &failure) {
        const std::lock_guard<std::mutex> lock(mutex_);
        running_--;
        if (failure.has_value()) {
            if (!failure_.has_value()) failure_ = failure;
            next_ = total_;
        }
        if (next_ >= total_ && running_ == 0) all_ended_.notify_all();
    }

    const Launch &launch_;
    Cores &cores_;
    const uint32_t total_;
    std::mutex mutex_;
    std::condition_variable all_ended_;
    uint32_t next_ = 0;
    uint32_t running_ = 0;
    std::optional<FailureRecord> failure_;
};

}  // namespace

void run_launch(const Launch &launch, Cores &cores) {
    Workers &workers = Workers::of_process();
    const Workers::Turn turn(workers);
    const auto parts = std::make_shared<Parts>(launch, cores);
    // One for each part, since those that run may all wait for one that has not started.
    for (uint32_t i = 1; i < parts->total(); i++) workers.submit([parts] { parts->run(); });
    parts->run();
    parts->wait_for_end();
}

void require_launch(const KernelFunction &kernel, uint32_t blocks, uint32_t cores) {
    if (cores > STREAM_CORES_MIXED) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      "cores = " + std::to_string(cores) + " is none of 0 (vector), 1 (cube) and 2 (mixed)");
    }
    if (kernel.in_blocks == nullptr && (blocks != 1 || cores == STREAM_CORES_MIXED)) {
        throw Failure(DEVICE_NOT_SUPPORTED,
                      "kernel \"" + kernel.name +
                          "\" takes no KernelEnv, so that it cannot know its block, and runs as one block on one core; "
                          "declare it with RANKUNIT_BLOCK_KERNEL");
    }
}

}  // namespace rankunit::device
