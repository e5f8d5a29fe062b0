// Where there is no CANN, or one that lacks what is needed.
#include <unistd.h>

#include "ascend/ascend_support.h"

using namespace rankunit::test;

namespace {

std::string failure() {
    DeviceHandle none = nullptr;
    CHECK_EQUAL(device_open(0, &none), DEVICE_SYSTEM);
    return device_last_error();
}

}  // namespace

TEST(a_missing_toolkit_is_named_with_what_was_tried_and_what_to_do) {
    if (vendor() != "vendor-none") return;
    in_process([] {
        const Setting home("ASCEND_HOME_PATH", "/opt/nowhere");
        const std::string text = failure();
        CHECK_CONTAINS(text, "libascendcl.so of CANN, the vendor's toolkit, cannot be opened");
        CHECK_CONTAINS(text, "/opt/nowhere/lib64/libascendcl.so: cannot open shared object file");
        CHECK_CONTAINS(text, "set_env.sh");
        CHECK_CONTAINS(text, "LD_LIBRARY_PATH");
    });
}

TEST(a_toolkit_is_found_by_its_own_variable_too) {
    if (vendor() != "vendor-none") return;
    const TempFolder folder;
    const std::string link = folder.file("lib64");
    CHECK_EQUAL(symlink(TEST_VENDOR_9, link.c_str()), 0);
    in_process([&] {
        // one that was not there at first is looked for again
        failure();
        const Setting home("ASCEND_HOME_PATH", folder.file("."));
        const OpenDevice device;
    });
    unlink(link.c_str());
}

TEST(missing_functions_are_named_with_the_library_and_its_version) {
    if (vendor() != "vendor-broken") return;
    in_process([] {
        const std::string text = failure();
        CHECK_CONTAINS(text, "vendor-broken/libascendcl.so lacks aclrtCreateStream, aclrtMemset");
        CHECK_CONTAINS(text, "it says to be ACL 1.17.0");
        CHECK_CONTAINS(text, "CANN 8.1 or later");
    });
}
