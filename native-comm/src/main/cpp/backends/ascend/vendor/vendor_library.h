// The vendor's libraries, opened at run time. No CANN is needed to build, and one that is missing is an error with a
// text.
#ifndef RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_LIBRARY_H
#define RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_LIBRARY_H

#include <stdexcept>
#include <string>

#include "backends/ascend/vendor/vendor_api.h"

namespace rankunit::ascend {

// There is no CANN, or one that lacks what is needed. The text says what was looked for and what to do.
class VendorUnavailable : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Opened when first asked for, and never closed: the vendor's threads may outlive every use. Throw VendorUnavailable.
const AclApi &acl();
const HcclApi &hccl();

// "libascendcl.so 1.13.0 (<path>)"
std::string acl_version();

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_LIBRARY_H
