#include "device/cores/block_run.h"

#include <array>
#include <exception>
#include <new>
#include <optional>
#include <vector>

#include "device/cores/accesses.h"
#include "device/cores/activity.h"
#include "device/cores/cells.h"
#include "device/cores/transfers.h"
#include "device/cores/workers.h"
#include "device/guarded_pages.h"
#include "device/memory_map.h"
#include "mutate/mutation.h"
#include "rankunit/device.h"
#include "record/block.h"
#include "support/failure.h"

namespace rankunit::device {
namespace {

constexpr const char *kMemoryNames[] = {"UB", "L1", "L0A", "L0B", "L0C"};
// What the hardware demands: the unified buffer and L1 32 bytes, L0 512 bytes.
constexpr size_t kMemoryAlignment[] = {32, 32, 512, 512, 512};

// One block while it runs: what KernelEnv.state leads to.
class BlockRun {
public:
    BlockRun(const KernelFunction &kernel, const BlockPlace &place, const CoreLayout &layout,
             const Interruption &interruption, bool has_turn, BlockOwner *owner)
        : kernel_(kernel),
          place_(place),
          layout_(layout),
          interruption_(interruption),
          has_turn_(has_turn),
          owner_(owner),
          task_(owner == nullptr ? RunningTask{} : owner->running()),
          running_(kernel.name, noted(kernel, place), owner == nullptr ? nullptr : &task_) {}

    int run(const uint64_t *args, int nargs) {
        MemoryMap::of_process().require_not_freed(args, static_cast<size_t>(nargs));
        if (shake::on()) begin_shaken();
        if (kernel_.plain != nullptr) return kernel_.plain(args, nargs);
        static const KernelOps ops{sizeof(KernelOps), signal,   wait,  test,  allocate, copy, fail, defer,
                                   complete,          transfer, start, finish};
        const KernelEnv env{sizeof(KernelEnv), place_.block,     place_.blocks, static_cast<uint32_t>(place_.kind),
                            place_.core,       place_.sub_block, &ops,          this};
        const int result = kernel_.in_blocks(&env, args, nargs);
        if (result == 0) transfers_.finish_all();
        return result;
    }

    // "kernel "k", block 2 of 4 on vector core 7"
    std::string name() const {
        const std::string kernel = "kernel \"" + kernel_.name + "\"";
        if (kernel_.plain != nullptr) return kernel;
        return kernel + ", block " + std::to_string(place_.block) + " of " + std::to_string(place_.blocks) + " on " +
               (place_.kind == CoreKind::kVector ? "vector" : "cube") + " core " + std::to_string(place_.core);
    }

private:
    static RunningBlock noted(const KernelFunction &kernel, const BlockPlace &place) {
        if (kernel.plain != nullptr) return {};
        return {static_cast<RunningKind>(place.kind), place.core, place.block, place.blocks};
    }

    static BlockRun &of(const KernelEnv *env) { return *static_cast<BlockRun *>(env->state); }

    // Before and after a signal, since a kernel may do things in the wrong order on either side.
    static void signal(const KernelEnv *env, uint64_t cell, int signal, int32_t value) {
        if (mutate::leaves_out(mutate::kSignal)) return;
        NotedAccesses::record_here();
        of(env).point();
        signal_cell(cell, require_signal(static_cast<uint32_t>(signal)), value);
        of(env).point();
    }

    static void wait(const KernelEnv *env, const KernelCells *cells, int compare, int32_t value) {
        BlockRun &run = of(env);
        const KernelCompare how = require_compare(static_cast<uint32_t>(compare));
        if (mutate::leaves_out(mutate::kCellWait)) return;
        NotedAccesses::record_here();
        if (!cells_satisfy(*cells, how, value, record::kWaits)) {
            const WaitOfOwner of_owner(run.owner_);
            const RunningKernel::Wait waits(run.running_);
            const Activity::Text text = [&run] { return run.name(); };
            const Activity::Name named(text);
            wait_for_cells(*cells, how, value, run.interruption_, "it", run.has_turn_);
        }
        run.point();
    }

    static int test(const KernelEnv *env, const KernelCells *cells, int compare, int32_t value) {
        NotedAccesses::record_here();
        const KernelCompare how = require_compare(static_cast<uint32_t>(compare));
        if (cells_satisfy(*cells, how, value, record::kTests)) return 1;
        of(env).running_.polled();
        // a kernel that looks again and again must end when a wait would
        of(env).interruption_.check();
        return 0;
    }

    static void *allocate(const KernelEnv *env, int memory, size_t bytes) { return of(env).allocate(memory, bytes); }

    static void copy(const KernelEnv *env, uint64_t target, uint64_t source, size_t bytes) {
        of(env).point();
        device::transfer(KERNEL_TRANSFER_COPY, target, source, bytes);
    }

    static uint64_t defer(const KernelEnv *env) { return of(env).owner().defer(); }

    static void complete(const KernelEnv *env, uint64_t token) {
        NotedAccesses::record_here();
        of(env).point();
        of(env).owner().complete(token);
    }

    static void transfer(const KernelEnv *env, uint64_t target, uint64_t source, size_t bytes, int how) {
        of(env).point();
        device::transfer(require_transfer(how), target, source, bytes);
    }

