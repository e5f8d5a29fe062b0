// Allows a library that was built with a new glibc to be loaded with an old one. A library needs a glibc that has the
// newest of the function versions it uses, and the linker picks the newest version of each function. Definitions here
// take precedence over those of glibc, for our sources and for the C++ library and the unwinder that are linked in.
// They use the kernel, or the oldest version of the function, which every glibc keeps. `.ci/glibc.sh` lists what is
// missing here.
//
// No header declares these functions as they are defined here, so the glibc version of the headers does not matter.
// Each has its real name only as its assembler name.
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#define OLDEST_CONDITION "GLIBC_2.3.2"
#define OLDEST_DLINFO "GLIBC_2.3.3"
#elif defined(__aarch64__)
#define OLDEST "GLIBC_2.17"
#define OLDEST_CONDITION "GLIBC_2.17"
#define OLDEST_DLINFO "GLIBC_2.17"
#endif

// Declares `ours`, a function that the linker sees as `name`.
#define PROVIDE(result, ours, name, parameters)      \
    extern "C" result ours parameters __asm__(name); \
    extern "C" result ours parameters

// Declares old_<name>, which is `name` as it was in glibc `version`.
#define OLD(result, name, version, parameters)           \
    __asm__(".symver old_" #name "," #name "@" version); \
    extern "C" result old_##name parameters

// glibc 2.34 moved these between its libraries, under a new version but unchanged: the oldest version does the same.
#define KEEP(result, name, parameters, arguments)     \
    OLD(result, name, OLDEST, parameters);            \
    PROVIDE(result, kept_##name, #name, parameters) { \
        return old_##name arguments;                  \
    }

KEEP(void *, dlopen, (const char *file, int mode), (file, mode))
KEEP(void *, dlsym, (void *library, const char *name), (library, name))
KEEP(int, dlclose, (void *library), (library))
KEEP(char *, dlerror, (), ())
KEEP(int, dladdr, (const void *address, void *found), (address, found))

OLD(int, dlinfo, OLDEST_DLINFO, (void *library, int request, void *answer));
PROVIDE(int, kept_dlinfo, "dlinfo", (void *library, int request, void *answer)) {
    return old_dlinfo(library, request, answer);
}

using Thread = unsigned long;
using Key = unsigned;

KEEP(int, pthread_create, (Thread * thread, const void *attributes, void *(*body)(void *), void *argument),
     (thread, attributes, body, argument))
KEEP(int, pthread_join, (Thread thread, void **result), (thread, result))
KEEP(int, pthread_detach, (Thread thread), (thread))
KEEP(int, pthread_once, (int *once, void (*body)()), (once, body))
KEEP(int, pthread_key_create, (Key * key, void (*destructor)(void *)), (key, destructor))
KEEP(int, __pthread_key_create, (Key * key, void (*destructor)(void *)), (key, destructor))
KEEP(int, pthread_key_delete, (Key key), (key))
KEEP(void *, pthread_getspecific, (Key key), (key))
KEEP(int, pthread_setspecific, (Key key, const void *value), (key, value))
KEEP(int, pthread_mutex_trylock, (void *mutex), (mutex))
KEEP(int, pthread_rwlock_rdlock, (void *lock), (lock))
KEEP(int, pthread_rwlock_tryrdlock, (void *lock), (lock))
KEEP(int, pthread_rwlock_wrlock, (void *lock), (lock))
KEEP(int, pthread_rwlock_trywrlock, (void *lock), (lock))
KEEP(int, pthread_rwlock_unlock, (void *lock), (lock))

// glibc 2.30; std::condition_variable uses it to wait on the steady clock. The old function waits on the system clock;
// if that is set during a wait, the wait becomes longer or shorter by the same amount.
OLD(int, pthread_cond_timedwait, OLDEST_CONDITION, (void *condition, void *mutex, const timespec *until));
PROVIDE(int, wait_on_clock, "pthread_cond_clockwait",
        (void *condition, void *mutex, clockid_t clock, const timespec *until)) {
    constexpr long kNanoseconds = 1'000'000'000;
    if (clock == CLOCK_REALTIME) return old_pthread_cond_timedwait(condition, mutex, until);
    timespec now{};
    timespec end{};
    if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, &end) != 0) return errno;
    end.tv_sec += until->tv_sec - now.tv_sec;
    end.tv_nsec += until->tv_nsec - now.tv_nsec;
    if (end.tv_nsec < 0) {
        end.tv_sec--;
        end.tv_nsec += kNanoseconds;
    } else if (end.tv_nsec >= kNanoseconds) {
        end.tv_sec++;
        end.tv_nsec -= kNanoseconds;
    }
    return old_pthread_cond_timedwait(condition, mutex, &end);
}

