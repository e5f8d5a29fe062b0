#include "coll/reduce/reduce.h"

namespace rankunit::coll {

Combine best_reduction(CollType type, CollReduction reduction) {
#ifdef __x86_64__
    // Every processor with AVX2 converts float16 (F16C), for which older compilers have no name here.
    if (__builtin_cpu_supports("avx2")) return avx2_reduction(type, reduction);
#endif
    return baseline_reduction(type, reduction);
}

}  // namespace rankunit::coll
