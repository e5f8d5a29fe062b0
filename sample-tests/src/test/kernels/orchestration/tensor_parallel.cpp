// Linear -> all-reduce -> FFN on one chip of a domain, for aicpu_build_graph and tensormap_and_ringbuffer.
//
// The linear layer is sharded along K, so that each chip has a partial sum of the whole product. Each chip sends its
// own to all others, one step for each. The FFN, which every chip runs on the whole sum, waits for the semaphores.
#include "../tensor_parallel.h"

#include <rankunit/orchestration.h>

using namespace samples;

namespace {

constexpr uint32_t kBlocks = 4;

// One round on this chip.
class Layer {
public:
    Layer(const OrchestrationEnv *env, const uint64_t *args)
        : env_(env),
          args_(args),
          context_(*rankunit_pointer<const CommContext>(args[CONTEXT])),
          bytes_(bytes_of(args[ROWS], args[COLUMNS], args[HALF])) {}

    void submit_all() {
        const uint64_t linear = submit_linear();
        for (uint32_t step = 1; step < context_.rankNum; step++) submit_step(linear, step);
        submit_ffn(linear);
    }

private:
    // The partial sum of this chip, in its own window.
    uint64_t own() const { return args_[PARTIALS] + context_.rankId * bytes_; }

    uint64_t submit_linear() {
        const uint64_t half = args_[HALF];
        OrchestrationArgument of_task[] = {rankunit_in(args_[X], bytes_of(args_[ROWS], args_[INNER], half)),
                                           rankunit_in(args_[W], bytes_of(args_[INNER], args_[COLUMNS], half)),
                                           rankunit_out(own(), bytes_),
                                           rankunit_scalar(args_[ROWS]),
                                           rankunit_scalar(args_[INNER]),
                                           rankunit_scalar(args_[COLUMNS]),
                                           rankunit_scalar(half)};
        const uint64_t linear = submit("linear", kBlocks, of_task, 7, nullptr);
        publish(linear);
        return linear;
    }

    // Sends to the chip that is `step` behind this one.
    void submit_step(uint64_t linear, uint32_t step) {
        const uint32_t peer = (context_.rankId + step) % context_.rankNum;
        const auto *const cell = rankunit_pointer<const char>(args_[SEMAPHORES] + (step - 1) * CELL_BYTES);
        const auto target = reinterpret_cast<uint64_t>(rankunit_remote(&context_, peer, rankunit_pointer<char>(own())));
        const auto target_cell = reinterpret_cast<uint64_t>(rankunit_remote(&context_, peer, cell));
        OrchestrationArgument of_task[] = {rankunit_in(own(), bytes_), rankunit_out(target, bytes_),
                                           rankunit_scalar(bytes_), rankunit_scalar(target_cell),
                                           rankunit_scalar(args_[ROUND])};
        after(linear, submit("send_partial", 1, of_task, 5, nullptr));
    }

    void submit_ffn(uint64_t linear) {
        const uint64_t half = args_[HALF];
        const uint64_t rows = args_[ROWS], columns = args_[COLUMNS], hidden = args_[HIDDEN];
        // One cell for each other chip. The number of the round tells this round's signals from those of the last one.
        const OrchestrationCondition all_have_sent{
            {args_[SEMAPHORES], context_.rankNum - 1, 1, CELL_BYTES}, KERNEL_EQ, static_cast<int32_t>(args_[ROUND])};
        OrchestrationArgument of_task[] = {rankunit_in(args_[PARTIALS], context_.rankNum * bytes_),
                                           rankunit_in(args_[W1], bytes_of(columns, hidden, half)),
                                           rankunit_in(args_[W2], bytes_of(hidden, columns, half)),
                                           rankunit_out(args_[OUT], bytes_),
                                           rankunit_scalar(context_.rankNum),
                                           rankunit_scalar(rows),
                                           rankunit_scalar(columns),
                                           rankunit_scalar(hidden),
                                           rankunit_scalar(half)};
        after(linear, submit("ffn", kBlocks, of_task, 9, &all_have_sent));
    }

    uint64_t submit(const char *kernel, uint32_t blocks, OrchestrationArgument *of_task, uint32_t nargs,
                    const OrchestrationCondition *wait, uint32_t line = __builtin_LINE()) {
        OrchestrationTask task{};
        task.kernel = rankunit_kernel(env_, kernel);
        task.name = kernel;
        task.blocks = blocks;
        task.args = of_task;
        task.nargs = nargs;
        task.waits = wait;
        task.nwaits = wait == nullptr ? 0 : 1;
        return rankunit_submit(env_, task, __FILE__, line);
    }

    // With a tensor map, the edge follows from the partial sum.
    void after(uint64_t before, uint64_t task) {
        if (env_->runtime == GRAPH_CONTROL_BUILT) env_->ops->add_edge(env_, before, task);
        publish(task);
    }

    // With a tensor map, tasks are published as they are submitted.
    void publish(uint64_t task) {
        if (env_->runtime == GRAPH_CONTROL_BUILT) env_->ops->publish(env_, task);
    }

    const OrchestrationEnv *env_;
    const uint64_t *args_;
    const CommContext &context_;
    const uint64_t bytes_;
};

}  // namespace

RANKUNIT_ORCHESTRATION_FUNCTION(tensor_parallel)(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
    if (nargs != ARGUMENTS) return 1;
    Layer(env, args).submit_all();
    return 0;
}
