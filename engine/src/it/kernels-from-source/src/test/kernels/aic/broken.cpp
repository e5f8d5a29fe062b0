#include <rankunit/kernel.h>

RANKUNIT_KERNEL int broken(const uint64_t *args, int nargs) {
    return args[0] + missing;
}
