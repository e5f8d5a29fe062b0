// Memory of the emulated devices: pages that another process of the machine can be let in to, as on the real machine.
//
// Behind the pages lies one that says who may come in. Another process finds them through the owner's descriptor, and
// is sure of them by a random number in the name.
#ifndef RANKUNIT_VENDOR_SHARED_MEMORY_H
#define RANKUNIT_VENDOR_SHARED_MEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "vendor/call.h"

namespace rankunit::emulator {

// What leads to memory of another process.
struct Token {
    int32_t pid;
    int32_t fd;
    uint32_t random;
};

constexpr size_t kMaxAdmitted = 64;

// The page behind the memory.
struct Admission {
    int32_t device;                  // driver-visible id
    std::atomic<int32_t> validates;  // whether only admitted processes may import
    std::atomic<int32_t> exported;   // 0 once the owner has closed it
    std::atomic<int32_t> importers;  // mappings or handles in other processes
    std::atomic<int32_t> admitted[kMaxAdmitted];
};

class RANKUNIT_EMULATOR_INTERNAL SharedMemory {
public:
    // New pages, filled with 0xA5, since nobody may count on zeros; null if there are none.
    static std::unique_ptr<SharedMemory> create(size_t bytes, int driver_device, bool fill = true);
    // Pages of another process, null if there are none.
    static std::unique_ptr<SharedMemory> open(const Token &token);

    SharedMemory(const SharedMemory &) = delete;
    SharedMemory &operator=(const SharedMemory &) = delete;
    ~SharedMemory();

    size_t bytes() const { return bytes_; }
    Token token() const { return token_; }
    bool imported() const { return imported_; }
    Admission &admission() const { return *admission_; }
    void admit(const int32_t *pids, size_t count) const;
    bool admits(int32_t pid) const;

    // At `place` if it is not null; null on failure.
    void *map(void *place, bool accessible, size_t bytes, size_t offset = 0) const;

private:
    SharedMemory(int fd, size_t bytes, const Token &token, bool imported);

    int fd_;
    size_t bytes_;
    Token token_;
    bool imported_;
    Admission *admission_;
};

// std::memset for device memory.
RANKUNIT_EMULATOR_INTERNAL void set_bytes(void *start, int value, size_t bytes);

// Addresses that are device memory in this process: of which device, by the driver's id.
RANKUNIT_EMULATOR_INTERNAL void add_range(void *start, size_t bytes, int driver_device);
RANKUNIT_EMULATOR_INTERNAL void remove_range(void *start);
// -1 if it is not, or not all of it.
RANKUNIT_EMULATOR_INTERNAL int device_of_range(const void *start, size_t bytes);

}  // namespace rankunit::emulator

#endif  // RANKUNIT_VENDOR_SHARED_MEMORY_H
