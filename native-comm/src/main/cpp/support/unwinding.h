// Exceptions that pass through functions of another library.
#ifndef RANKUNIT_SUPPORT_UNWINDING_H
#define RANKUNIT_SUPPORT_UNWINDING_H

namespace rankunit {

// Call this before an exception may pass between this library and `library`, which is a handle of dlopen. This library
// contains an unwinder of its own, and the other one usually has that of libgcc_s. Each of the two is then used on what
// the other one has begun, which works only if both have been initialized; they do that when they begin something
// themselves. Without that, the process is aborted at the first destructor that has to be run. Thread-safe.
void prepare_unwinding(void *library);

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_UNWINDING_H
