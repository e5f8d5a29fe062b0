#define RANKUNIT_SCAN avx2_scan
#include "compare/scan_loops.h"
