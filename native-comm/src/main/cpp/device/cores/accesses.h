// What code reads and writes through pointers, if it was compiled to tell it (rankunit/record_accesses.cpp).
#ifndef RANKUNIT_DEVICE_CORES_ACCESSES_H
#define RANKUNIT_DEVICE_CORES_ACCESSES_H

#include <cstddef>
#include <memory>

#include "record/record.h"

namespace rankunit::device {

// Asks the code of a library from dlopen for its accesses. Returns whether it tells them.
bool listen_to(void *library) noexcept;

// Notes the accesses of the code that runs on this thread, as long as it lives, on the stack of the thread.
// Neighbouring bytes that the same code accesses are one access, and so are pieces at equal distances. Nothing is noted
// while nothing is recorded, and only
// accesses to device memory and windows are recorded.
class NotedAccesses {
public:
    NotedAccesses() noexcept;
    NotedAccesses(const NotedAccesses &) = delete;
    NotedAccesses &operator=(const NotedAccesses &) = delete;
    ~NotedAccesses();

    // Records what this thread has noted so far, as it must before each event that makes an order with others. Not to
    // be called from within an access to device memory.
    static void record_here() noexcept;

private:
    class Notes;
    static void note_here(const void *address, size_t bytes, int kind, const void *code) noexcept;
    friend bool listen_to(void *library) noexcept;

    NotedAccesses *const before_;
    record::Log *const log_;
    std::unique_ptr<Notes> notes_;  // made at the first access
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_ACCESSES_H
