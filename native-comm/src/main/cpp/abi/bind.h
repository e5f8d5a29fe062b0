// What Java calls: one library that loads a backend by its path and passes the calls on. So Java has one mapping for
// all backends, ours and other people's, and what a library lacks is found out in one place.
//
// A library is never closed: threads of a vendor's library may still run. The functions of functions.def are here with
// the prefix bind_, as a backend in the same process exports them without it, and with handles that know their library,
// as each argument makes a call of Java's longer. A function that the library lacks gives COMM_NOT_SUPPORTED or
// DEVICE_NOT_SUPPORTED; a number that is not of our ABI BIND_UNKNOWN_STATUS.
#ifndef RANKUNIT_ABI_BIND_H
#define RANKUNIT_ABI_BIND_H

#include <cstddef>
#include <cstdint>

#include "rankunit/comm.h"
#include "rankunit/device.h"

namespace rankunit::abi {

struct LoadedLibrary;
struct BoundComm;
struct BoundDevice;

using Library = LoadedLibrary *;
using Comm = BoundComm *;
using Device = BoundDevice *;

constexpr int BIND_UNKNOWN_STATUS = -1;

// What a library must export; OPTIONAL is for what none of them must.
enum LibraryKind { OPTIONAL = 0, LIBRARY_COMM = 1, LIBRARY_DEVICE = 2 };

// The forms of comm_init in the field; no symbol tells them apart.
enum CommInitForm {
    COMM_INIT_BY_LIBRARY = 0,  // what the library's comm_init_form says, and without that COMM_INIT_STREAM
    COMM_INIT_STREAM = 1,      // (rank, nranks, stream, rootinfo_path)
    COMM_INIT_DEVICE = 2,      // (rank, nranks, device_id, rootinfo_path)
    COMM_INIT_PLAIN = 3,       // (rank, nranks, rootinfo_path)
};

extern "C" {

// `kinds` is a sum of LibraryKind. NULL on failure; then bind_open_error has the text.
RANKUNIT_EXPORT Library bind_open(const char *path, int kinds, int comm_init_form);
RANKUNIT_EXPORT const char *bind_open_error();

// Whether the library exports a function.
RANKUNIT_EXPORT int bind_has(Library library, const char *function);

#define FUNCTION(result, name, needed_by, parameters, arguments) RANKUNIT_EXPORT result bind_##name parameters;
#define WRAPPED(result, name, needed_by, parameters) RANKUNIT_EXPORT result bind_##name parameters;
#include "abi/functions.def"

}  // extern "C"

}  // namespace rankunit::abi

#endif  // RANKUNIT_ABI_BIND_H
