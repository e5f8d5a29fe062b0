#include "support/failure.h"

#include <cerrno>
#include <cstring>

namespace rankunit {

std::string system_text(const char *call) {
    const int error = errno;
    return std::string(call) + ": " + std::strerror(error);
}

void copy_text(const std::string &text, char *target, size_t capacity) {
    if (capacity == 0) return;
    const size_t length = text.size() < capacity ? text.size() : capacity - 1;
    std::memcpy(target, text.data(), length);
    target[length] = '\0';
}

void ErrorText::set(const char *text) {
    const size_t length = strnlen(text, sizeof(text_) - 1);
    std::memcpy(text_, text, length);
    text_[length] = '\0';
}

}  // namespace rankunit
