#include "glibc/newer_functions.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <stdexcept>
#include <thread>

#include "support/unique_fd.h"

namespace rankunit::test {
namespace {

[[gnu::noinline]] void throw_below(const std::string &text, int frames) {
    if (frames == 0) throw std::runtime_error(text);
    throw_below(text, frames - 1);
    // Keeps the frame: what follows a call in tail position would take its place.
    __asm__ volatile("");
}

}  // namespace

int number_of_another_thread(int number) {
    pthread_key_t key{};
    if (pthread_key_create(&key, nullptr) != 0) return -1;
    intptr_t seen = 0;
    std::thread([&] {
        pthread_setspecific(key, reinterpret_cast<void *>(static_cast<intptr_t>(number)));
        seen = reinterpret_cast<intptr_t>(pthread_getspecific(key));
    }).join();
    const bool own_is_empty = pthread_getspecific(key) == nullptr;
    pthread_key_delete(key);
    return own_is_empty ? static_cast<int>(seen) : -1;
}

std::chrono::milliseconds wait_in_vain(std::chrono::milliseconds limit) {
    std::mutex mutex;
    std::condition_variable never;
    std::unique_lock<std::mutex> lock(mutex);
    const auto start = std::chrono::steady_clock::now();
    never.wait_for(lock, limit, [] { return false; });
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
}

int runs_of_one_call(int calls) {
    std::once_flag once;
    int runs = 0;
    for (int i = 0; i < calls; i++) std::call_once(once, [&] { runs++; });
    return runs;
}

bool writer_waits_for_reader() {
    std::shared_mutex mutex;
    mutex.lock_shared();
    bool kept_out = false;
    std::thread([&] { kept_out = !mutex.try_lock() && mutex.try_lock_shared(); }).join();
    if (kept_out) mutex.unlock_shared();
    mutex.unlock_shared();
    mutex.lock();
    mutex.unlock();
    return kept_out;
}

unsigned random_bits() {
    std::random_device device;
    unsigned bits = 0;
    for (int i = 0; i < 100; i++) bits |= device();
    unsigned word = 0;
    if (getentropy(&word, sizeof(word)) != 0) return 0;
    return bits | word;
}

std::string kind_of(const std::string &path) {
    switch (std::filesystem::symlink_status(path).type()) {
        case std::filesystem::file_type::directory:
            return "folder";
        case std::filesystem::file_type::regular:
            return "file";
        case std::filesystem::file_type::symlink:
            return "link";
        default:
            return "nothing";
    }
}

std::string first_line(const std::string &path) {
    std::string line;
    std::getline(std::ifstream(path), line);
    return line;
}

bool same_file(int fd, const std::string &path) {
    struct stat open{};
    struct stat named{};
    struct stat at{};
    if (fstat(fd, &open) != 0 || stat(path.c_str(), &named) != 0) return false;
    if (fstatat(AT_FDCWD, path.c_str(), &at, 0) != 0) return false;
    return open.st_ino == named.st_ino && open.st_size == named.st_size && open.st_mtime == named.st_mtime &&
           open.st_mode == named.st_mode && at.st_ino == named.st_ino;
}

std::string text_thrown(const std::string &text, int frames) {
    try {
        throw_below(text, frames);
    } catch (const std::exception &thrown) {
        return thrown.what();
    }
    return "";
}

std::string through_memory_file(const std::string &content) {
    const UniqueFd file(memfd_create("rankunit-test", MFD_CLOEXEC));
    std::string read(content.size(), '\0');
    if (pwrite(file.get(), content.data(), content.size(), 0) != static_cast<ssize_t>(content.size())) return "";
    if (pread(file.get(), read.data(), read.size(), 0) != static_cast<ssize_t>(read.size())) return "";
    return read;
}

bool rename_to_new(const std::string &from, const std::string &to) {
    return renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0;
}

std::string find_symbol(const std::string &library, const std::string &symbol) {
    void *opened = dlopen(library.empty() ? nullptr : library.c_str(), RTLD_NOW);
    if (opened == nullptr) return dlerror();
    const link_map *map = nullptr;
    if (dlinfo(opened, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return "no link map";
    const bool found = dlsym(opened, symbol.c_str()) != nullptr;
    const std::string answer = found ? "found" : dlerror();
    dlclose(opened);
    return answer;
}

}  // namespace rankunit::test
