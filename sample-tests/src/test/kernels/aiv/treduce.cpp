// TREDUCE: the root adds up the inputs of all ranks, which it reads through their windows.
//
// Arguments: input (in the window), output (in device memory), number of ranks, root, context. Both buffers have COUNT
// elements. Ranks other than the root do nothing. The launch fails with
//   1  for a wrong number of arguments
//   2  if the number of ranks is not that of the communicator
//   3  if the root is not one of its ranks
#include "../treduce.h"

#include <rankunit/kernel.h>

using namespace samples;

RANKUNIT_KERNEL int treduce(const uint64_t *args, int nargs) {
    if (nargs != ARGUMENTS) return 1;
    const float *input = rankunit_pointer<const float>(args[INPUT]);
    float *output = rankunit_pointer<float>(args[OUTPUT]);
    const uint64_t nranks = args[NRANKS];
    const uint64_t root = args[ROOT];
    const CommContext *context = rankunit_pointer<const CommContext>(args[CONTEXT]);

    if (nranks != context->rankNum) return 2;
    if (root >= nranks) return 3;
    if (context->rankId != root) return 0;

    for (uint64_t i = 0; i < COUNT; i++) output[i] = 0.0f;
    for (uint32_t pe = 0; pe < nranks; pe++) {
        const float *theirs = rankunit_remote(context, pe, input);
        for (uint64_t i = 0; i < COUNT; i++) output[i] += theirs[i];
    }
    return 0;
}
