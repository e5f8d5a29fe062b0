#include "backends/ascend/memory/copies.h"

#include <algorithm>
#include <string>

#include "backends/ascend/memory/local_memory.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"

namespace rankunit::ascend {
namespace {

std::string bytes_text(const char *function, size_t bytes) {
    return std::string(function) + " of " + std::to_string(bytes) + " bytes";
}

void clear(void *memory, size_t bytes, int device) {
    check_acl(acl().aclrtMemset(memory, bytes, 0, bytes), bytes_text("aclrtMemset", bytes), device);
}

// Memory of this device through which what another device has goes piece by piece.
class Staging {
public:
    Staging(size_t bytes, int device) : bytes_(std::min(bytes, kMostStaged)) {
        check_acl(acl().aclrtMalloc(&memory_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST),
                  bytes_text("aclrtMalloc", bytes_) + " to pass data through", device);
    }
    Staging(const Staging &) = delete;
    Staging &operator=(const Staging &) = delete;
    ~Staging() { acl().aclrtFree(memory_); }

    void *memory() const { return memory_; }

    // Calls `pass` for each piece, by its offset and size.
    template <typename Pass>
    void each(size_t bytes, Pass pass) const {
        for (size_t done = 0; done < bytes; done += bytes_) pass(done, std::min(bytes_, bytes - done));
    }

private:
    const size_t bytes_;
    void *memory_ = nullptr;
};

}  // namespace

void Copies::in(void *target, const void *source, size_t bytes) const {
    if (is_local_memory(device_, target)) return now(target, source, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    const Staging staging(bytes, device_);
    staging.each(bytes, [&](size_t offset, size_t size) {
        now(staging.memory(), static_cast<const char *>(source) + offset, size, ACL_MEMCPY_HOST_TO_DEVICE);
        between_devices(static_cast<char *>(target) + offset, staging.memory(), size);
    });
}

void Copies::out(void *target, const void *source, size_t bytes) const {
    if (is_local_memory(device_, source)) return now(target, source, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    const Staging staging(bytes, device_);
    staging.each(bytes, [&](size_t offset, size_t size) {
        between_devices(staging.memory(), static_cast<const char *>(source) + offset, size);
        now(static_cast<char *>(target) + offset, staging.memory(), size, ACL_MEMCPY_DEVICE_TO_HOST);
    });
}

void Copies::across(void *target, const void *source, size_t bytes) const {
    if (is_local_memory(device_, target) && is_local_memory(device_, source)) {
        return now(target, source, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE);
    }
    between_devices(target, source, bytes);
}

void Copies::zero(void *target, size_t bytes) const {
    if (is_local_memory(device_, target)) return clear(target, bytes, device_);
    const Staging staging(bytes, device_);
    clear(staging.memory(), std::min(bytes, kMostStaged), device_);
    staging.each(bytes, [&](size_t offset, size_t size) {
        between_devices(static_cast<char *>(target) + offset, staging.memory(), size);
    });
}

void Copies::now(void *target, const void *source, size_t bytes, aclrtMemcpyKind kind) const {
    check_acl(acl().aclrtMemcpy(target, bytes, source, bytes, kind), bytes_text("aclrtMemcpy", bytes), device_);
}

void Copies::between_devices(void *target, const void *source, size_t bytes) const {
    check_acl(acl().aclrtMemcpyAsync(target, bytes, source, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream_),
              bytes_text("aclrtMemcpyAsync between devices", bytes), device_);
    synchronize_();
}

}  // namespace rankunit::ascend
