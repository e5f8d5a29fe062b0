// Makes the tasks of TREDUCE with an explicit edge, and publishes both.
#include "../treduce_tasks.h"

RANKUNIT_ORCHESTRATION_FUNCTION(treduce_aicpu_build_graph)
(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
    if (nargs != samples::ARGUMENTS) return 1;
    const uint64_t cleared = samples::submit_clear(env, args);
    const uint64_t reduced = samples::submit_treduce(env, args);
    env->ops->add_edge(env, cleared, reduced);
    env->ops->publish(env, cleared);
    env->ops->publish(env, reduced);
    return 0;
}
