// TREDUCE: the root adds up the inputs of all ranks, which it reads through their windows.
//
// Arguments: input (in the window), output (in device memory), number of ranks, root, context. Both buffers have COUNT
// elements. Ranks other than the root do nothing. The launch fails with
//   1  for a wrong number of arguments
//   2  if the number of ranks is not that of the communicator
//   3  if the root is not one of its ranks
#include <rankunit/kernel.h>

namespace {
constexpr uint64_t COUNT = 256;
}

RANKUNIT_KERNEL int treduce(const uint64_t *args, int nargs) {
    if (nargs != 5) return 1;
    const float *input = rankunit_pointer<const float>(args[0]);
    float *output = rankunit_pointer<float>(args[1]);
    const uint64_t nranks = args[2];
    const uint64_t root = args[3];
    const CommContext *context = rankunit_pointer<const CommContext>(args[4]);

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
