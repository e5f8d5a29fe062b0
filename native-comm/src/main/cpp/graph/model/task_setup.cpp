#include "graph/model/task_setup.h"

#include "device/cores/launch.h"
#include "device/memory_map.h"
#include "graph/model/graph_events.h"
#include "mutate/mutation.h"
#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::graph {
namespace {

[[noreturn]] void refuse(const std::string &text) {
    throw Failure(DEVICE_INVALID_ARGUMENT, text);
}

TaskConditions &conditions_of(Task &task) {
    if (task.conditions == nullptr) task.conditions = std::make_unique<TaskConditions>();
    return *task.conditions;
}

Condition condition_of(const Task &task, const char *what, device::Device &device, const KernelCells &cells,
                       uint32_t compare, int32_t value) {
    try {
        return make_condition(device, cells, compare, value);
    } catch (const Failure &failure) {
        throw Failure(failure.code(), task.text() + ", " + what + ": " + failure.what());
    }
}

void require_counts(const TaskShape &shape) {
    const GraphKernel &kernel = shape.kernel;
    if (kernel.nargs >= 0 && shape.nargs != static_cast<size_t>(kernel.nargs)) {
        refuse("kernel \"" + kernel.name + "\" takes " + std::to_string(kernel.nargs) + " arguments, and there are " +
               std::to_string(shape.nargs));
    }
    size_t scalars = 0;
    for (size_t i = 0; i < shape.nargs; i++) scalars += shape.args[i].kind == GRAPH_SCALAR ? 1 : 0;
    const size_t tensors = shape.nargs - scalars;
    if (tensors > GRAPH_MAX_TENSORS || scalars > GRAPH_MAX_SCALARS) {
        refuse("it has " + std::to_string(tensors) + " tensors and " + std::to_string(scalars) +
               " scalars as arguments; a task may have " + std::to_string(GRAPH_MAX_TENSORS) + " and " +
               std::to_string(GRAPH_MAX_SCALARS));
    }
}

void require_argument(const OrchestrationArgument &argument, bool allocates) {
    if (argument.kind == GRAPH_SCALAR) return;
    if (argument.kind > GRAPH_INOUT) {
        refuse("its kind = " + std::to_string(argument.kind) + " is not in [0, " + std::to_string(GRAPH_INOUT) + "]");
    }
    if (argument.bytes == 0) refuse("a tensor needs at least 1 byte");
    const bool is_new = allocates && argument.kind == GRAPH_OUT && argument.value == 0;
    if (!is_new) require_tensor(argument);
}

}  // namespace

uint32_t GraphKernels::add(const device::KernelFunction &function, uint32_t cores, int32_t nargs, const char *name) {
    constexpr int32_t kMost = GRAPH_MAX_TENSORS + GRAPH_MAX_SCALARS;
    device::require_launch(function, 1, cores);
    if (nargs < -1 || nargs > kMost) {
        refuse("nargs = " + std::to_string(nargs) + " is not in [-1, " + std::to_string(kMost) + "]");
    }
    if (*name == '\0') refuse("the kernel's name is empty");
    for (const GraphKernel &kernel : all_) {
        if (kernel.name == name) refuse("it has a kernel \"" + kernel.name + "\" already");
    }
    all_.push_back({function, name, static_cast<StreamCores>(cores), nargs});
    return static_cast<uint32_t>(all_.size() - 1);
}

const GraphKernel &GraphKernels::at(uint32_t number) const {
    if (number >= all_.size()) {
        refuse("it has no kernel " + std::to_string(number) + ", but " + std::to_string(all_.size()) +
               " kernels, which are counted from 0");
    }
    return all_[number];
}

uint32_t GraphKernels::number_of(const std::string &name) const {
    std::string known;
    for (size_t i = 0; i < all_.size(); i++) {
        if (all_[i].name == name) return static_cast<uint32_t>(i);
        known += (i == 0 ? "\"" : ", \"") + all_[i].name + "\"";
    }
    refuse("it has no kernel \"" + name + "\", but " + (known.empty() ? "none at all" : known));
}

void require_tensor(const OrchestrationArgument &tensor) {
    const auto use = tensor.kind == GRAPH_IN ? device::MemoryMap::Use::kRead : device::MemoryMap::Use::kWrite;
    device::MemoryMap::of_process().access(tensor.value, tensor.bytes, use, [] {});
}

void require_task(const TaskShape &shape, bool allocates, const std::function<std::string()> &who) {
    size_t at = shape.nargs;
    try {
        if (shape.blocks < 1 || shape.blocks > DEVICE_MAX_BLOCKS) {
            refuse("blocks = " + std::to_string(shape.blocks) + " is not in [1, " + std::to_string(DEVICE_MAX_BLOCKS) +
                   "]");
        }
        device::require_launch(shape.kernel.function, shape.blocks, shape.kernel.cores);
        require_counts(shape);
        for (at = 0; at < shape.nargs; at++) require_argument(shape.args[at], allocates);
    } catch (const Failure &failure) {
        const std::string argument = at == shape.nargs ? "" : ", argument " + std::to_string(at);
        throw Failure(failure.code(), who() + argument + ": " + failure.what());
    }
}

void set_up(Task &task, uint64_t id, const TaskShape &shape, bool recorded) {
    task.id = id;
    task.kernel = &shape.kernel;
    task.blocks = shape.blocks;
    task.published = false;
    const bool named = shape.name != nullptr && *shape.name != '\0';
    const uint32_t place = record::place();
    task.details.reset();
    if (named || place != 0) task.details.reset(new TaskDetails{named ? shape.name : "", place, {}});
    task.args.clear();
    for (size_t i = 0; i < shape.nargs; i++) task.args.push_back(shape.args[i].value);
    task.conditions.reset();
    task.actor = 0;
    if (recorded) record_task(task, recorded_run(), shape);
}

void add_wait(Task &task, device::Device &device, const KernelCells &cells, uint32_t compare, int32_t value) {
    TaskConditions &conditions = conditions_of(task);
    if (conditions.waits.size() == GRAPH_MAX_WAITS) {
        refuse(task.text() + " already has the maximum of " + std::to_string(GRAPH_MAX_WAITS) +
               " waits; let it depend on another task that has the others");
    }
    if (mutate::leaves_out(mutate::kTaskWait)) return;
    conditions.waits.push_back(condition_of(task, "a wait", device, cells, compare, value));
}

void set_predicate(Task &task, device::Device &device, const KernelCells &cells, uint32_t compare, int32_t value) {
    conditions_of(task).predicate = condition_of(task, "the predicate", device, cells, compare, value);
}

}  // namespace rankunit::graph
