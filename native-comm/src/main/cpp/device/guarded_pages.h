// Memory between inaccessible guard pages.
#ifndef RANKUNIT_DEVICE_GUARDED_PAGES_H
#define RANKUNIT_DEVICE_GUARDED_PAGES_H

#include <cstddef>
#include <deque>
#include <utility>

namespace rankunit::device {

size_t page_bytes();

// `bytes` rounded up to a multiple of `unit`.
constexpr size_t round_up(size_t bytes, size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

// Reserved addresses, inaccessible until something is mapped over a part of them. The destructor releases the
// reservation with everything mapped in it.
class ReservedPages {
public:
    ReservedPages() = default;
    // Throws std::bad_alloc if there is no room.
    explicit ReservedPages(size_t bytes);
    ReservedPages(ReservedPages &&other) noexcept;
    ReservedPages &operator=(ReservedPages &&other) noexcept;
    ~ReservedPages();

    char *base() const { return base_; }
    size_t bytes() const { return bytes_; }
    // Gives up what is mapped in it; the addresses stay reserved. Returns whether that was possible.
    bool empty() noexcept;

private:
    char *base_ = nullptr;
    size_t bytes_ = 0;
};

// Private memory of this process, zero-filled, with a guard page on each side. It ends less than `alignment` bytes
// before the guard page after it, so that an overrun faults where it happens.
class GuardedMemory {
public:
    // `alignment` divides the size of a page. Throws std::bad_alloc if there is no room.
    GuardedMemory(size_t bytes, size_t alignment);

    void *base() const { return base_; }
    size_t bytes() const { return accessible_; }  // in whole pages
    // From now on, writes fault too.
    void make_read_only();
    // Gives up the memory. Its addresses, which fault from now on, stay reserved as long as what is returned.
    ReservedPages release() && { return std::move(pages_); }

private:
    ReservedPages pages_;
    size_t accessible_;
    void *base_;
};

// Addresses of memory that was freed. The last ones stay reserved, so that code that still uses them meets an error and
// not what is kept there now. Takes addresses, but no memory.
class RetiredPages {
public:
    void add(ReservedPages pages) noexcept;
    void release_all() noexcept;

private:
    std::deque<ReservedPages> pages_;  // the last ones at the end
    size_t bytes_ = 0;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_GUARDED_PAGES_H
