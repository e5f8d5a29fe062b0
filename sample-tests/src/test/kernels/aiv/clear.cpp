// Fills the output of the root with zeros. Arguments: output, root, context.
#include <rankunit/kernel.h>

#include "../treduce.h"

RANKUNIT_KERNEL int clear(const uint64_t *args, int nargs) {
    if (nargs != 3) return 1;
    float *output = rankunit_pointer<float>(args[0]);
    const CommContext *context = rankunit_pointer<const CommContext>(args[2]);
    if (context->rankId != args[1]) return 0;
    for (uint64_t i = 0; i < samples::COUNT; i++) output[i] = 0.0f;
    return 0;
}
