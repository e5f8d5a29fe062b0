#define RANKUNIT_REDUCTION avx2_reduction
#include "coll/reduce/reduce_loops.h"
