#define RANKUNIT_SCAN baseline_scan
#include "compare/scan_loops.h"
