#ifndef RANKUNIT_SUPPORT_UNIQUE_FD_H
#define RANKUNIT_SUPPORT_UNIQUE_FD_H

#include <unistd.h>

#include <utility>

namespace rankunit {

// Owns one file descriptor; -1 means none.
class UniqueFd {
public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : fd_(fd) {}
    UniqueFd(UniqueFd &&other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    UniqueFd &operator=(UniqueFd &&other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~UniqueFd() { reset(); }

    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    void reset() {
        if (fd_ >= 0) close(fd_);
        fd_ = -1;
    }

private:
    int fd_ = -1;
};

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_UNIQUE_FD_H
