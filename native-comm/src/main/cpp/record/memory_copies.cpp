#include "record/memory_copies.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace rankunit::record {

MemoryCopies &MemoryCopies::of_process() {
    static auto *const copies = new MemoryCopies();  // threads may still copy when the process ends
    return *copies;
}

void MemoryCopies::begin(const std::string &path, uint64_t most_bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    path_ = path;
    fd_ = UniqueFd();
    most_ = most_bytes;
    end_ = 0;
    wanted_.store(!path.empty(), std::memory_order_relaxed);
}

std::optional<uint64_t> MemoryCopies::add(const void *memory, uint64_t bytes) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (path_.empty() || bytes > most_ - end_) return std::nullopt;
    if (!fd_) fd_ = UniqueFd(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd_ || !write(memory, bytes)) return std::nullopt;
    const uint64_t offset = end_;
    end_ += bytes;
    return offset;
}

bool MemoryCopies::write(const void *memory, uint64_t bytes) const noexcept {
    const char *const from = static_cast<const char *>(memory);
    for (uint64_t done = 0; done < bytes;) {
        const ssize_t written = pwrite(fd_.get(), from + done, bytes - done, static_cast<off_t>(end_ + done));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        done += static_cast<uint64_t>(written);
    }
    return true;
}

}  // namespace rankunit::record
