// All-reduce by reading: each rank adds up the inputs of all ranks, which it reads through their windows.
//
// Arguments: input and output (both in the window, COUNT elements each), number of ranks, context. The launch fails
// with
//   1  for a wrong number of arguments
//   2  if the number of ranks is not that of the communicator
#include <rankunit/kernel.h>

namespace {
constexpr uint64_t COUNT = 256;
}

RANKUNIT_KERNEL int allreduce(const uint64_t *args, int nargs) {
    if (nargs != 4) return 1;
    const float *input = rankunit_pointer<const float>(args[0]);
    float *output = rankunit_pointer<float>(args[1]);
    const CommContext *context = rankunit_pointer<const CommContext>(args[3]);
    if (args[2] != context->rankNum) return 2;

    for (uint64_t i = 0; i < COUNT; i++) output[i] = 0.0f;
    for (uint32_t pe = 0; pe < context->rankNum; pe++) {
        const float *theirs = rankunit_remote(context, pe, input);
        for (uint64_t i = 0; i < COUNT; i++) output[i] += theirs[i];
    }
    return 0;
}