    static uint64_t start(const KernelEnv *env, uint64_t target, uint64_t source, size_t bytes, int how) {
        return of(env).transfers_.start(require_transfer(how), target, source, bytes);
    }

    static void finish(const KernelEnv *env, uint64_t transfer) {
        of(env).point();
        of(env).transfers_.finish(transfer);
    }

    BlockOwner &owner() const {
        if (owner_ == nullptr) {
            throw Failure(DEVICE_NOT_SUPPORTED,
                          "only a task of a graph can be completed later, and this kernel does not run in one");
        }
        return *owner_;
    }

    // Tells the owner of a wait as long as it lives.
    class WaitOfOwner {
    public:
        explicit WaitOfOwner(BlockOwner *owner) : owner_(owner) {
            if (owner_ != nullptr) owner_->wait_begins();
        }
        WaitOfOwner(const WaitOfOwner &) = delete;
        WaitOfOwner &operator=(const WaitOfOwner &) = delete;
        ~WaitOfOwner() {
            if (owner_ != nullptr) owner_->wait_ends();
        }

    private:
        BlockOwner *const owner_;
    };

    void begin_shaken() {
        const uint32_t core = place_.kind == CoreKind::kCube ? shake::kCubePart : place_.sub_block;
        const shake::Here around = owner_ == nullptr ? shake::here() : owner_->shaken();
        here_ = around.of_part(shake::part_of(place_.block, core));
        point();
    }

    // A point of the schedule.
    void point() {
        if (here_.has_value()) rest(shake::pass(*here_, step_++));
    }

    void rest(const shake::Decision &decision) const {
        if (!decision.waits) return;
        const WaitOfOwner of_owner(owner_);
        const RunningKernel::Wait waits(running_);
        std::optional<Workers::Pause> turn;
        if (has_turn_) turn.emplace(Workers::of_process());
        shake::rest(decision);
    }

    [[noreturn]] static void fail(const KernelEnv *, const char *reason) {
        throw Failure(DEVICE_KERNEL_FAILED, reason == nullptr ? "it gave no reason" : reason);
    }

    void *allocate(int memory, size_t bytes) {
        if (memory < 0 || memory > KERNEL_MEMORY_L0C) {
            throw Failure(DEVICE_INVALID_ARGUMENT, "memory = " + std::to_string(memory) + " is not in [0, 4]");
        }
        const auto kind = static_cast<size_t>(memory);
        const bool of_vector = memory == KERNEL_MEMORY_UB;
        if (of_vector != (place_.kind == CoreKind::kVector)) {
            throw Failure(DEVICE_INVALID_ARGUMENT, std::string("this core has no ") + kMemoryNames[kind]);
        }
        const size_t taken = round_up(bytes, kMemoryAlignment[kind]);
        const size_t free = layout_.memory[kind] - used_[kind];
        if (bytes == 0 || bytes > free || taken > free) {
            throw Failure(DEVICE_OUT_OF_MEMORY, std::to_string(bytes) + " bytes of " + kMemoryNames[kind] +
                                                    " were asked for, and " + std::to_string(free) + " of " +
                                                    std::to_string(layout_.memory[kind]) + " are free");
        }
        used_[kind] += taken;
        // Between guard pages: an overrun faults, as it would corrupt a neighbour on the device.
        on_chip_.emplace_back(bytes, kMemoryAlignment[kind]);
        return on_chip_.back().base();
    }

    const KernelFunction &kernel_;
    const BlockPlace &place_;
    const CoreLayout &layout_;
    const Interruption &interruption_;
    const bool has_turn_;
    BlockOwner *const owner_;
    const RunningTask task_;
    RunningKernel running_;
    std::optional<shake::Here> here_;  // while the schedule is shaken
    uint32_t step_ = 0;
    Transfers transfers_;
    std::array<size_t, 5> used_{};
    std::vector<GuardedMemory> on_chip_;
};

}  // namespace

void run_block(const KernelFunction &kernel, const uint64_t *args, int nargs, const BlockPlace &place,
               const CoreLayout &layout, const Interruption &interruption, bool has_turn, BlockOwner *owner) {
    BlockRun run(kernel, place, layout, interruption, has_turn, owner);
    record::Block recorded(kernel.name, {place.block, place.blocks, static_cast<uint32_t>(place.kind), place.core,
                                         place.sub_block, kernel.tells});
    const NotedAccesses noted;
    int result = 0;
    try {
        result = run.run(args, nargs);
    } catch (const Failure &failure) {
        throw Failure(failure.code(), run.name() + ": " + failure.what());
    } catch (const std::bad_alloc &) {
        throw Failure(DEVICE_OUT_OF_MEMORY, run.name() + ": out of host memory");
    } catch (const std::exception &exception) {
        throw Failure(DEVICE_KERNEL_FAILED, run.name() + " threw an exception: " + exception.what());
    } catch (...) {
        throw Failure(DEVICE_KERNEL_FAILED, run.name() + " threw an exception of unknown type");
    }
    if (result != 0) throw Failure(DEVICE_KERNEL_FAILED, run.name() + " returned " + std::to_string(result));
    recorded.succeeded();
}

}  // namespace rankunit::device
