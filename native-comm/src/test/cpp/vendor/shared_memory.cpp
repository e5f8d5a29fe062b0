#include "vendor/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

namespace rankunit::emulator {
namespace {

constexpr size_t kPage = 4096;
// Ranges of at least this size are zeroed by returning their pages to the kernel, which makes new ones when they are
// used.
constexpr size_t kGivenBack = size_t{1} << 20;

size_t round_up(size_t bytes) {
    return (bytes + kPage - 1) / kPage * kPage;
}

// Written by the kernel, since that is cheaper than mapping the pages here.
bool fill_pages(int fd, size_t bytes) {
    static const std::string &pages = *new std::string(size_t{64} << 10, '\xA5');
    for (size_t done = 0; done < bytes;) {
        const size_t wanted = std::min(bytes - done, pages.size());
        const ssize_t written = pwrite(fd, pages.data(), wanted, static_cast<off_t>(done));
        if (written <= 0) return false;
        done += static_cast<size_t>(written);
    }
    return true;
}

// Returns whether the pages are zero now. qemu reports success for MADV_REMOVE without doing anything.
bool give_back(char *pages, size_t bytes) {
    auto *const first = reinterpret_cast<volatile char *>(pages);
    auto *const last = reinterpret_cast<volatile char *>(pages + bytes - 1);
    *first = *last = 1;
    return madvise(pages, bytes, MADV_REMOVE) == 0 && *first == 0 && *last == 0;
}

std::string name_of(uint32_t random) {
    return "rankunit-emulator-" + std::to_string(random);
}

std::mutex &ranges_mutex() {
    static std::mutex &mutex = *new std::mutex;
    return mutex;
}

struct Range {
    size_t bytes;
    int driver_device;
};

std::map<uintptr_t, Range> &ranges() {
    static auto &all = *new std::map<uintptr_t, Range>;
    return all;
}

}  // namespace

std::unique_ptr<SharedMemory> SharedMemory::create(size_t bytes, int driver_device, bool fill) {
    uint32_t random = 0;
    if (getrandom(&random, sizeof(random), 0) != sizeof(random)) return nullptr;
    random &= 0xffffff;  // so that a token fits into a shareable handle of 64 bits
    const int fd = memfd_create(name_of(random).c_str(), MFD_CLOEXEC);
    if (fd < 0) return nullptr;
    const size_t whole = round_up(bytes);
    if (ftruncate(fd, static_cast<off_t>(whole + kPage)) != 0) {
        close(fd);
        return nullptr;
    }
    std::unique_ptr<SharedMemory> memory(new SharedMemory(fd, whole, Token{getpid(), fd, random}, false));
    memory->admission().device = driver_device;
    if (fill && !fill_pages(fd, whole)) return nullptr;
    return memory;
}

std::unique_ptr<SharedMemory> SharedMemory::open(const Token &token) {
    const std::string path = "/proc/" + std::to_string(token.pid) + "/fd/" + std::to_string(token.fd);
    char target[128] = {};
    if (readlink(path.c_str(), target, sizeof(target) - 1) < 0) return nullptr;
    const std::string found = target;
    if (found.find(name_of(token.random) + " ") == std::string::npos) return nullptr;
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct stat status{};
    if (fd < 0 || fstat(fd, &status) != 0) return nullptr;
    const size_t bytes = static_cast<size_t>(status.st_size) - kPage;
    std::unique_ptr<SharedMemory> memory(new SharedMemory(fd, bytes, token, true));
    memory->admission().importers++;
    return memory;
}

SharedMemory::SharedMemory(int fd, size_t bytes, const Token &token, bool imported)
    : fd_(fd), bytes_(bytes), token_(token), imported_(imported) {
    admission_ = static_cast<Admission *>(
        mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, static_cast<off_t>(bytes)));
}

SharedMemory::~SharedMemory() {
    if (imported_) admission_->importers--;
    munmap(admission_, kPage);
    close(fd_);
}

void SharedMemory::admit(const int32_t *pids, size_t count) const {
    for (size_t i = 0; i < count; i++) {
        for (auto &slot : admission_->admitted) {
            int32_t none = 0;
            if (slot.compare_exchange_strong(none, pids[i]) || none == pids[i]) break;
        }
    }
}

bool SharedMemory::admits(int32_t pid) const {
    if (admission_->validates == 0) return true;
    for (const auto &slot : admission_->admitted) {
        if (slot == pid) return true;
    }
    return false;
}

void *SharedMemory::map(void *place, bool accessible, size_t bytes, size_t offset) const {
    const int protection = accessible ? PROT_READ | PROT_WRITE : PROT_NONE;
    const int flags = MAP_SHARED | (place == nullptr ? 0 : MAP_FIXED);
    void *start = mmap(place, bytes, protection, flags, fd_, static_cast<off_t>(offset));
    return start == MAP_FAILED ? nullptr : start;
}

void set_bytes(void *start, int value, size_t bytes) {
    auto *const first = static_cast<char *>(start);
    const size_t before = round_up(reinterpret_cast<uintptr_t>(first)) - reinterpret_cast<uintptr_t>(first);
    const size_t whole = bytes < before ? 0 : (bytes - before) / kPage * kPage;
    if (value == 0 && whole >= kGivenBack && give_back(first + before, whole)) {
        std::memset(first, 0, before);
        std::memset(first + before + whole, 0, bytes - before - whole);
        return;
    }
    std::memset(first, value, bytes);
}

void add_range(void *start, size_t bytes, int driver_device) {
    const std::lock_guard<std::mutex> lock(ranges_mutex());
    ranges()[reinterpret_cast<uintptr_t>(start)] = Range{bytes, driver_device};
}

void remove_range(void *start) {
    const std::lock_guard<std::mutex> lock(ranges_mutex());
    ranges().erase(reinterpret_cast<uintptr_t>(start));
}

int device_of_range(const void *start, size_t bytes) {
    const std::lock_guard<std::mutex> lock(ranges_mutex());
    const auto address = reinterpret_cast<uintptr_t>(start);
    const auto next = ranges().upper_bound(address);
    if (next == ranges().begin()) return -1;
    const auto &[first, range] = *std::prev(next);
    const bool inside = address - first < range.bytes && bytes <= range.bytes - (address - first);
    return inside ? range.driver_device : -1;
}

}  // namespace rankunit::emulator
