// What the vendor's error codes mean, and what to do about them.
#ifndef RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_ERROR_H
#define RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_ERROR_H

#include <string>

#include "support/failure.h"

namespace rankunit::ascend {

struct ErrorMeaning {
    int code;
    const char *name;
    const char *meaning;
    const char *hint;      // empty if there is nothing to do beyond the obvious
    bool fallout = false;  // says that something has failed before, not what
};

// Null if the code is not known.
const ErrorMeaning *acl_meaning(int code);
const ErrorMeaning *hccl_meaning(int code);

// A call of the vendor's that has failed. code() is the runtime's, as it is in both ABIs, or COMM_VENDOR for HCCL's,
// whose numbers would be taken for others.
class VendorError : public Failure {
public:
    VendorError(int code, int vendor_code, const std::string &text) : Failure(code, text), vendor_code_(vendor_code) {}
    int vendor_code() const { return vendor_code_; }

private:
    int vendor_code_;
};

// Throw a VendorError if `code` is not 0. `call` is the function with what matters of its arguments.
void check_acl(int code, const std::string &call, int device);
void check_hccl(int code, const std::string &call, int device);

// The first failure on a device is kept, so that what follows from it can name it; until the device is opened anew.
void forget_failures(int device);

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_ERROR_H
