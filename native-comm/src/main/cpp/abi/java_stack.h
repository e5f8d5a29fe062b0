// The frames of the Java thread that calls, many times faster than StackWalker, which makes several objects for each.
#ifndef RANKUNIT_ABI_JAVA_STACK_H
#define RANKUNIT_ABI_JAVA_STACK_H

#include <cstddef>
#include <cstdint>

namespace rankunit::abi {

// jvmtiFrameInfo of jvmti.h, which is not needed to build RankUnit.
struct JavaFrame {
    const void *method;
    int64_t instruction;
};

// Stores at most `most` frames from number `from` on, of which 0 is the native method itself; returns how many. There
// are none if this process has no JVM, or if its JVM does not tell.
size_t java_stack(size_t from, JavaFrame *frames_out, size_t most) noexcept;

}  // namespace rankunit::abi

#endif  // RANKUNIT_ABI_JAVA_STACK_H
