// What rankunit_tasks.cpp runs.
#include "kernels/aiv/do_nothing.cpp"
#include "kernels/orchestration/empty_tasks.cpp"
