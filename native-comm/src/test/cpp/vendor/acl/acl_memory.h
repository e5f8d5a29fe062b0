#ifndef RANKUNIT_VENDOR_ACL_ACL_MEMORY_H
#define RANKUNIT_VENDOR_ACL_ACL_MEMORY_H

#include <memory>

#include "vendor/shared_memory.h"

namespace rankunit::emulator {

// The memory that starts at this address, null if none does.
SharedMemory *allocation_at(void *address);

// Maps and keeps it; null if it cannot be mapped.
RANKUNIT_EMULATOR_INTERNAL void *map_allocation(std::unique_ptr<SharedMemory> memory);

RANKUNIT_EMULATOR_INTERNAL int free_allocation(void *address);

// Whether this process may reach memory of that device: its own, or that of a peer to which access was enabled.
bool reaches(int driver_device);

}  // namespace rankunit::emulator

#endif  // RANKUNIT_VENDOR_ACL_ACL_MEMORY_H
