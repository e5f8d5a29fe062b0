// A part of record_accesses.cpp: what functions of the C library read and write in the memory that they are given. The
// linker calls these functions in their place (--wrap, record_accesses.link). What a function has no need to read is
// not told, and what it allocates is not looked at.
#ifndef RANKUNIT_RECORD_LIBC_H
#define RANKUNIT_RECORD_LIBC_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

// The function `name` of the C library, which is __real_name, and the beginning of what is called in its place.
#define RANKUNIT_WRAPPED(result, name, ...)                                   \
    __attribute__((visibility("default"))) result __real_##name(__VA_ARGS__); \
    result __wrap_##name(__VA_ARGS__);                                        \
    result __wrap_##name(__VA_ARGS__)

extern "C" {

#pragma GCC visibility push(hidden)

RANKUNIT_WRAPPED(size_t, strlen, const char *text) {
    const size_t length = __real_strlen(text);
    RANKUNIT_TELL(text, length + 1, 0);
    return length;
}

RANKUNIT_WRAPPED(size_t, strnlen, const char *text, size_t most) {
    const size_t length = __real_strnlen(text, most);
    RANKUNIT_TELL(text, length < most ? length + 1 : most, 0);
    return length;
}

// The bytes of a text with its end, but at most `most`.
static size_t rankunit_text_bytes(const char *text, size_t most) {
    const size_t length = __real_strnlen(text, most);
    return length < most ? length + 1 : most;
}

// The bytes of each that must be read to know which of two texts comes first.
static size_t rankunit_common_bytes(const char *a, const char *b, size_t most) {
    size_t i = 0;
    while (i < most && a[i] == b[i] && a[i] != '\0') i++;
    return i < most ? i + 1 : most;
}

// The bytes of each that are needed at most if letters are compared without their case, or as a locale has them.
static size_t rankunit_shorter_bytes(const char *a, const char *b, size_t most) {
    return rankunit_text_bytes(b, rankunit_text_bytes(a, most));
}

// Copies of `count` elements.
#define RANKUNIT_MOVES(type, name)                                             \
    RANKUNIT_WRAPPED(type *, name, type *to, const type *from, size_t count) { \
        RANKUNIT_TELL(from, count * RANKUNIT_BYTES_OF_##type, 0);              \
        RANKUNIT_TELL(to, count * RANKUNIT_BYTES_OF_##type, 1);                \
        return __real_##name(to, from, count);                                 \
    }
#define RANKUNIT_BYTES_OF_void 1
#define RANKUNIT_BYTES_OF_wchar_t sizeof(wchar_t)

RANKUNIT_MOVES(void, mempcpy)
RANKUNIT_MOVES(wchar_t, wmemcpy)
RANKUNIT_MOVES(wchar_t, wmemmove)

RANKUNIT_WRAPPED(void, bcopy, const void *from, void *to, size_t bytes) {
    RANKUNIT_TELL(from, bytes, 0);
    RANKUNIT_TELL(to, bytes, 1);
    __real_bcopy(from, to, bytes);
}

RANKUNIT_WRAPPED(void *, memccpy, void *to, const void *from, int last, size_t bytes) {
    void *const end = __real_memccpy(to, from, last, bytes);
    if (end != nullptr) bytes = static_cast<size_t>(static_cast<char *>(end) - static_cast<char *>(to));
    RANKUNIT_TELL(from, bytes, 0);
    RANKUNIT_TELL(to, bytes, 1);
    return end;
}

RANKUNIT_WRAPPED(void, bzero, void *to, size_t bytes) {
    RANKUNIT_TELL(to, bytes, 1);
    __real_bzero(to, bytes);
}

RANKUNIT_WRAPPED(wchar_t *, wmemset, wchar_t *to, wchar_t value, size_t count) {
    RANKUNIT_TELL(to, count * sizeof(wchar_t), 1);
    return __real_wmemset(to, value, count);
}

// Comparisons may read all that they are given, and so do those of vectors.
#define RANKUNIT_COMPARES(type, name, width)                                  \
    RANKUNIT_WRAPPED(int, name, const type *a, const type *b, size_t count) { \
        RANKUNIT_TELL(a, count * (width), 0);                                 \
        RANKUNIT_TELL(b, count * (width), 0);                                 \
        return __real_##name(a, b, count);                                    \
    }

RANKUNIT_COMPARES(void, memcmp, 1)
RANKUNIT_COMPARES(void, bcmp, 1)
RANKUNIT_COMPARES(wchar_t, wmemcmp, sizeof(wchar_t))

RANKUNIT_WRAPPED(void *, memchr, const void *in, int value, size_t bytes) {
    void *const found = __real_memchr(in, value, bytes);
    if (found != nullptr) bytes = static_cast<size_t>(static_cast<char *>(found) - static_cast<const char *>(in)) + 1;
    RANKUNIT_TELL(in, bytes, 0);
    return found;
}

RANKUNIT_WRAPPED(void *, memrchr, const void *in, int value, size_t bytes) {
    void *const found = __real_memrchr(in, value, bytes);
    const char *const from = static_cast<const char *>(found == nullptr ? in : found);
    RANKUNIT_TELL(from, static_cast<size_t>(static_cast<const char *>(in) + bytes - from), 0);
    return found;
}

RANKUNIT_WRAPPED(void *, memmem, const void *in, size_t bytes, const void *wanted, size_t wanted_bytes) {
    void *const found = __real_memmem(in, bytes, wanted, wanted_bytes);
    if (found != nullptr) {
        bytes = static_cast<size_t>(static_cast<char *>(found) - static_cast<const char *>(in)) + wanted_bytes;
    }
    RANKUNIT_TELL(in, bytes, 0);
    RANKUNIT_TELL(wanted, wanted_bytes, 0);
    return found;
}

RANKUNIT_WRAPPED(int, strcmp, const char *a, const char *b) {
    const size_t bytes = rankunit_common_bytes(a, b, SIZE_MAX);
    RANKUNIT_TELL(a, bytes, 0);
    RANKUNIT_TELL(b, bytes, 0);
    return __real_strcmp(a, b);
}

RANKUNIT_WRAPPED(int, strncmp, const char *a, const char *b, size_t most) {
    const size_t bytes = rankunit_common_bytes(a, b, most);
    RANKUNIT_TELL(a, bytes, 0);
    RANKUNIT_TELL(b, bytes, 0);
    return __real_strncmp(a, b, most);
}

RANKUNIT_WRAPPED(int, strcasecmp, const char *a, const char *b) {
    const size_t bytes = rankunit_shorter_bytes(a, b, SIZE_MAX);
    RANKUNIT_TELL(a, bytes, 0);
    RANKUNIT_TELL(b, bytes, 0);
    return __real_strcasecmp(a, b);
}

RANKUNIT_WRAPPED(int, strncasecmp, const char *a, const char *b, size_t most) {
    const size_t bytes = rankunit_shorter_bytes(a, b, most);
    RANKUNIT_TELL(a, bytes, 0);
    RANKUNIT_TELL(b, bytes, 0);
    return __real_strncasecmp(a, b, most);
}

RANKUNIT_WRAPPED(int, strcoll, const char *a, const char *b) {
    const size_t bytes = rankunit_shorter_bytes(a, b, SIZE_MAX);
    RANKUNIT_TELL(a, bytes, 0);
    RANKUNIT_TELL(b, bytes, 0);
    return __real_strcoll(a, b);
}

// Searches read a text up to what they find, or to its end.
#define RANKUNIT_FINDS_CHARACTER(name)                                                                                \
    RANKUNIT_WRAPPED(char *, name, const char *text, int value) {                                                     \
        char *const found = __real_##name(text, value);                                                               \
        RANKUNIT_TELL(                                                                                                \
            text, found == nullptr ? rankunit_text_bytes(text, SIZE_MAX) : static_cast<size_t>(found - text) + 1, 0); \
        return found;                                                                                                 \
    }

RANKUNIT_FINDS_CHARACTER(strchr)
RANKUNIT_FINDS_CHARACTER(strchrnul)

RANKUNIT_WRAPPED(char *, strrchr, const char *text, int value) {
    RANKUNIT_TELL(text, rankunit_text_bytes(text, SIZE_MAX), 0);
    return __real_strrchr(text, value);
}

RANKUNIT_WRAPPED(char *, strstr, const char *text, const char *wanted) {
    char *const found = __real_strstr(text, wanted);
    const size_t wanted_bytes = rankunit_text_bytes(wanted, SIZE_MAX);
    RANKUNIT_TELL(wanted, wanted_bytes, 0);
    RANKUNIT_TELL(
        text,
        found == nullptr ? rankunit_text_bytes(text, SIZE_MAX) : static_cast<size_t>(found - text) + wanted_bytes - 1,
        0);
    return found;
}

RANKUNIT_WRAPPED(char *, strpbrk, const char *text, const char *any) {
    char *const found = __real_strpbrk(text, any);
    RANKUNIT_TELL(any, rankunit_text_bytes(any, SIZE_MAX), 0);
    RANKUNIT_TELL(text, found == nullptr ? rankunit_text_bytes(text, SIZE_MAX) : static_cast<size_t>(found - text) + 1,
                  0);
    return found;
}

#define RANKUNIT_SPANS(name)                                            \
    RANKUNIT_WRAPPED(size_t, name, const char *text, const char *any) { \
        const size_t length = __real_##name(text, any);                 \
        RANKUNIT_TELL(any, rankunit_text_bytes(any, SIZE_MAX), 0);      \
        RANKUNIT_TELL(text, length + 1, 0);                             \
        return length;                                                  \
    }

RANKUNIT_SPANS(strspn)
RANKUNIT_SPANS(strcspn)

#define RANKUNIT_COPIES_TEXT(name)                                \
    RANKUNIT_WRAPPED(char *, name, char *to, const char *from) {  \
        const size_t bytes = rankunit_text_bytes(from, SIZE_MAX); \
        RANKUNIT_TELL(from, bytes, 0);                            \
        RANKUNIT_TELL(to, bytes, 1);                              \
        return __real_##name(to, from);                           \
    }

RANKUNIT_COPIES_TEXT(strcpy)
RANKUNIT_COPIES_TEXT(stpcpy)

// These fill the rest of the target.
#define RANKUNIT_COPIES_PART(name)                                            \
    RANKUNIT_WRAPPED(char *, name, char *to, const char *from, size_t most) { \
        RANKUNIT_TELL(from, rankunit_text_bytes(from, most), 0);              \
        RANKUNIT_TELL(to, most, 1);                                           \
        return __real_##name(to, from, most);                                 \
    }

RANKUNIT_COPIES_PART(strncpy)
RANKUNIT_COPIES_PART(stpncpy)

RANKUNIT_WRAPPED(char *, strcat, char *to, const char *from) {
    const size_t bytes = rankunit_text_bytes(from, SIZE_MAX);
    const size_t before = __real_strlen(to);
    RANKUNIT_TELL(from, bytes, 0);
    RANKUNIT_TELL(to, before + 1, 0);
    RANKUNIT_TELL(to + before, bytes, 1);
    return __real_strcat(to, from);
}

RANKUNIT_WRAPPED(char *, strncat, char *to, const char *from, size_t most) {
    const size_t length = __real_strnlen(from, most);
    const size_t before = __real_strlen(to);
    RANKUNIT_TELL(from, rankunit_text_bytes(from, most), 0);
    RANKUNIT_TELL(to, before + 1, 0);
    RANKUNIT_TELL(to + before, length + 1, 1);
    return __real_strncat(to, from, most);
}

RANKUNIT_WRAPPED(char *, strdup, const char *text) {
    RANKUNIT_TELL(text, rankunit_text_bytes(text, SIZE_MAX), 0);
    return __real_strdup(text);
}

RANKUNIT_WRAPPED(char *, strndup, const char *text, size_t most) {
    RANKUNIT_TELL(text, rankunit_text_bytes(text, most), 0);
    return __real_strndup(text, most);
}

RANKUNIT_WRAPPED(void, qsort, void *at, size_t count, size_t bytes, int (*compare)(const void *, const void *)) {
    RANKUNIT_TELL(at, count * bytes, 0);
    RANKUNIT_TELL(at, count * bytes, 1);
    __real_qsort(at, count, bytes, compare);
}

// What is written; not the texts that a format asks for.
__attribute__((format(printf, 3, 4))) int __wrap_snprintf(char *to, size_t most, const char *format, ...);
int __wrap_snprintf(char *to, size_t most, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(to, most, format, arguments);
    va_end(arguments);
    const size_t bytes = length < 0 ? 0 : static_cast<size_t>(length) + 1;
    RANKUNIT_TELL(to, bytes < most ? bytes : most, 1);
    return length;
}

__attribute__((format(printf, 2, 3))) int __wrap_sprintf(char *to, const char *format, ...);
int __wrap_sprintf(char *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsprintf(to, format, arguments);
    va_end(arguments);
    RANKUNIT_TELL(to, length < 0 ? 0 : static_cast<size_t>(length) + 1, 1);
    return length;
}

#pragma GCC visibility pop
}

#endif  // RANKUNIT_RECORD_LIBC_H
