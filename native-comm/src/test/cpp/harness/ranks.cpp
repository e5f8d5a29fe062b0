#include "harness/ranks.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

namespace rankunit::test {
namespace {

int count_entries(const std::string &folder) {
    DIR *entries = opendir(folder.c_str());
    if (entries == nullptr) return -1;
    int count = 0;
    while (const dirent *entry = readdir(entries)) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..") count++;
    }
    closedir(entries);
    return count;
}

}  // namespace

TempFolder::TempFolder() {
    char name[] = "/tmp/rankunit-test-XXXXXX";
    if (mkdtemp(name) == nullptr) throw CheckFailed("mkdtemp");
    path_ = name;
}

TempFolder::~TempFolder() {
    if (rmdir(path_.c_str()) != 0) std::perror(path_.c_str());
}

int TempFolder::entries() const {
    return count_entries(path_);
}

void run_ranks(int nranks, const std::function<void(int rank)> &body) {
    std::vector<std::unique_ptr<Process>> ranks;
    for (int rank = 0; rank < nranks; rank++) ranks.push_back(std::make_unique<Process>([&, rank] { body(rank); }));
    std::string failures;
    for (int rank = 0; rank < nranks; rank++) {
        const int status = ranks[static_cast<size_t>(rank)]->wait();
        if (status != 0) failures += " rank " + std::to_string(rank) + " ended with status " + std::to_string(status);
    }
    if (!failures.empty()) throw CheckFailed(failures);
}

Process::Process(const std::function<void()> &body) {
    std::fflush(nullptr);
    pid_ = fork();
    if (pid_ < 0) throw CheckFailed("fork");
    if (pid_ > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int status = 0;
    try {
        body();
    } catch (const std::exception &failure) {
        std::printf("        %s\n", failure.what());
        status = 1;
    }
    std::fflush(nullptr);
    _exit(status);
}

Process::~Process() {
    if (reaped_) return;
    kill();
    wait();
}

void Process::kill() {
    ::kill(pid_, SIGKILL);
}

int Process::wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    reaped_ = true;
    return status;
}

Comm::Comm(int rank, int nranks, const std::string &path, size_t window_bytes, int64_t timeout_ms) {
    handle_ = comm_init(rank, nranks, nullptr, path.c_str());
    if (handle_ == nullptr) throw CheckFailed(comm_last_error());
    uint64_t context = 0;
    if (comm_set_timeout(handle_, timeout_ms) != COMM_OK ||
        comm_alloc_windows(handle_, window_bytes, &context) != COMM_OK) {
        const std::string text = comm_last_error();
        comm_destroy(handle_);
        throw CheckFailed(text);
    }
    context_ = reinterpret_cast<const CommContext *>(context);
}

Comm::~Comm() {
    comm_destroy(handle_);
}

void Comm::barrier() {
    if (comm_barrier(handle_) != COMM_OK) throw CheckFailed(comm_last_error());
}

void await(const char *what, const std::function<bool()> &condition) {
    const auto start = std::chrono::steady_clock::now();
    while (!condition()) {
        if (elapsed_ms(start) > 20'000) throw CheckFailed(std::string("waited 20 s for ") + what);
        sched_yield();
    }
}

bool is_asleep(pid_t thread) {
    std::ifstream file("/proc/" + std::to_string(thread) + "/stat");
    std::string line;
    std::getline(file, line);
    const size_t end_of_name = line.rfind(')');
    return end_of_name != std::string::npos && line.compare(end_of_name, 4, ") S ") == 0;
}

int open_descriptors() {
    return count_entries("/proc/self/fd");
}

int64_t elapsed_ms(std::chrono::steady_clock::time_point since) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - since).count();
}

}  // namespace rankunit::test
