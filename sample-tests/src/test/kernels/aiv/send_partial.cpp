// One step of the all-reduce: copies this chip's partial sum into the window of another chip, and tells it.
//
// Arguments: partial, where it goes, bytes, the cell of the other chip, the number of the round.
#include <rankunit/kernel.h>

RANKUNIT_BLOCK_KERNEL(send_partial)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 5) return 1;
    env->ops->copy(env, args[1], args[0], args[2]);
    rankunit_signal(env, rankunit_pointer<int32_t>(args[3]), KERNEL_SIGNAL_SET, static_cast<int32_t>(args[4]));
    return 0;
}
