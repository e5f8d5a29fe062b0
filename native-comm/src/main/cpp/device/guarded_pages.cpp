#include "device/guarded_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::device {

size_t page_bytes() {
    static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

ReservedPages::ReservedPages(size_t bytes) : bytes_(bytes) {
    void *base = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<char *>(base);
}

ReservedPages::ReservedPages(ReservedPages &&other) noexcept
    : base_(std::exchange(other.base_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

ReservedPages &ReservedPages::operator=(ReservedPages &&other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

ReservedPages::~ReservedPages() {
    if (base_ != nullptr) munmap(base_, bytes_);
}

namespace {

// More than half of the address space can never be reserved, and sums with such sizes could overflow.
size_t whole_pages(size_t bytes) {
    if (bytes > SIZE_MAX / 2) throw std::bad_alloc();
    return round_up(bytes, page_bytes());
}

}  // namespace

GuardedMemory::GuardedMemory(size_t bytes, size_t alignment)
    : pages_(whole_pages(bytes) + 2 * page_bytes()), accessible_(whole_pages(bytes)) {
    char *start = pages_.base() + page_bytes();
    if (mprotect(start, accessible_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    base_ = start + accessible_ - round_up(bytes, alignment);
}

void GuardedMemory::make_read_only() {
    if (mprotect(pages_.base() + page_bytes(), accessible_, PROT_READ) != 0) {
        throw Failure(COMM_SYSTEM, system_text("mprotect"));
    }
}

}  // namespace rankunit::device
