// One chip's part of X W: the product of its shards along K, which is a partial sum of the whole product.
//
// Arguments: X (rows x inner), W (inner x columns), partial (rows x columns), rows, inner, columns, half.
#include "../tensor_parallel.h"

RANKUNIT_BLOCK_KERNEL(linear)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 7) return 1;
    const uint64_t rows = args[3], inner = args[4], columns = args[5], half = args[6];
    const samples::Matrix x(args[0], inner, half);
    const samples::Matrix w(args[1], columns, half);
    samples::Matrix partial(args[2], columns, half);
    for (uint64_t row = env->block; row < rows; row += env->blocks) {
        for (uint64_t column = 0; column < columns; column++) {
            float sum = 0;
            for (uint64_t k = 0; k < inner; k++) sum += x.get(row, k) * w.get(k, column);
            partial.set(row, column, sum);
        }
    }
    return 0;
}
