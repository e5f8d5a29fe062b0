// The vendor's functions as pointers, found at run time.
#ifndef RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_API_H
#define RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_API_H

#include "backends/ascend/vendor/vendor_functions.h"

namespace rankunit::ascend {

#define RANKUNIT_POINTER(name, result, parameters) result(*name) parameters = nullptr;

// libascendcl.so or libacl_rt.so. Optional ones are null where this CANN has none.
struct AclApi {
    RANKUNIT_ACL_REQUIRED(RANKUNIT_POINTER)
    RANKUNIT_ACL_OPTIONAL(RANKUNIT_POINTER)
};

// libhccl.so, and in CANN 9 libhcomm.so.
struct HcclApi {
    RANKUNIT_HCCL_REQUIRED(RANKUNIT_POINTER)
    RANKUNIT_HCCL_OPTIONAL(RANKUNIT_POINTER)
};

#undef RANKUNIT_POINTER

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_API_H
