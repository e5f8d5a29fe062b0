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

bool ReservedPages::empty() noexcept {
    return mmap(base_, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != MAP_FAILED;
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

namespace {

// Each may be a mapping of its own, of which a process has 65,530.
constexpr size_t kMostRetired = 1024;
constexpr size_t kMostRetiredBytes = size_t{64} << 30;

}  // namespace

void RetiredPages::add(ReservedPages pages) noexcept {
    if (!pages.empty()) return;
    try {
        pages_.push_back(std::move(pages));
    } catch (const std::bad_alloc &) {
        return;
    }
    bytes_ += pages_.back().bytes();
    while (pages_.size() > kMostRetired || bytes_ > kMostRetiredBytes) {
        bytes_ -= pages_.front().bytes();
        pages_.pop_front();
    }
}

void RetiredPages::release_all() noexcept {
    pages_.clear();
    bytes_ = 0;
}

}  // namespace rankunit::device
