// Ranks that are killed at one step of the bring-up: whoever survives blames the dead one.
//
// Ranks reach each other's memory by readlink and open of /proc/<pid>/fd/<fd>, so a readlink that is defined here is
// where a rank can be stopped for good before it looks, or the one that it looks at.
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>

#include "harness/check.h"
#include "harness/ranks.h"

using namespace rankunit::test;

namespace {

constexpr int kRanks = 4;

// Called before this process looks at a descriptor of another one: the pid, and whether it is the bootstrap segment
// that it looks for.
std::function<void(pid_t, bool)> before_look;

int looks = 0;

}  // namespace

extern "C" __attribute__((visibility("default"))) ssize_t readlink(const char *path, char *target, size_t size) {
    using Function = ssize_t (*)(const char *, char *, size_t);
    static const auto original = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "readlink"));
    int pid = 0;
    int fd = 0;
    if (before_look && std::sscanf(path, "/proc/%d/fd/%d", &pid, &fd) == 2) before_look(pid, looks++ == 0);
    return original(path, target, size);
}

namespace {

void kill_and_await(pid_t process) {
    const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    // It has ended already: poll would wait for a descriptor that is none.
    if (descriptor < 0 && errno == ESRCH) return;
    kill(process, SIGKILL);
    pollfd end{descriptor, POLLIN, 0};
    poll(&end, 1, 10'000);
    close(descriptor);
}

// Brings a rank up that must fail, with `victim` to blame.
void expect_blame(int rank, int victim, const std::string &path) {
    CommHandle comm = comm_init(rank, kRanks, nullptr, path.c_str());
    if (comm == nullptr) throw CheckFailed(comm_last_error());
    CHECK_EQUAL(comm_set_timeout(comm, 20'000), COMM_OK);
    uint64_t context = 0;
    const int status = comm_alloc_windows(comm, 4096, &context);
    const std::string text = comm_last_error();
    const int blamed = comm_aborted_by(comm);
    comm_destroy(comm);
    CHECK_EQUAL(text.substr(0, 15), "rank " + std::to_string(victim) + " (process");
    CHECK_EQUAL(status, COMM_PEER_DIED);
    CHECK_EQUAL(blamed, victim);
}

// `strike` is called by each rank before it opens the windows of rank 0.
void expect_all_blame(int victim, const std::function<void(int rank, pid_t owner)> &strike) {
    const TempFolder folder;
    const std::string path = folder.file("root");
    std::vector<std::unique_ptr<Process>> ranks;
    for (int rank = 0; rank < kRanks; rank++) {
        ranks.push_back(std::make_unique<Process>([&, rank] {
            before_look = [&](pid_t owner, bool segment) {
                if (!segment) strike(rank, owner);
            };
            expect_blame(rank, victim, path);
        }));
    }
    for (int rank = 0; rank < kRanks; rank++) {
        const int status = ranks[static_cast<size_t>(rank)]->wait();
        if (rank == victim) {
            CHECK(WIFSIGNALED(status));
        } else {
            CHECK_EQUAL(status, 0);
        }
    }
    unlink(path.c_str());
}

}  // namespace

TEST(the_owner_of_the_windows_that_is_dead_before_others_open_them_is_to_blame) {
    expect_all_blame(0, [](int, pid_t owner) { kill_and_await(owner); });
}

TEST(the_owner_of_the_windows_that_is_dying_while_others_open_them_is_to_blame) {
    for (int round = 0; round < 10; round++) {
        expect_all_blame(0, [](int, pid_t owner) { kill(owner, SIGKILL); });
    }
}

TEST(a_rank_that_dies_before_it_opens_the_windows_is_to_blame) {
    for (int victim = 1; victim < kRanks; victim++) {
        expect_all_blame(victim, [victim](int rank, pid_t) {
            if (rank == victim) raise(SIGKILL);
        });
    }
}

// As Java's ranks meet: the root info has come another way, and its owner is gone.
TEST(the_owner_of_the_segment_that_is_dead_before_others_join_is_to_blame) {
    CommHandle comm = comm_init(1, 2, nullptr, COMM_ROOTINFO_BY_JOIN);
    int pipe_ends[2];
    CHECK_EQUAL(pipe(pipe_ends), 0);
    Process owner([&] {
        CommHandle first = comm_init(0, 2, nullptr, COMM_ROOTINFO_BY_JOIN);
        char info[COMM_MAX_ROOT_INFO];
        CHECK_EQUAL(comm_root_info(first, info, sizeof(info)), COMM_OK);
        CHECK(write(pipe_ends[1], info, sizeof(info)) == static_cast<ssize_t>(sizeof(info)));
        pause();
    });
    char info[COMM_MAX_ROOT_INFO];
    CHECK(read(pipe_ends[0], info, sizeof(info)) == static_cast<ssize_t>(sizeof(info)));
    owner.kill();
    owner.wait();
    uint64_t context = 0;
    CHECK_EQUAL(comm_join(comm, info), COMM_OK);
    CHECK_EQUAL(comm_alloc_windows(comm, 4096, &context), COMM_PEER_DIED);
    CHECK_CONTAINS(comm_last_error(), "rank 0 (process " + std::to_string(owner.pid()) + ") is gone");
    CHECK_EQUAL(comm_aborted_by(comm), 0);
    comm_destroy(comm);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}
