#include "rankunit/orchestration.h"

// args: words, how many words, tasks, tasks in a scope: task i reads and writes the word i % (how many words)
RANKUNIT_ORCHESTRATION_FUNCTION(empty_tasks)(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 4) return 1;
    const uint32_t kernel = rankunit_kernel(env, "do_nothing");
    for (uint64_t first = 0; first < args[2]; first += args[3]) {
        const RankUnitScope scope(env, "a part");
        for (uint64_t i = first; i < first + args[3] && i < args[2]; i++) {
            OrchestrationArgument arguments[] = {rankunit_inout(args[0] + 8 * (i % args[1]), 8)};
            rankunit_submit(env, kernel, arguments);
        }
    }
    return 0;
}
