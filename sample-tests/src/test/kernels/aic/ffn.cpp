// relu(Y W1) W2, where Y is the sum of the partial sums of all chips.
//
// Arguments: partials (chips x rows x columns), W1 (columns x hidden), W2 (hidden x columns), out (rows x columns),
// chips, rows, columns, hidden, half.
#include <vector>

#include "../tensor_parallel.h"

RANKUNIT_BLOCK_KERNEL(ffn)(const KernelEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 9) return 1;
    const uint64_t chips = args[4], rows = args[5], columns = args[6], hidden = args[7], half = args[8];
    const samples::Matrix partials(args[0], columns, half);
    const samples::Matrix w1(args[1], hidden, half);
    const samples::Matrix w2(args[2], columns, half);
    samples::Matrix out(args[3], columns, half);
    for (uint64_t row = env->block; row < rows; row += env->blocks) {
        std::vector<float> sums(columns, 0.0f);
        for (uint64_t chip = 0; chip < chips; chip++) {
            for (uint64_t column = 0; column < columns; column++)
                sums[column] += partials.get(chip * rows + row, column);
        }
        std::vector<float> inner(hidden, 0.0f);
        for (uint64_t k = 0; k < columns; k++) {
            for (uint64_t h = 0; h < hidden; h++) inner[h] += sums[k] * w1.get(k, h);
        }
        for (uint64_t column = 0; column < columns; column++) {
            float sum = 0;
            for (uint64_t h = 0; h < hidden; h++) sum += (inner[h] > 0 ? inner[h] : 0) * w2.get(h, column);
            out.set(row, column, sum);
        }
    }
    return 0;
}