// glibc 2.33; before that, these functions had other names. The kernel's struct is the same as glibc's on both
// processors, and the same for files of any size.
#define STAT(suffix)                                                                                               \
    PROVIDE(int, stat_path##suffix, "stat" #suffix, (const char *path, void *status)) {                            \
        return stat_at(AT_FDCWD, path, status, 0);                                                                 \
    }                                                                                                              \
    PROVIDE(int, stat_link##suffix, "lstat" #suffix, (const char *path, void *status)) {                           \
        return stat_at(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);                                               \
    }                                                                                                              \
    PROVIDE(int, stat_below##suffix, "fstatat" #suffix, (int folder, const char *path, void *status, int flags)) { \
        return stat_at(folder, path, status, flags);                                                               \
    }                                                                                                              \
    PROVIDE(int, stat_file##suffix, "fstat" #suffix, (int fd, void *status)) {                                     \
        return static_cast<int>(syscall(SYS_fstat, fd, status));                                                   \
    }
namespace {

int stat_at(int folder, const char *path, void *status, int flags) {
    return static_cast<int>(syscall(SYS_newfstatat, folder, path, status, flags));
}

}  // namespace

STAT()
STAT(64)

// glibc 2.25, 2.27 and 2.28.
PROVIDE(ssize_t, random_bytes, "getrandom", (void *target, size_t size, unsigned flags)) {
    return syscall(SYS_getrandom, target, size, flags);
}
PROVIDE(int, memory_file, "memfd_create", (const char *name, unsigned flags)) {
    return static_cast<int>(syscall(SYS_memfd_create, name, flags));
}
PROVIDE(int, rename_at, "renameat2",
        (int from_folder, const char *from, int to_folder, const char *to, unsigned flags)) {
    return static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}

// glibc 2.25 and 2.36; std::random_device uses them.
PROVIDE(int, entropy, "getentropy", (void *target, size_t size)) {
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    // The kernel gives up to 256 bytes at once, or none.
    return random_bytes(target, size, 0) == static_cast<ssize_t>(size) ? 0 : -1;
}
PROVIDE(uint32_t, random_word, "arc4random", ()) {
    uint32_t word = 0;
    // Cannot fail if the kernel has getrandom; if it does not, there is no way to report that here.
    if (entropy(&word, sizeof(word)) != 0) __builtin_trap();
    return word;
}

// glibc 2.32: whether atomic operations may be omitted. "Never" is correct in every process.
extern "C" {
extern char always_several_threads __asm__("__libc_single_threaded");
char always_several_threads = 0;
}

// glibc 2.35; the unwinder of GCC 12 and newer uses it to find the tables of a function. This is how older unwinders
// found them.
#ifdef DLFO_STRUCT_HAS_EH_DBASE
namespace {

struct Wanted {
    uintptr_t address;
    dl_find_object *found;
};

int look_into(dl_phdr_info *object, size_t, void *argument) {
    const auto *wanted = static_cast<const Wanted *>(argument);
    uintptr_t start = UINTPTR_MAX;
    uintptr_t end = 0;
    const ElfW(Phdr) *tables = nullptr;
    bool inside = false;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) &part = object->dlpi_phdr[i];
        const uintptr_t part_start = object->dlpi_addr + part.p_vaddr;
        const uintptr_t part_end = part_start + part.p_memsz;
        if (part.p_type == PT_GNU_EH_FRAME) tables = &part;
        if (part.p_type != PT_LOAD) continue;
        if (part_start < start) start = part_start;
        if (part_end > end) end = part_end;
        inside = inside || (wanted->address >= part_start && wanted->address < part_end);
    }
    if (!inside) return 0;
    if (tables == nullptr) return -1;
    *wanted->found = dl_find_object{};
    wanted->found->dlfo_map_start = reinterpret_cast<void *>(start);
    wanted->found->dlfo_map_end = reinterpret_cast<void *>(end);
    wanted->found->dlfo_eh_frame = reinterpret_cast<void *>(object->dlpi_addr + tables->p_vaddr);
    return 1;
}

}  // namespace

PROVIDE(int, find_object, "_dl_find_object", (void *address, dl_find_object *found)) {
    Wanted wanted{reinterpret_cast<uintptr_t>(address), found};
    return dl_iterate_phdr(look_into, &wanted) == 1 ? 0 : -1;
}
#endif
