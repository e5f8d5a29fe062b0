// The ranks of one emulated communicator: what they share, found by way of the root info.
//
//     RANKUNIT_EMULATOR_CONNECT_TIMEOUT_MS   how long a rank waits for the others, 120000 if unset
//     HCCL_BUFFSIZE                          as the vendor has it: MiB of each of a rank's two buffers
#ifndef RANKUNIT_VENDOR_HCCL_HCCL_GROUP_H
#define RANKUNIT_VENDOR_HCCL_HCCL_GROUP_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vendor/call.h"
#include "vendor/shared_memory.h"

namespace rankunit::emulator {

enum HcclCode : int {
    kHcclOk = 0,
    kHcclParameter = 1,
    kHcclPointer = 2,
    kHcclMemory = 3,
    kHcclNotSupported = 5,
    kHcclNotFound = 6,
    kHcclTimeout = 9,
    kHcclRuntime = 15,
};

constexpr uint32_t kMaxGroup = 64;

// What a rank gives to an operation: pages that are there until the others have read them.
struct Turn {
    std::atomic<uint32_t> given;  // the number of the last operation
    std::atomic<uint32_t> taken;  // by this rank of all the others, or of a pair by the one that receives
    Token data;
};

struct GroupMember {
    std::atomic<uint32_t> joined;
    std::atomic<uint32_t> connected;
    std::atomic<uint32_t> barriers;  // begun on the device
    std::atomic<uint32_t> has_buffer;
    Token buffer;
    Turn turn;
};

struct GroupHeader {
    std::atomic<uint32_t> nranks;  // 0 until a rank has come
    std::atomic<uint32_t> joined;
    GroupMember members[kMaxGroup];
    Turn pairs[kMaxGroup][kMaxGroup];  // by sender and receiver
};

struct Comm {
    std::shared_ptr<GroupHeader> group;  // work on a stream may outlive the communicator
    uint32_t rank = 0;
    uint32_t nranks = 0;
    uint32_t barriers = 0;
    uint32_t operations = 0;
    uint32_t sent[kMaxGroup] = {};
    uint32_t received[kMaxGroup] = {};
    std::string name;
    char *own_buffer = nullptr;
    std::vector<void *> mappings;  // of buffers and of what describes them
    ~Comm();
};

// The pages of a group, mapped as long as this lives; null if there are none.
std::shared_ptr<GroupHeader> open_group(const Token &token);

// Waits for all members; false when that takes too long.
bool await_members(const std::function<bool()> &ready);

int hccl_call(const char *function, const std::string &arguments, bool enqueues, const std::function<int()> &body);

}  // namespace rankunit::emulator

#endif  // RANKUNIT_VENDOR_HCCL_HCCL_GROUP_H
