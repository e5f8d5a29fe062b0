// What code calls at each access to memory that is compiled with -fsanitize=thread. Kernels are linked to this file
// instead of the library of the thread sanitizer, and so tell the simulator what they read and write through pointers:
//
//     c++ -O2 -g -fPIC -fsanitize=thread -fno-builtin -U_FORTIFY_SOURCE -include record_builtins.h -c fill.cpp
//     c++ -O2 -g -fPIC -shared @record_accesses.link fill.o record_accesses.cpp -o libfill.so
//
// Without the built-in functions of the compiler, memcpy, strlen and the like are calls, which record_libc.h tells.
// What atomic operations of C++ change is told as such. There are none of 16 bytes.
#include <cstddef>
#include <cstdint>

extern "C" {

// Set by the simulator when it has loaded the library: an access, whether it reads (0), writes (1) or changes
// atomically (2), and the address of the code behind it.
__attribute__((visibility("default"))) void (*rankunit_access)(const void *address, size_t bytes, int kind,
                                                               const void *code) = nullptr;

void *__real_memcpy(void *target, const void *source, size_t bytes);
void *__real_memmove(void *target, const void *source, size_t bytes);
void *__real_memset(void *target, int value, size_t bytes);

#pragma GCC visibility push(hidden)

#define RANKUNIT_TELL(address, bytes, kind) \
    if (rankunit_access != nullptr) rankunit_access(address, bytes, kind, __builtin_return_address(0))
#define RANKUNIT_TELL_CHANGE(address) RANKUNIT_TELL((const void *)(address), sizeof(*(address)), 2)

#define RANKUNIT_ACCESSES(prefix, bytes)                     \
    void __tsan_##prefix##read##bytes(void *address) {       \
        RANKUNIT_TELL(address, bytes, 0);                    \
    }                                                        \
    void __tsan_##prefix##write##bytes(void *address) {      \
        RANKUNIT_TELL(address, bytes, 1);                    \
    }                                                        \
    void __tsan_##prefix##read_write##bytes(void *address) { \
        RANKUNIT_TELL(address, bytes, 0);                    \
        RANKUNIT_TELL(address, bytes, 1);                    \
    }

RANKUNIT_ACCESSES(, 1)
RANKUNIT_ACCESSES(, 2)
RANKUNIT_ACCESSES(, 4)
RANKUNIT_ACCESSES(, 8)
RANKUNIT_ACCESSES(, 16)
RANKUNIT_ACCESSES(unaligned_, 2)
RANKUNIT_ACCESSES(unaligned_, 4)
RANKUNIT_ACCESSES(unaligned_, 8)
RANKUNIT_ACCESSES(unaligned_, 16)

void __tsan_read_range(void *address, size_t bytes) {
    RANKUNIT_TELL(address, bytes, 0);
}
void __tsan_write_range(void *address, size_t bytes) {
    RANKUNIT_TELL(address, bytes, 1);
}
void __tsan_vptr_read(void **address) {
    RANKUNIT_TELL(address, sizeof(void *), 0);
}
void __tsan_vptr_update(void **address, void *) {
    RANKUNIT_TELL(address, sizeof(void *), 1);
}
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}

// GCC calls the functions of the C library, and Clang those of its own since version 16.
#define RANKUNIT_MEMORY_FUNCTIONS(prefix)                                   \
    void *prefix##memcpy(void *target, const void *source, size_t bytes) {  \
        RANKUNIT_TELL(source, bytes, 0);                                    \
        RANKUNIT_TELL(target, bytes, 1);                                    \
        return __real_memcpy(target, source, bytes);                        \
    }                                                                       \
    void *prefix##memmove(void *target, const void *source, size_t bytes) { \
        RANKUNIT_TELL(source, bytes, 0);                                    \
        RANKUNIT_TELL(target, bytes, 1);                                    \
        return __real_memmove(target, source, bytes);                       \
    }                                                                       \
    void *prefix##memset(void *target, int value, size_t bytes) {           \
        RANKUNIT_TELL(target, bytes, 1);                                    \
        return __real_memset(target, value, bytes);                         \
    }

RANKUNIT_MEMORY_FUNCTIONS(__wrap_)
RANKUNIT_MEMORY_FUNCTIONS(__tsan_)

// The order that the code asks for is at most this one.
#define RANKUNIT_ATOMIC_CHANGE(bits, type, name)                            \
    type __tsan_atomic##bits##_##name(volatile type *at, type value, int) { \
        RANKUNIT_TELL_CHANGE(at);                                           \
        return __atomic_##name(at, value, 5);                               \
    }

#define RANKUNIT_ATOMICS(bits)                                                                                      \
    static_assert(__ATOMIC_SEQ_CST == 5, "the strongest order");                                                    \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *at, int) {                             \
        return __atomic_load_n(at, 5);                                                                              \
    }                                                                                                               \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *at, uint##bits##_t value, int) {                      \
        RANKUNIT_TELL_CHANGE(at);                                                                                   \
        __atomic_store_n(at, value, 5);                                                                             \
    }                                                                                                               \
    uint##bits##_t __tsan_atomic##bits##_exchange(volatile uint##bits##_t *at, uint##bits##_t value, int) {         \
        RANKUNIT_TELL_CHANGE(at);                                                                                   \
        return __atomic_exchange_n(at, value, 5);                                                                   \
    }                                                                                                               \
    RANKUNIT_ATOMIC_CHANGE(bits, uint##bits##_t, fetch_add)                                                         \
    RANKUNIT_ATOMIC_CHANGE(bits, uint##bits##_t, fetch_sub)                                                         \
    RANKUNIT_ATOMIC_CHANGE(bits, uint##bits##_t, fetch_and)                                                         \
    RANKUNIT_ATOMIC_CHANGE(bits, uint##bits##_t, fetch_or)                                                          \
    RANKUNIT_ATOMIC_CHANGE(bits, uint##bits##_t, fetch_xor)                                                         \
    RANKUNIT_ATOMIC_CHANGE(bits, uint##bits##_t, fetch_nand)                                                        \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile uint##bits##_t *at, uint##bits##_t *expected,        \
                                                      uint##bits##_t value, int, int) {                             \
        if (!__atomic_compare_exchange_n(at, expected, value, false, 5, 5)) return 0;                               \
        RANKUNIT_TELL_CHANGE(at);                                                                                   \
        return 1;                                                                                                   \
    }                                                                                                               \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile uint##bits##_t *at, uint##bits##_t *expected,          \
                                                    uint##bits##_t value, int, int) {                               \
        if (!__atomic_compare_exchange_n(at, expected, value, true, 5, 5)) return 0;                                \
        RANKUNIT_TELL_CHANGE(at);                                                                                   \
        return 1;                                                                                                   \
    }                                                                                                               \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *at, uint##bits##_t expected, \
                                                              uint##bits##_t value, int, int) {                     \
        if (__atomic_compare_exchange_n(at, &expected, value, false, 5, 5)) RANKUNIT_TELL_CHANGE(at);               \
        return expected;                                                                                            \
    }

RANKUNIT_ATOMICS(8)
RANKUNIT_ATOMICS(16)
RANKUNIT_ATOMICS(32)
RANKUNIT_ATOMICS(64)

void __tsan_atomic_thread_fence(int) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#pragma GCC visibility pop
}

#include "record_libc.h"
