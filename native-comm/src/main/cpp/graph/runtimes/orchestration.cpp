#include "graph/runtimes/orchestration.h"

#include <dlfcn.h>

#include <cstddef>
#include <exception>
#include <utility>

#include "device/cores/accesses.h"
#include "device/cores/running.h"
#include "device/cores/workers.h"
#include "graph/model/graph_events.h"
#include "mutate/mutation.h"
#include "rankunit/device.h"
#include "support/load_error.h"
#include "support/unwinding.h"

namespace rankunit::graph {
namespace {

constexpr uint32_t kOrchestrationAbi = 1;

[[noreturn]] void refuse_in_this_runtime(const std::string &text) {
    throw Failure(DEVICE_NOT_SUPPORTED, text);
}

}  // namespace

Orchestration::Orchestration(const std::string &library_path, const std::string &symbol) : name_(symbol) {
    // dlopen would search the system's folders for a name without a slash
    const std::string path = library_path.find('/') == std::string::npos ? "./" + library_path : library_path;
    library_.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (library_ == nullptr) {
        throw Failure(DEVICE_KERNEL_LOAD, "the orchestration's library cannot be loaded: " + load_error(path));
    }
    prepare_unwinding(library_.get());
    device::listen_to(library_.get());
    const void *const abi = dlsym(library_.get(), (symbol + "_orchestration_abi").c_str());
    function_ = reinterpret_cast<decltype(function_)>(dlsym(library_.get(), symbol.c_str()));
    if (function_ == nullptr || abi == nullptr) {
        throw Failure(DEVICE_KERNEL_LOAD, "there is no orchestration function \"" + symbol + "\" in " + library_path +
                                              "; is it declared with RANKUNIT_ORCHESTRATION_FUNCTION?");
    }
    const uint32_t version = *static_cast<const uint32_t *>(abi);
    if (version != kOrchestrationAbi) {
        throw Failure(DEVICE_KERNEL_LOAD,
                      "orchestration function \"" + symbol + "\" in " + library_path + " has version " +
                          std::to_string(version) + " of its ABI, and this simulator has " +
                          std::to_string(kOrchestrationAbi) + "; compile it with this orchestration.h");
    }
}

void Orchestration::Close::operator()(void *library) const {
    dlclose(library);
}

int Orchestration::run(const OrchestrationEnv &env, const std::vector<uint64_t> &args) const {
    return function_(&env, args.data(), static_cast<int>(args.size()));
}

OrchestrationRun::OrchestrationRun(std::shared_ptr<const Orchestration> orchestration, const GraphKernels &kernels,
                                   device::Device &device, GraphRuntime runtime)
    : orchestration_(std::move(orchestration)), kernels_(kernels), device_(device), runtime_(runtime) {}

void OrchestrationRun::start(const std::shared_ptr<OrchestrationRun> &self, const std::shared_ptr<Scheduler> &scheduler,
                             const std::vector<uint64_t> &args) {
    self->scheduler_ = scheduler.get();
    try {
        device::Workers::of_process().submit([self, scheduler, args] { self->orchestrate(args); });
    } catch (...) {
        self->ended_.store(true);
        throw;
    }
}

void OrchestrationRun::orchestrate(const std::vector<uint64_t> &args) noexcept {
    // All of it is recorded before the run can end: who runs the graph reads the log then.
    const bool complete = run_function(args);
    ended_.store(true);
    if (complete) scheduler().close();
}

bool OrchestrationRun::run_function(const std::vector<uint64_t> &args) noexcept {
    RecordedOrchestration recorded(orchestration_->name(), recorded_run, watch());
    const device::NotedAccesses noted;
    const device::RunsWithin within(&scheduler().within());
    const device::RunningKernel running(orchestration_->name(), {device::RunningKind::kOrchestration}, nullptr);
    try {
        const OrchestrationEnv env{sizeof(OrchestrationEnv), static_cast<uint32_t>(runtime_), &ops(), this};
        const int result = orchestration_->run(env, args);
        if (result != 0) throw Failure(DEVICE_KERNEL_FAILED, "it returned " + std::to_string(result));
        const bool complete = returned();
        recorded.succeeded();
        return complete;
    } catch (const Failure &failure) {
        scheduler().fail(failure.code(), who() + ": " + failure.what());
    } catch (const std::exception &exception) {
        scheduler().fail(DEVICE_KERNEL_FAILED, who() + ": it threw an exception: " + exception.what());
    } catch (...) {
        scheduler().fail(DEVICE_KERNEL_FAILED, who() + ": it threw an exception of unknown type");
    }
    return false;
}

std::string OrchestrationRun::text() const {
    return who() + " has not returned" + (idle_.load() ? ", but waits for room in a ring" : "");
}

// What an operation throws stops the run at once: the function may catch it.
template <typename Operation>
auto OrchestrationRun::call(const OrchestrationEnv *env, Operation operation) {
    OrchestrationRun &run = *static_cast<OrchestrationRun *>(env->state);
    run.scheduler().require_going_on();
    device::NotedAccesses::record_here();
    try {
        return operation(run);
    } catch (const Failure &failure) {
        run.scheduler().fail(failure.code(), run.who() + ": " + failure.what());
        throw;
    }
}

const OrchestrationOps &OrchestrationRun::ops() {
    using Env = OrchestrationEnv;
    static const OrchestrationOps ops{
        sizeof(OrchestrationOps),
        [](const Env *env, const char *name) {
            return call(env, [&](OrchestrationRun &run) { return run.kernels_.number_of(name); });
        },
        [](const Env *env, const OrchestrationTask *task) {
            return call(env, [&](OrchestrationRun &run) {
                const bool has_place = task->size >= sizeof(OrchestrationTask);
                const record::AtLine here(has_place ? task->file : nullptr, has_place ? task->line : 0);
                return run.submit(*task);
            });
        },
        [](const Env *env, uint64_t before, uint64_t after) {
            call(env, [&](OrchestrationRun &run) { run.add_edge(before, after); });
        },
        [](const Env *env, uint64_t task) { call(env, [&](OrchestrationRun &run) { run.publish(task); }); },
        [](const Env *env, const char *name, int manual) {
            call(env, [&](OrchestrationRun &run) { run.begin_scope(name == nullptr ? "" : name, manual != 0); });
        },
        [](const Env *env) {
            // Destructors end scopes, while what has stopped the run unwinds the stack.
            if (static_cast<OrchestrationRun *>(env->state)->scheduler().failure().has_value()) return;
            call(env, [&](OrchestrationRun &run) { run.end_scope(); });
        },
        [](const Env *env, const char *reason) {
            call(env, [&](OrchestrationRun &) {
                throw Failure(DEVICE_KERNEL_FAILED, reason == nullptr ? "it gave no reason" : reason);
            });
        },
    };
    return ops;
}

void OrchestrationRun::add_edge(uint64_t, uint64_t) {
    refuse_in_this_runtime("edges follow from inputs and outputs; use a manual scope and the `after` of its tasks");
}

void OrchestrationRun::publish(uint64_t) {
    refuse_in_this_runtime("a task is published with its submission");
}

void OrchestrationRun::begin_scope(const char *, bool) {
    refuse_in_this_runtime("this runtime has no scopes");
}

void OrchestrationRun::end_scope() {
    refuse_in_this_runtime("this runtime has no scopes");
}

void OrchestrationRun::connect(Task &before, Task &after, bool derived) {
    if (!derived && mutate::leaves_out(mutate::kEdge)) return;
    Edge &edge = edges_.take(after);
    after.pending.fetch_add(1, std::memory_order_relaxed);
    if (graph::add_edge(before, edge)) {
        edges_made_.fetch_add(1, std::memory_order_relaxed);
        record_edge(before, after, derived, false);
        return;
    }
    record_edge(before, after, derived, true);
    // Not the last one: it is not published.
    after.pending.fetch_sub(1, std::memory_order_relaxed);
    edges_.put(edge);
}

void OrchestrationRun::set_conditions(Task &task, const OrchestrationTask &wanted) const {
    for (uint32_t i = 0; i < wanted.nwaits; i++) {
        const OrchestrationCondition &wait = wanted.waits[i];
        add_wait(task, device_, wait.cells, wait.compare, wait.value);
    }
    if (wanted.predicate != nullptr) {
        set_predicate(task, device_, wanted.predicate->cells, wanted.predicate->compare, wanted.predicate->value);
    }
}

TaskShape OrchestrationRun::shape_of(const OrchestrationTask &wanted) const {
    constexpr size_t kLeast = offsetof(OrchestrationTask, file);
    if (wanted.size < kLeast) {
        throw Failure(DEVICE_INVALID_ARGUMENT, "the size of an OrchestrationTask is " + std::to_string(wanted.size) +
                                                   ", but must be " + std::to_string(kLeast) + " or more");
    }
    const bool lacks = (wanted.nargs > 0 && wanted.args == nullptr) || (wanted.nwaits > 0 && wanted.waits == nullptr) ||
                       (wanted.nafter > 0 && wanted.after == nullptr);
    if (lacks) throw Failure(DEVICE_INVALID_ARGUMENT, "an OrchestrationTask has a NULL where there must be an array");
    return {kernels_.at(wanted.kernel), wanted.blocks == 0 ? 1 : wanted.blocks, wanted.name, wanted.args, wanted.nargs};
}

void OrchestratedGraph::do_set_orchestration(const char *library_path, const char *symbol) {
    orchestration_ = std::make_shared<const Orchestration>(library_path, symbol);
}

void OrchestratedGraph::begin(const std::shared_ptr<RunSource> &source, const std::shared_ptr<Scheduler> &scheduler,
                              const std::vector<uint64_t> &args) {
    OrchestrationRun::start(std::static_pointer_cast<OrchestrationRun>(source), scheduler, args);
}

std::shared_ptr<const Orchestration> OrchestratedGraph::orchestration() const {
    if (orchestration_ == nullptr) {
        throw Failure(DEVICE_INVALID_ARGUMENT,
                      "it has no orchestration function; set one with graph_set_orchestration");
    }
    return orchestration_;
}

std::string OrchestratedGraph::name_of_orchestration() const {
    return orchestration_ == nullptr ? "none yet" : "\"" + orchestration_->name() + "\"";
}

}  // namespace rankunit::graph
