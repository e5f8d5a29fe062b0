// The one call that Java makes by JNI and not by JNA: a copy of 64 KiB takes little longer than JNA's own way to it.
// The names and types are those by which the JVM finds it; it looks at neither of the first two arguments.
#include "bind/bind.h"

extern "C" RANKUNIT_EXPORT int32_t Java_org_rankunit_comm_jna_HotCalls_copy(void * /*environment*/, void * /*type*/,
                                                                            int64_t device, int64_t target,
                                                                            int64_t source, int64_t size) {
    return bind_device_copy(reinterpret_cast<BoundDevice>(device), static_cast<uint64_t>(target),
                            static_cast<uint64_t>(source), static_cast<size_t>(size));
}
