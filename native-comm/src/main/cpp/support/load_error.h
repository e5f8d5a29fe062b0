// Why the dynamic linker refused a library: in some cases its own words lead astray.
#ifndef RANKUNIT_SUPPORT_LOAD_ERROR_H
#define RANKUNIT_SUPPORT_LOAD_ERROR_H

#include <string>

namespace rankunit {

// To be asked for right after dlopen has failed. `path` is what dlopen was given. Of a library for another processor
// glibc says that there is no such file, and of a file system that is mounted noexec that a segment cannot be mapped.
std::string load_error(const std::string &path);

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_LOAD_ERROR_H
