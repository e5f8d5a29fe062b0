#include "compare/measure.h"

namespace rankunit::compare {

const Scan &best_scan() {
#ifdef __x86_64__
    // Every processor with AVX2 converts float16 (F16C), for which older compilers have no name here.
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? avx2_scan : baseline_scan;
#else
    return baseline_scan;
#endif
}

}  // namespace rankunit::compare
