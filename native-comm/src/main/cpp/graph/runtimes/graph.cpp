#include "graph/runtimes/graph.h"

#include <exception>
#include <optional>
#include <utility>

#include "device/cores/running.h"
#include "graph/model/graph_events.h"
#include "graph/schedule/supervisor.h"
#include "rankunit/device.h"

namespace rankunit::graph {
namespace {

[[noreturn]] void not_of_this_runtime(const char *what) {
    throw Failure(DEVICE_NOT_SUPPORTED, std::string(what) + " by the host; its orchestration function does that");
}

}  // namespace

void refuse_value(const char *name, uint64_t value, const std::string &allowed) {
    throw Failure(DEVICE_INVALID_ARGUMENT, std::string(name) + " = " + std::to_string(value) + " is not " + allowed);
}

Graph::Reservation::Reservation(std::shared_ptr<Graph> graph) : graph_(std::move(graph)) {
    const std::lock_guard<std::mutex> lock(graph_->mutex_);
    graph_->reservations_++;
}

Graph::Reservation::~Reservation() {
    const std::lock_guard<std::mutex> lock(graph_->mutex_);
    graph_->reservations_--;
}

template <typename Body>
auto Graph::while_idle(Body body) {
    const std::lock_guard<std::mutex> lock(mutex_);
    try {
        if (goes_on()) throw Failure(DEVICE_BUSY, "it runs, or something of its last run goes on");
        return body();
    } catch (const Failure &failure) {
        throw Failure(failure.code(), "graph \"" + name_ + "\": " + failure.what());
    }
}

template <typename Body>
auto Graph::change(Body body) {
    return while_idle([&] {
        require_unreserved();
        return body();
    });
}

void Graph::require_unreserved() const {
    if (reservations_ == 0) return;
    throw Failure(DEVICE_BUSY, "it has been put on a stream and has not ended there; synchronize the stream first");
}

bool Graph::goes_on() const {
    return running_ || (scheduler_ != nullptr && !(scheduler_->activity().ended && source_->has_ended()));
}

void Graph::require_idle() {
    change([] {});
}

void Graph::wait_until_idle() const {
    std::shared_ptr<Scheduler> scheduler;
    std::shared_ptr<RunSource> source;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        scheduler = scheduler_;
        source = source_;
    }
    if (scheduler == nullptr) return;
    scheduler->fail(DEVICE_ABORTED, "the device was closed");
    while (!scheduler->activity().ended || !source->has_ended()) {
        scheduler->wait_for_change(device::Interruption::kSlice);
    }
}

void Graph::set(uint32_t setting, uint64_t value) {
    change([&] {
        if (setting > GRAPH_CONCURRENT) refuse_value("setting", setting, "in [0, 3]");
        if (!try_set(static_cast<GraphSetting>(setting), value)) {
            throw Failure(DEVICE_NOT_SUPPORTED, what() + " has no setting " + std::to_string(setting));
        }
    });
}

uint32_t Graph::add_kernel(const device::KernelFunction &function, uint32_t cores, int32_t nargs, const char *name) {
    return change([&] { return kernels_.add(function, cores, nargs, name); });
}

void Graph::set_orchestration(const char *library_path, const char *symbol) {
    change([&] { do_set_orchestration(library_path, symbol); });
}

uint32_t Graph::add_task(uint32_t kernel, uint32_t blocks, const char *name, const uint64_t *args, size_t nargs) {
    return change([&] {
        std::vector<OrchestrationArgument> arguments;
        for (size_t i = 0; i < nargs; i++) {
            const uint64_t *const words = args + i * GRAPH_ARGUMENT_WORDS;
            // a kind that no 32 bits hold is none
            const auto kind = static_cast<uint32_t>(words[0] > UINT32_MAX ? UINT32_MAX : words[0]);
            arguments.push_back({kind, 0, words[1], words[2]});
        }
        return do_add_task({kernels_.at(kernel), blocks, name, arguments.data(), arguments.size()});
    });
}

