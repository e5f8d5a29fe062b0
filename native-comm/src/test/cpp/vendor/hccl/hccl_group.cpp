#include "vendor/hccl/hccl_group.h"

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "vendor/acl/acl_memory.h"
#include "vendor/machine.h"

namespace rankunit::emulator {

Comm::~Comm() {
    for (void *mapping : mappings) free_allocation(mapping);
}

std::shared_ptr<GroupHeader> open_group(const Token &token) {
    const std::unique_ptr<SharedMemory> memory = SharedMemory::open(token);
    if (memory == nullptr) return nullptr;
    const size_t bytes = memory->bytes();
    auto *header = static_cast<GroupHeader *>(memory->map(nullptr, true, bytes));
    return std::shared_ptr<GroupHeader>(header, [bytes](GroupHeader *mapped) { munmap(mapped, bytes); });
}

bool await_members(const std::function<bool()> &ready) {
    const std::chrono::milliseconds limit(std::atoll(environment("RANKUNIT_EMULATOR_CONNECT_TIMEOUT_MS", "120000")));
    const auto start = std::chrono::steady_clock::now();
    while (!ready()) {
        if (std::chrono::steady_clock::now() - start > limit) return false;
        usleep(200);
    }
    return true;
}

int hccl_call(const char *function, const std::string &arguments, bool enqueues, const std::function<int()> &body) {
    return traced(CallSite{function, arguments, current_device(), enqueues}, body);
}

}  // namespace rankunit::emulator
