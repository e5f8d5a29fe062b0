#include "shake/thread_look.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>

namespace rankunit::shake {
namespace {

constexpr char kGone = 'X';

// Two files for each.
constexpr size_t kMostOpen = 128;

UniqueFd open_file(pid_t process, pid_t thread, const char *name) {
    char path[80];
    std::snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", process, thread, name);
    return UniqueFd(open(path, O_RDONLY | O_CLOEXEC));
}

// Returns false at the end of the thread, or if there is no such file.
bool read_file(const UniqueFd &file, char (&text)[512]) {
    const ssize_t length = file ? pread(file.get(), text, sizeof(text) - 1, 0) : -1;
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

// "4350407 1268693 147": ran, waited for a processor, turns.
void read_schedstat(const UniqueFd &file, ThreadLook &look) {
    char text[512];
    if (!read_file(file, text)) return;
    if (std::sscanf(text, "%" SCNu64 " %*u %" SCNu64, &look.ran, &look.turns) != 2) look.ran = look.turns = 0;
}

// "30591 (name) S" and numbers, of which the 11th and the 12th after the state are processor times in ticks.
void read_stat(const char *text, ThreadLook &look) {
    const char *const name_end = std::strrchr(text, ')');
    if (name_end == nullptr || std::strlen(name_end) < 3) return;
    look.state = name_end[2];
    uint64_t user = 0, system = 0;
    // most systems say it in ns, see above
    if (look.turns == 0 && std::sscanf(name_end + 3, "%*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64,
                                       &user, &system) == 2) {
        look.ran = (user + system) * (1'000'000'000 / static_cast<uint64_t>(sysconf(_SC_CLK_TCK)));
    }
}

struct CloseFolder {
    void operator()(DIR *folder) const { closedir(folder); }
};

}  // namespace

std::vector<pid_t> threads_of(pid_t process) {
    std::vector<pid_t> threads;
    const std::unique_ptr<DIR, CloseFolder> folder(opendir(("/proc/" + std::to_string(process) + "/task").c_str()));
    while (const dirent *entry = folder == nullptr ? nullptr : readdir(folder.get())) {
        const pid_t thread = std::atoi(entry->d_name);
        if (thread > 0) threads.push_back(thread);
    }
    return threads;
}

uint64_t processor_time() noexcept {
    timespec time{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

ThreadLook ThreadLooks::look(pid_t process, pid_t thread) {
    const Files &files = files_of({process, thread});
    ThreadLook look, after;
    read_schedstat(files.schedstat, look);
    char text[512];
    if (!read_file(files.stat, text)) {
        look.state = errno == ENOENT || errno == ESRCH ? kGone : '\0';
        open_.erase({process, thread});
        return look;
    }
    read_stat(text, look);
    read_schedstat(files.schedstat, after);
    // it has run between
    if (after.turns != look.turns) look.state = 'R';
    return look;
}

ThreadLooks::Files &ThreadLooks::files_of(const Thread &thread) {
    const auto found = open_.find(thread);
    if (found != open_.end()) return found->second;
    if (open_.size() == kMostOpen) open_.clear();
    UniqueFd schedstat = open_file(thread.first, thread.second, "schedstat");
    // the last one, so that errno says why there is none
    UniqueFd stat = open_file(thread.first, thread.second, "stat");
    return open_[thread] = Files{std::move(stat), std::move(schedstat)};
}

}  // namespace rankunit::shake