void Graph::add_edge(uint32_t before, uint32_t after) {
    change([&] { do_add_edge(before, after); });
}

void Graph::add_wait(uint32_t number, const KernelCells &cells, uint32_t compare, int32_t value) {
    change([&] { graph::add_wait(task(number), device_.device, cells, compare, value); });
}

void Graph::set_predicate(uint32_t number, const KernelCells &cells, uint32_t compare, int32_t value) {
    change([&] { graph::set_predicate(task(number), device_.device, cells, compare, value); });
}

// "graph "ring", stream 1, work 2, RingTest.java:41"
std::string Graph::where() const {
    const std::string *const stream = device::RunsWithin::here();
    const std::string place = stream == nullptr ? record::place_text() : *stream;
    return "graph \"" + name_ + "\"" + (place.empty() ? "" : ", " + place);
}

void Graph::run(const uint64_t *args, int32_t nargs, int64_t timeout_ms) {
    const std::vector<uint64_t> arguments(args, args + nargs);
    std::shared_ptr<RunSource> source;
    std::shared_ptr<Scheduler> scheduler;
    while_idle([&] {
        source = make_source(arguments);
        scheduler = std::make_shared<Scheduler>(source, device_.cores, device_.deferrals, where());
        source_ = source;
        scheduler_ = scheduler;
        running_ = true;
    });
    RecordedRun recorded(name_, [this] { return what(); });
    source->recorded_run = recorded.number();
    std::optional<FailureRecord> failure;
    try {
        begin(source, scheduler, arguments);
        Supervisor(*scheduler, *source, device_.cores.interruption, device_.deferrals, milliseconds(timeout_ms))
            .watch();
    } catch (const Failure &thrown) {
        failure.emplace(thrown.code(), "graph \"" + name_ + "\": " + thrown.what());
    } catch (const std::exception &thrown) {
        failure.emplace(DEVICE_SYSTEM, "graph \"" + name_ + "\": " + thrown.what());
    }
    // of no effect, unless it could not even begin
    if (failure.has_value()) scheduler->fail(failure->code, failure->text);
    device_.deferrals.forget(*scheduler);
    recorded.leave_out(source->unrecorded(), source->watch() != nullptr && source->watch()->has_seen());
    const std::lock_guard<std::mutex> lock(mutex_);
    running_ = false;
    if (failure.has_value()) failure->raise();
    recorded.succeeded();
}

uint64_t Graph::count(uint32_t count) const {
    if (count > GRAPH_COUNT_MOST_HEAP) refuse_value("count", count, "in [0, 4]");
    const std::lock_guard<std::mutex> lock(mutex_);
    if (scheduler_ == nullptr) return 0;
    if (count == GRAPH_COUNT_COMPLETED) return scheduler_->completed();
    if (count == GRAPH_COUNT_SKIPPED) return scheduler_->skipped();
    return source_->count(static_cast<GraphCount>(count));
}

std::string Graph::describe() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::string text = "graph \"" + name_ + "\": " + what();
    if (scheduler_ == nullptr) return text + ", which has not run";
    text += running_ ? ", which runs: " : ", whose latest run completed ";
    text += std::to_string(scheduler_->completed()) + " tasks" + (running_ ? " have completed" : "");
    for (const std::string &running : scheduler_->texts_of_running()) text += "; " + running + " runs";
    for (const std::string &waiting : scheduler_->waiting().texts()) text += "; " + waiting;
    return text;
}

uint32_t Graph::do_add_task(const TaskShape &) {
    not_of_this_runtime("no tasks are added");
}

void Graph::do_add_edge(uint32_t, uint32_t) {
    not_of_this_runtime("no edges are added");
}

Task &Graph::task(uint32_t) {
    not_of_this_runtime("no task is changed");
}

}  // namespace rankunit::graph
