// Included before a source that is to tell its accesses (record_accesses.cpp). The C++ library calls memcpy and its
// relatives by names such as __builtin_memcpy, for which the compiler may put loads and stores of its own that tell
// nothing. Here these names are calls, except where constants are evaluated. GCC 8 cannot tell the difference, so that
// with it such accesses are missed.
#ifndef RANKUNIT_RECORD_BUILTINS_H
#define RANKUNIT_RECORD_BUILTINS_H

#if defined(__cplusplus) && (defined(__clang__) || __GNUC__ >= 9)

#include <string.h>

// A macro, so that the call has the line of the code that it is in. A name is not replaced within its own macro.
#define RANKUNIT_CALLED(name, ...) \
    (__builtin_is_constant_evaluated() ? __builtin_##name(__VA_ARGS__) : ::name(__VA_ARGS__))

#define __builtin_memcpy(...) RANKUNIT_CALLED(memcpy, __VA_ARGS__)
#define __builtin_memmove(...) RANKUNIT_CALLED(memmove, __VA_ARGS__)
#define __builtin_memset(...) RANKUNIT_CALLED(memset, __VA_ARGS__)
#define __builtin_memcmp(...) RANKUNIT_CALLED(memcmp, __VA_ARGS__)
#define __builtin_strlen(...) RANKUNIT_CALLED(strlen, __VA_ARGS__)
#define __builtin_strcmp(...) RANKUNIT_CALLED(strcmp, __VA_ARGS__)
#define __builtin_strncmp(...) RANKUNIT_CALLED(strncmp, __VA_ARGS__)
#define __builtin_strcpy(...) RANKUNIT_CALLED(strcpy, __VA_ARGS__)
#define __builtin_strncpy(...) RANKUNIT_CALLED(strncpy, __VA_ARGS__)

#endif

#endif  // RANKUNIT_RECORD_BUILTINS_H
