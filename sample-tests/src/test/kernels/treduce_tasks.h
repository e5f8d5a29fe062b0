// The two tasks of TREDUCE, as orchestration functions submit them.
#ifndef TREDUCE_TASKS_H
#define TREDUCE_TASKS_H

#include <rankunit/orchestration.h>

#include "treduce.h"

namespace samples {

inline uint64_t submit_clear(const OrchestrationEnv *env, const uint64_t *args) {
    OrchestrationArgument of_task[] = {rankunit_out(args[OUTPUT], BYTES), rankunit_scalar(args[ROOT]),
                                       rankunit_scalar(args[CONTEXT])};
    return rankunit_submit(env, rankunit_kernel(env, "clear"), of_task, "clear");
}

inline uint64_t submit_treduce(const OrchestrationEnv *env, const uint64_t *args) {
    OrchestrationArgument of_task[] = {rankunit_in(args[INPUT], BYTES), rankunit_out(args[OUTPUT], BYTES),
                                       rankunit_scalar(args[NRANKS]), rankunit_scalar(args[ROOT]),
                                       rankunit_scalar(args[CONTEXT])};
    return rankunit_submit(env, rankunit_kernel(env, "treduce"), of_task, "treduce");
}

}  // namespace samples

#endif  // TREDUCE_TASKS_H
