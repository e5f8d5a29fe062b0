#include "coll/host/program.h"

#include "coll/host/past_cache.h"

namespace rankunit::coll {
namespace {

Place target_of(const Task &task, const Setting &setting) {
    return {base_of(task.target_of(setting.rank), task.to_buffer), task.to};
}

Place source_of(const Task &task, const Setting &setting) {
    return {base_of(task.source_of(setting.rank), task.from_buffer), task.from};
}

bool continues(const Step &step, const Task &task, const Setting &setting) {
    const Place to = target_of(task, setting);
    return step.kind == Step::kMove && task.reduces() && step.bytes == task.bytes && step.to.base == to.base &&
           step.to.offset == to.offset;
}

Step signal_of(const Task &task, const Setting &setting, const SharedPart &part) {
    Step step{};
    const bool post = task.kind == COLL_POST;
    step.peer = task.peer;
    step.notify = task.notify;
    step.line = task.line;
    if (task.peer == kNoPeer) {
        step.kind = post ? Step::kPostLocal : Step::kWaitLocal;
    } else {
        step.kind = post ? Step::kPost : Step::kWait;
        step.word = post ? &part.notify(task.peer, setting.rank, task.notify)
                         : &part.notify(setting.rank, task.peer, task.notify);
    }
    return step;
}

void append(Program &program, std::vector<Step> &steps, const Task &task, const Setting &setting,
            const SharedPart &part) {
    if (!task.moves_data()) {
        steps.push_back(signal_of(task, setting, part));
        return;
    }
    if (steps.empty() || !continues(steps.back(), task, setting)) {
        Step step{};
        step.kind = Step::kMove;
        step.first_reduces = task.reduces();
        step.to = target_of(task, setting);
        step.bytes = task.bytes;
        step.first_source = static_cast<uint32_t>(program.sources.size());
        steps.push_back(step);
    }
    steps.back().sources++;
    program.sources.push_back(source_of(task, setting));
}

uint64_t footprint(const Setting &setting, const Extent &own) {
    uint64_t bytes = 0;
    for (const uint64_t each : own.bytes) bytes += each;
    return bytes * static_cast<uint64_t>(setting.nranks);
}

}  // namespace

Program compile(const std::vector<Task> &tasks, const Setting &setting, const Extent &own, const SharedPart &part) {
    Program program;
    program.streams.resize(own.streams);
    program.local_notifies = own.local_notifies;
    program.past_cache = kCanPassCache && footprint(setting, own) > shared_cache_bytes();
    program.element_bytes = bytes_of(setting.type);
    program.combine = best_reduction(setting.type, setting.reduction);
    // Stream by stream, since the sources of a step lie together.
    std::vector<std::vector<const Task *>> of_stream(own.streams);
    for (const Task &task : tasks) of_stream[task.stream].push_back(&task);
    for (size_t stream = 0; stream < of_stream.size(); stream++) {
        for (const Task *const task : of_stream[stream]) append(program, program.streams[stream], *task, setting, part);
    }
    return program;
}

}  // namespace rankunit::coll
