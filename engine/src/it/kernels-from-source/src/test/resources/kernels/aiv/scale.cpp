// Multiplies each of `count` numbers by a factor. Arguments: numbers, count, factor.
#include "../scale.h"

#include <rankunit/kernel.h>

#if !defined(RANKUNIT_CORE_AIV) || !defined(RANKUNIT_PLATFORM_A2A3SIM)
#error "a kernel knows for what it is compiled"
#endif

RANKUNIT_KERNEL int scale(const uint64_t *args, int nargs) {
    if (nargs != 3) return 1;
    float *numbers = rankunit_pointer<float>(args[0]);
    for (uint64_t i = 0; i < args[1]; i++) numbers[i] = scaled(numbers[i], args[2]);
    return 0;
}
