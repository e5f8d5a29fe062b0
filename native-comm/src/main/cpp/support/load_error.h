// Explains why the dynamic linker rejected a library, since its own message is sometimes misleading.
#ifndef RANKUNIT_SUPPORT_LOAD_ERROR_H
#define RANKUNIT_SUPPORT_LOAD_ERROR_H

#include <string>

namespace rankunit {

// Call this right after dlopen has failed, with the same `path`. For a library for another processor, glibc reports
// that there is no such file, and for a file system mounted noexec, that a segment cannot be mapped.
std::string load_error(const std::string &path);

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_LOAD_ERROR_H
