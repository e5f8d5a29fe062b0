// Which addresses are memory of a device of this process, and not a view of a peer's.
#ifndef RANKUNIT_BACKENDS_ASCEND_MEMORY_LOCAL_MEMORY_H
#define RANKUNIT_BACKENDS_ASCEND_MEMORY_LOCAL_MEMORY_H

#include <cstddef>

namespace rankunit::ascend {

// Safe for threads.
void add_local_memory(int device, const void *start, size_t bytes);
void remove_local_memory(const void *start);

// False for a peer's window, for memory of another device of this process, and for memory whose origin is not known.
bool is_local_memory(int device, const void *address);

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_MEMORY_LOCAL_MEMORY_H
