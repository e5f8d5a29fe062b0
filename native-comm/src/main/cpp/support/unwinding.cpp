#include "support/unwinding.h"

#include <dlfcn.h>
#include <unwind.h>

namespace rankunit {
namespace {

_Unwind_Reason_Code stop_at_once(_Unwind_Context *, void *) {
    return _URC_END_OF_STACK;
}

}  // namespace

void prepare_unwinding(void *library) {
    _Unwind_Backtrace(stop_at_once, nullptr);
    using Backtrace = _Unwind_Reason_Code (*)(_Unwind_Trace_Fn, void *);
    const auto theirs = reinterpret_cast<Backtrace>(dlsym(library, "_Unwind_Backtrace"));
    if (theirs != nullptr) theirs(stop_at_once, nullptr);
}

}  // namespace rankunit
