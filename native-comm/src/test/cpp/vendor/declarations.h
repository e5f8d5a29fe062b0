// The emulated functions, declared from the same lists that the backend calls by, so that the two cannot differ.
#ifndef RANKUNIT_VENDOR_DECLARATIONS_H
#define RANKUNIT_VENDOR_DECLARATIONS_H

#include "backends/ascend/vendor/vendor_functions.h"
#include "vendor/call.h"

#define RANKUNIT_DECLARATION(name, result, parameters) RANKUNIT_VENDOR result name parameters;

RANKUNIT_ACL_REQUIRED(RANKUNIT_DECLARATION)
RANKUNIT_ACL_OPTIONAL(RANKUNIT_DECLARATION)
RANKUNIT_HCCL_REQUIRED(RANKUNIT_DECLARATION)
RANKUNIT_HCCL_OPTIONAL(RANKUNIT_DECLARATION)

#undef RANKUNIT_DECLARATION

#endif  // RANKUNIT_VENDOR_DECLARATIONS_H
