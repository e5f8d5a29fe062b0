// Submits the tasks of TREDUCE. The second one depends on the first, since both write the output.
#include "../treduce_tasks.h"

RANKUNIT_ORCHESTRATION_FUNCTION(treduce_tensormap_and_ringbuffer)
(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
    if (nargs != samples::ARGUMENTS) return 1;
    samples::submit_clear(env, args);
    samples::submit_treduce(env, args);
    return 0;
}
