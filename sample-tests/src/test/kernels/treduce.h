// What the host, the kernels and the orchestration functions of TREDUCE agree on.
#ifndef TREDUCE_H
#define TREDUCE_H

#include <stdint.h>

namespace samples {

constexpr uint64_t COUNT = 256;  // elements of input and output, float32
constexpr uint64_t BYTES = COUNT * sizeof(float);

// The arguments of the kernel, of its orchestration functions, and of the test.
enum Argument { INPUT, OUTPUT, NRANKS, ROOT, CONTEXT, ARGUMENTS };

}  // namespace samples

#endif  // TREDUCE_H
