#include "coll/program.h"

#include <algorithm>
#include <cstring>

namespace rankunit::coll {
namespace {

// Of a target that stays in the first-level cache while its sources are reduced with it, beside a block of each.
constexpr uint64_t kBlockBytes = 8192;

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

bool overlap(uint64_t one, uint64_t other, uint64_t bytes) {
    return one < other + bytes && other < one + bytes;
}

void *at(uint64_t address) {
    return reinterpret_cast<void *>(address);
}

}  // namespace

Program compile(const std::vector<Task> &tasks, const Setting &setting, const Extent &own, const SharedPart &part) {
    Program program;
    program.streams.resize(own.streams);
    program.local_notifies = own.local_notifies;
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

void run_move(const Program &program, const Step &step, const std::vector<uint64_t> &bases) {
    const uint64_t to = bases[step.to.base] + step.to.offset;
    const Place *const sources = &program.sources[step.first_source];
    const auto source = [&](uint32_t i) { return bases[sources[i].base] + sources[i].offset; };
    // A source that is the target must be read after the sources before it have been written there.
    bool in_order = step.sources == 1;
    for (uint32_t i = 0; i < step.sources; i++) in_order = in_order || overlap(source(i), to, step.bytes);
    const uint64_t block = in_order ? step.bytes : kBlockBytes;
    for (uint64_t done = 0; done < step.bytes; done += block) {
        const uint64_t bytes = std::min(block, step.bytes - done);
        const size_t count = bytes / program.element_bytes;
        uint32_t next = 0;
        const void *so_far = at(to + done);
        if (!step.first_reduces && in_order) {
            std::memmove(at(to), at(source(next++)), bytes);
        } else if (!step.first_reduces) {
            so_far = at(source(next++) + done);
        }
        while (next < step.sources) {
            program.combine(at(to + done), so_far, at(source(next++) + done), count);
            so_far = at(to + done);
        }
    }
}

}  // namespace rankunit::coll
