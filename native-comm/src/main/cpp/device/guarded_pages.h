// Memory between inaccessible guard pages.
#ifndef RANKUNIT_DEVICE_GUARDED_PAGES_H
#define RANKUNIT_DEVICE_GUARDED_PAGES_H

#include <cstddef>

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

private:
    ReservedPages pages_;
    size_t accessible_;
    void *base_;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_GUARDED_PAGES_H
