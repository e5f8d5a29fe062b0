// The threads of a run: how many there are, and what each does.
#include <algorithm>
#include <thread>

#include "device/cores/block_run.h"
#include "device/cores/workers.h"
#include "graph/schedule/scheduler.h"
#include "rankunit/device.h"
#include "record/record.h"
#include "support/deadline.h"

namespace rankunit::graph {
namespace {

using device::CoreKind;
using device::Workers;

// A thread without work looks for some for this time before it ends. To wake another one takes as long.
constexpr std::chrono::microseconds kLinger{50};

// As many as the cores of a device that has most.
constexpr uint32_t kMostRunners = 128;

}  // namespace

// What a kernel may ask of the task that it runs for.
class Scheduler::PartOwner : public device::BlockOwner {
public:
    PartOwner(Scheduler &scheduler, Task &task) : scheduler_(scheduler), task_(task) {}

    void wait_begins() override {
        uint32_t missing = 0;
        {
            const std::lock_guard<std::mutex> lock(scheduler_.mutex_);
            scheduler_.blocked_++;
            missing = scheduler_.missing_runners();
            scheduler_.runners_ += missing;
        }
        scheduler_.spawn(missing);
    }

    void wait_ends() noexcept override {
        const std::lock_guard<std::mutex> lock(scheduler_.mutex_);
        scheduler_.blocked_--;
    }

    uint64_t defer() override {
        task_.unended.fetch_add(1, std::memory_order_relaxed);
        return scheduler_.deferrals_.add(scheduler_.shared_from_this(), task_);
    }

    void complete(uint64_t token) override { scheduler_.deferrals_.complete(token); }

    device::RunningTask running() const noexcept override {
        return {task_.id, task_.details == nullptr ? nullptr : &task_.details->name};
    }

    shake::Here shaken() const noexcept override { return scheduler_.shaken_.of_task(task_.id); }

private:
    Scheduler &scheduler_;
    Task &task_;
};

void Scheduler::queue(TaskList &ready) {
    if (ready.empty()) return;
    if (is_shaken()) {
        for (Task *task = ready.first(); task != nullptr; task = task->next) {
            task->ready_since = shake::pass(shaken_.of_task(task->id), shake::kQueued).priority;
        }
    }
    uint32_t missing = 0;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ready_.push(ready, is_shaken());
        missing = missing_runners();
        runners_ += missing;
    }
    spawn(missing);
}

// Called with the mutex held.
uint32_t Scheduler::missing_runners() const {
    const uint32_t unoccupied = runners_ - busy_;
    const uint32_t competing = runners_ - blocked_;
    const size_t blocks = ready_.blocks();
    if (stopped_.load() || blocks <= unoccupied || competing >= most_runners_) return 0;
    return static_cast<uint32_t>(std::min<size_t>(blocks - unoccupied, most_runners_ - competing));
}

// Called with the mutex held. Those that were added because others spun, or that did not count while they waited.
bool Scheduler::has_too_many_runners() const {
    return runners_ > mates_ + blocked_ + most_runners_;
}

void Scheduler::add_runner() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (ready_.blocks() == 0 || runners_ > busy_ || runners_ >= kMostRunners) return;
        runners_++;
    }
    spawn(1);
}

void Scheduler::spawn(uint32_t runners) {
    for (uint32_t i = 0; i < runners; i++) {
        Workers::of_process().submit([self = shared_from_this()] { self->run(); });
    }
}

// A thread that begins when the run is over must not touch the device, which may be gone.
void Scheduler::run() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (is_over()) {
            runners_--;
            return;
        }
    }
    Seat seat(cores_.lanes);
    enter(seat);
    while (take(seat)) {
        start_mates(seat);
        TaskList ready;
        do {
            run_part(seat, ready);
        } while (follow(seat, ready));
    }
    seat.leave();
    leave(seat);
}

void Scheduler::enter(Seat &seat) {
    const std::lock_guard<std::mutex> lock(mutex_);
    seats_.insert(&seat);
}

void Scheduler::leave(Seat &seat) {
    uint32_t missing = 0;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (seat.busy) {
            // a mate; the others have stopped to count in take()
            busy_--;
            runners_--;
            mates_--;
            missing = missing_runners();
            runners_ += missing;
        }
        seats_.erase(&seat);
        if (has_stood_still()) changed_.notify_all();
    }
    spawn(missing);
}

