#define RANKUNIT_REDUCTION baseline_reduction
#include "coll/reduce/reduce_loops.h"
