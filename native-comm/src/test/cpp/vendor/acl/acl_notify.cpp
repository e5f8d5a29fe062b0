// Notifies, a flag that other processes reach by a key; since 9.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>

#include "vendor/acl/acl_memory.h"
#include "vendor/declarations.h"
#include "vendor/machine.h"
#include "vendor/shared_memory.h"
#include "vendor/stream.h"

using namespace rankunit::emulator;

namespace {

constexpr size_t kPage = 4096;
constexpr uint64_t kNoFlags = 0;

// The flag, in memory that importers map too. Work on streams refers to it.
class Flag {
public:
    explicit Flag(std::unique_ptr<SharedMemory> memory)
        : memory_(std::move(memory)), value_(memory_->map(nullptr, true, kPage)) {}
    Flag(const Flag &) = delete;
    Flag &operator=(const Flag &) = delete;
    ~Flag() { munmap(value_, kPage); }

    SharedMemory &memory() const { return *memory_; }
    std::atomic<uint32_t> &value() const { return *static_cast<std::atomic<uint32_t> *>(value_); }

private:
    const std::unique_ptr<SharedMemory> memory_;
    void *const value_;
};

struct Notify {
    Context *context;
    std::shared_ptr<Flag> flag;
};

using Lock = std::lock_guard<std::recursive_mutex>;

// The notify if it is one of the current context; otherwise null, and the code of the refusal.
const Notify *checked_notify(aclrtNotify notify, int *refusal) {
    const Lock lock(machine_mutex());
    const Context *context = current_context();
    *refusal = kOk;
    if (context->device->notifies.count(notify) != 0) {
        const auto *checked = static_cast<const Notify *>(notify);
        if (checked->context == context) return checked;
    }
    *refusal = kStreamContext;
    return nullptr;
}

int add(std::unique_ptr<SharedMemory> memory, aclrtNotify *notify) {
    const Lock lock(machine_mutex());
    auto *made = new Notify{current_context(), std::make_shared<Flag>(std::move(memory))};
    made->context->device->notifies.insert(made);
    *notify = made;
    return kOk;
}

bool take(std::atomic<uint32_t> &flag) {
    uint32_t set = 1;
    return flag.compare_exchange_strong(set, 0);
}

int wait_for(const Flag &flag, uint32_t timeout_s, const std::atomic<bool> &stop) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(timeout_s);
    while (!take(flag.value())) {
        if (stop) return kOk;
        if (timeout_s != 0 && std::chrono::steady_clock::now() >= end) return kTaskTimeout;
        usleep(200);
    }
    return kOk;
}

}  // namespace

aclError aclrtCreateNotify(aclrtNotify *notify, uint64_t flags) {
    return acl_call("aclrtCreateNotify", text(flags), kContext, [&] {
        if (flags != ACL_NOTIFY_DEFAULT) return int{kParameter};
        std::unique_ptr<SharedMemory> memory = SharedMemory::create(kPage, driver_id_of(current_device()), false);
        if (memory == nullptr) return int{kMemoryAllocation};
        return add(std::move(memory), notify);
    });
}

aclError aclrtDestroyNotify(aclrtNotify notify) {
    return acl_call("aclrtDestroyNotify", "", kContextOnly, [&] {
        const Lock lock(machine_mutex());
        int refusal = kOk;
        const Notify *checked = checked_notify(notify, &refusal);
        if (checked == nullptr) return refusal;
        if (checked->flag.use_count() > 1) write_trace("DESTROYED a notify that a stream uses");
        if (!checked->flag->memory().imported()) checked->flag->memory().admission().exported = 0;
        checked->context->device->notifies.erase(checked);
        delete checked;
        return int{kOk};
    });
}

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) {
    return acl_call("aclrtRecordNotify", "", kContext | kEnqueues, [&] {
        const Lock lock(machine_mutex());
        int refusal = kOk;
        Stream *on = checked_stream(stream, &refusal);
        const Notify *checked = on == nullptr ? nullptr : checked_notify(notify, &refusal);
        if (checked == nullptr) return refusal;
        enqueue_on(on, "aclrtRecordNotify", [flag = checked->flag](const std::atomic<bool> &) {
            flag->value() = 1;
            return int{kOk};
        });
        return int{kOk};
    });
}

// By its creator alone. 0 s is forever.
aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout_s) {
    return acl_call("aclrtWaitAndResetNotify", text(timeout_s), kContext | kEnqueues, [&] {
        const Lock lock(machine_mutex());
        int refusal = kOk;
        Stream *on = checked_stream(stream, &refusal);
        const Notify *checked = on == nullptr ? nullptr : checked_notify(notify, &refusal);
        if (checked == nullptr) return refusal;
        if (checked->flag->memory().imported()) return int{kParameter};
        enqueue_on(on, "aclrtWaitAndResetNotify", [flag = checked->flag, timeout_s](const std::atomic<bool> &stop) {
            return wait_for(*flag, timeout_s, stop);
        });
        return int{kOk};
    });
}

aclError aclrtNotifyGetExportKey(aclrtNotify notify, char *key, size_t key_size, uint64_t flags) {
    return acl_call("aclrtNotifyGetExportKey", text(key_size, flags), kContext, [&] {
        const Lock lock(machine_mutex());
        int refusal = kOk;
        const Notify *checked = checked_notify(notify, &refusal);
        if (checked == nullptr) return refusal;
        SharedMemory &memory = checked->flag->memory();
        const bool known = flags == kNoFlags || flags == ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION;
        if (memory.imported() || key_size < ACL_RT_NOTIFY_KEY_BYTES || !known) return int{kParameter};
        memory.admission().validates = flags == kNoFlags;
        memory.admission().exported = 1;
        const Token token = memory.token();
        std::snprintf(key, key_size, "notify:%d:%d:%u", token.pid, token.fd, token.random);
        return int{kOk};
    });
}

aclError aclrtNotifyImportByKey(aclrtNotify *notify, const char *key, uint64_t flags) {
    return acl_call("aclrtNotifyImportByKey", text(key, flags), kContext, [&] {
        Token token{};
        if (std::sscanf(key, "notify:%d:%d:%u", &token.pid, &token.fd, &token.random) != 3) return int{kParameter};
        std::unique_ptr<SharedMemory> memory = SharedMemory::open(token);
        if (memory == nullptr || memory->admission().exported == 0) return int{kDriverInternal};
        if (!memory->admits(getpid())) return int{kNoPermission};
        const bool reachable = flags == ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS;
        if (!reachable && !reaches(memory->admission().device)) return int{kDriverInternal};
        return add(std::move(memory), notify);
    });
}