bool Scheduler::take(Seat &seat) {
    std::unique_lock<std::mutex> lock(mutex_);
    const bool retires = seat.busy && has_too_many_runners();
    if (seat.busy) busy_--;
    seat.busy = false;
    if (!retires && !is_over()) {
        seat.busy = choose(seat);
        if (!seat.busy && ready_.blocks() == 0) {
            linger(lock);
            seat.busy = !is_over() && choose(seat);
        }
    }
    if (seat.busy) {
        busy_++;
        dispatched_++;
    } else {
        // in the same moment, so that what is queued from now on gets another thread
        runners_--;
    }
    return seat.busy;
}

bool Scheduler::choose(Seat &seat) {
    if (Task *mixed = ready_.first(STREAM_CORES_MIXED); mixed != nullptr && seat.sit_mixed()) {
        seat.begin(*mixed, ready_.take_block(STREAM_CORES_MIXED), 0);
        // for the mates
        runners_ += kPartsOfMixed - 1;
        busy_ += kPartsOfMixed - 1;
        mates_ += kPartsOfMixed - 1;
        return true;
    }
    const StreamCores older = ready_.older();
    for (const StreamCores cores : {older, older == STREAM_CORES_CUBE ? STREAM_CORES_VECTOR : STREAM_CORES_CUBE}) {
        Task *const task = ready_.first(cores);
        if (task == nullptr || !seat.sit(static_cast<CoreKind>(cores))) continue;
        seat.begin(*task, ready_.take_block(cores), 0);
        return true;
    }
    return false;
}

void Scheduler::linger(std::unique_lock<std::mutex> &lock) {
    lock.unlock();
    const auto end = Clock::now() + kLinger;
    while (ready_.blocks() == 0 && !is_over() && Clock::now() < end) std::this_thread::yield();
    lock.lock();
}

void Scheduler::start_mates(Seat &seat) {
    const std::optional<std::array<uint32_t, 2>> cores = seat.take_mates();
    if (!cores.has_value()) return;
    for (uint32_t sub_block = 0; sub_block < cores->size(); sub_block++) {
        Workers::of_process().submit([self = shared_from_this(), task = &seat.task(), block = seat.place().block,
                                      sub_block,
                                      core = (*cores)[sub_block]] { self->run_mate(*task, block, sub_block, core); });
    }
}

// Runs even if the run has been stopped meanwhile, since the other parts of the block may wait for this one.
void Scheduler::run_mate(Task &task, uint32_t block, uint32_t sub_block, uint32_t core) {
    Seat seat(cores_.lanes, CoreKind::kVector, core);
    seat.busy = true;
    enter(seat);
    seat.begin(task, block, sub_block);
    TaskList ready;
    run_part(seat, ready);
    queue(ready);
    seat.leave();
    leave(seat);
}

void Scheduler::run_part(Seat &seat, TaskList &ready) {
    Task &task = seat.task();
    // This thread may run it next.
    if (const Edge *edge = task.successors.load(std::memory_order_acquire); edge != nullptr) edge->after->prefetch();
    const device::BlockPlace place = seat.place();
    const device::KernelFunction &function = task.kernel->function;
    // A plain kernel's failure does not name them, nor does an exception of another type.
    const auto where = [&] {
        return task.text() + ", block " + std::to_string(place.block) + " of " + std::to_string(place.blocks) + " on " +
               (place.kind == CoreKind::kVector ? "vector" : "cube") + " core " + std::to_string(place.core);
    };
    bool succeeded = false;
    const record::As as({task.actor, 0, source_->watch()});
    const device::RunsWithin within(&within_);
    try {
        PartOwner owner(*this, task);
        device::run_block(function, task.args.data(), static_cast<int>(task.args.size()), place, cores_.layout,
                          interruption_, true, &owner);
        succeeded = true;
    } catch (const Failure &) {
        fail_current(function.plain == nullptr ? task.text() : where());
    } catch (...) {
        fail_current(where() + ": kernel \"" + function.name + "\"");
    }
    seat.end();
    if (succeeded && !stopped_.load(std::memory_order_acquire)) end_part(task, ready);
}

}  // namespace rankunit::graph
