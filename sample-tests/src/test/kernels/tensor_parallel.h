// What the host, the kernels and the orchestration function of the tensor-parallel layer agree on.
#ifndef TENSOR_PARALLEL_H
#define TENSOR_PARALLEL_H

#include <rankunit/kernel.h>

#include "rankunit/half.h"

namespace samples {

// The arguments of the orchestration function.
//
// X (M x K/n) and W (K/n x N) are this chip's shards along K. PARTIALS is in the window: one M x N matrix for each chip
// of the domain. SEMAPHORES is in the window: a cell for each other chip, each on a cache line of its own. The cell
// `step - 1` is set to the number of the round by the chip that is `step` before this one.
enum Argument {
    X,
    W,
    PARTIALS,
    W1,
    W2,
    OUT,
    SEMAPHORES,
    CONTEXT,
    ROUND,
    ROWS,
    INNER,
    COLUMNS,
    HIDDEN,
    HALF,
    ARGUMENTS
};

constexpr uint64_t CELL_BYTES = 64;

// A matrix in float32 or float16. Sums are made in float32.
class Matrix {
public:
    Matrix(uint64_t address, uint64_t columns, uint64_t half)
        : address_(address), columns_(columns), half_(half != 0) {}

    float get(uint64_t row, uint64_t column) const {
        const uint64_t at = row * columns_ + column;
        return half_ ? rankunit_to_float(rankunit_pointer<const RankUnitFloat16>(address_)[at])
                     : rankunit_pointer<const float>(address_)[at];
    }

    void set(uint64_t row, uint64_t column, float value) {
        const uint64_t at = row * columns_ + column;
        if (half_) {
            rankunit_pointer<RankUnitFloat16>(address_)[at] = rankunit_to_float16(value);
        } else {
            rankunit_pointer<float>(address_)[at] = value;
        }
    }

private:
    uint64_t address_;
    uint64_t columns_;
    bool half_;
};

inline uint64_t bytes_of(uint64_t rows, uint64_t columns, uint64_t half) {
    return rows * columns * (half != 0 ? 2 : 4);
}

}  // namespace samples

#endif  // TENSOR_PARALLEL_H
