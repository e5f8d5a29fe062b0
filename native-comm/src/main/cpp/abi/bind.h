// The library that Java calls: it loads a backend by its path and passes the calls on. So Java needs only one mapping
// for all backends, ours and third-party ones, and missing functions are detected in one place.
//
// A library is never closed: threads of a vendor's library may still be running. The functions of functions.def have
// the prefix bind_ here, since a backend in the same process exports them without it. Their handles identify the
// library, since an additional argument would make calls from Java slower. A function that the library lacks returns
// COMM_NOT_SUPPORTED or DEVICE_NOT_SUPPORTED; a status that is not from our ABI becomes BIND_UNKNOWN_STATUS.
#ifndef RANKUNIT_ABI_BIND_H
#define RANKUNIT_ABI_BIND_H

#include <cstddef>
#include <cstdint>

#include "rankunit/coll.h"
#include "rankunit/comm.h"
#include "rankunit/device.h"
#include "rankunit/graph.h"
#include "rankunit/stream.h"

namespace rankunit::abi {

struct LoadedLibrary;
struct BoundComm;
struct BoundDevice;

using Library = LoadedLibrary *;
using Comm = BoundComm *;
using Device = BoundDevice *;
// A text that Java passes as bytes with a 0 behind them, since JNA's conversion of strings takes too long.
using Text = const char *;

constexpr int BIND_UNKNOWN_STATUS = -1;

// The kinds of library. OPTIONAL marks functions that no kind of library must export.
enum LibraryKind { OPTIONAL = 0, LIBRARY_COMM = 1, LIBRARY_DEVICE = 2 };

// The forms of comm_init in existing libraries; they have the same symbol.
enum CommInitForm {
    COMM_INIT_BY_LIBRARY = 0,  // the form that the library's comm_init_form returns, else COMM_INIT_STREAM
    COMM_INIT_STREAM = 1,      // (rank, nranks, stream, rootinfo_path)
    COMM_INIT_DEVICE = 2,      // (rank, nranks, device_id, rootinfo_path)
    COMM_INIT_PLAIN = 3,       // (rank, nranks, rootinfo_path)
};

extern "C" {

// `kinds` is a sum of LibraryKind values. Returns NULL on failure; bind_open_error then has the text.
RANKUNIT_EXPORT Library bind_open(const char *path, int kinds, int comm_init_form);
RANKUNIT_EXPORT const char *bind_open_error();

// Whether the library exports a function.
RANKUNIT_EXPORT int bind_has(Library library, const char *function);

// Sets the place of this Java thread as device_record_place does, if the frames of its stack are known; returns
// BIND_UNKNOWN_STATUS if they are not. The frames begin with the caller of the Java method that calls this.
RANKUNIT_EXPORT int bind_record_known_place(Device device);
// From now on, all stacks that begin with the same `frames` frames as that of this thread have this place, or none if
// it is NULL. The same Java method must call this. None are learned if `frames` is 0.
RANKUNIT_EXPORT void bind_learn_place(int frames, Text place);

#define FUNCTION(result, name, needed_by, parameters, arguments) RANKUNIT_EXPORT result bind_##name parameters;
#define WRAPPED(result, name, needed_by, parameters) RANKUNIT_EXPORT result bind_##name parameters;
#include "abi/functions.def"

}  // extern "C"

}  // namespace rankunit::abi

#endif  // RANKUNIT_ABI_BIND_H
