#include "backends/ascend/stream/stream_copies.h"

#include <algorithm>
#include <string>

#include "backends/ascend/memory/copies.h"
#include "backends/ascend/memory/local_memory.h"
#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"

namespace rankunit::ascend {
namespace {

std::string bytes_text(const char *function, size_t bytes) {
    return std::string(function) + " of " + std::to_string(bytes) + " bytes";
}

// Calls `pass` for each piece that fits into the staging memory, by its offset and size.
template <typename Pass>
void each_piece(size_t bytes, Pass pass) {
    for (size_t done = 0; done < bytes; done += kMostStaged) pass(done, std::min(kMostStaged, bytes - done));
}

}  // namespace

PinnedMemory::PinnedMemory(size_t bytes, int device) {
    check_acl(acl().aclrtMallocHost(&memory_, bytes), bytes_text("aclrtMallocHost", bytes), device);
}

PinnedMemory::~PinnedMemory() {
    acl().aclrtFreeHost(memory_);
}

void StreamCopies::in(void *target, const PinnedMemory &source, size_t bytes) {
    if (is_local_memory(device_, target)) return copy(target, source.get(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
    each_piece(bytes, [&](size_t offset, size_t size) {
        copy(staging(), static_cast<const char *>(source.get()) + offset, size, ACL_MEMCPY_HOST_TO_DEVICE);
        across(static_cast<char *>(target) + offset, staging(), size);
    });
}

void StreamCopies::out(const PinnedMemory &target, const void *source, size_t bytes) {
    if (is_local_memory(device_, source)) return copy(target.get(), source, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    each_piece(bytes, [&](size_t offset, size_t size) {
        across(staging(), static_cast<const char *>(source) + offset, size);
        copy(static_cast<char *>(target.get()) + offset, staging(), size, ACL_MEMCPY_DEVICE_TO_HOST);
    });
}

void StreamCopies::across(void *target, const void *source, size_t bytes) {
    copy(target, source, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE);
}

void StreamCopies::zero(void *target, size_t bytes) {
    if (is_local_memory(device_, target)) return clear(target, bytes);
    clear(staging(), std::min(bytes, kMostStaged));
    each_piece(bytes,
               [&](size_t offset, size_t size) { across(static_cast<char *>(target) + offset, staging(), size); });
}

void StreamCopies::copy(void *target, const void *source, size_t bytes, aclrtMemcpyKind kind) const {
    check_acl(acl().aclrtMemcpyAsync(target, bytes, source, bytes, kind, stream_),
              bytes_text("aclrtMemcpyAsync", bytes), device_);
}

void StreamCopies::clear(void *memory, size_t bytes) const {
    check_acl(acl().aclrtMemsetAsync(memory, bytes, 0, bytes, stream_), bytes_text("aclrtMemsetAsync", bytes), device_);
}

char *StreamCopies::staging() {
    if (staging_ == nullptr) {
        check_acl(acl().aclrtMalloc(&staging_, kMostStaged, ACL_MEM_MALLOC_HUGE_FIRST),
                  bytes_text("aclrtMalloc", kMostStaged) + " to pass data through", device_);
    }
    return static_cast<char *>(staging_);
}

void StreamCopies::free_staging() noexcept {
    if (staging_ != nullptr) acl().aclrtFree(staging_);
    staging_ = nullptr;
}

}  // namespace rankunit::ascend
