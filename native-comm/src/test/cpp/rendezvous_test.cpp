// The rootinfo file: stale, foreign, or of ranks that were started with different settings.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>

#include "bootstrap/segment/bootstrap_layout.h"
#include "harness/check.h"
#include "harness/ranks.h"

using namespace rankunit::test;

namespace {

// The outcome of a bring-up that must fail.
std::pair<int, std::string> fail_to_come_up(int rank, int nranks, const std::string &path, size_t window_bytes,
                                            int64_t timeout_ms = 20'000) {
    CommHandle comm = comm_init(rank, nranks, nullptr, path.c_str());
    CHECK(comm != nullptr);
    CHECK_EQUAL(comm_set_timeout(comm, timeout_ms), COMM_OK);
    uint64_t context = 0;
    const int status = comm_alloc_windows(comm, window_bytes, &context);
    const std::string text = comm_last_error();
    CHECK_EQUAL(comm_destroy(comm), COMM_OK);
    return {status, text};
}

// Leaves a file whose owner was killed while it waited for its peers.
void leave_stale_file(const std::string &path) {
    Process owner([&] { Comm(0, 2, path); });
    struct stat status{};
    await("the file of rank 0", [&] { return stat(path.c_str(), &status) == 0; });
    CHECK_EQUAL(status.st_mode & 0777, 0600u);
    owner.kill();
    owner.wait();
}

}  // namespace

TEST(different_window_sizes_are_named_on_both_sides) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const auto [status, text] = fail_to_come_up(rank, 2, folder.file("root"), rank == 1 ? 8192 : 4096);
        CHECK_EQUAL(status, COMM_MISMATCH);
        CHECK_EQUAL(text, "rank 1 asked for windows of 8192 bytes, rank 0 for 4096");
    });
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(different_numbers_of_ranks_are_named_on_both_sides) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const auto [status, text] = fail_to_come_up(rank == 0 ? 0 : 3, rank == 0 ? 2 : 4, folder.file("root"), 4096);
        CHECK_EQUAL(status, COMM_MISMATCH);
        CHECK_EQUAL(text, "rank 3 was started with nranks = 4, rank 0 with nranks = 2");
    });
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(a_rank_that_is_started_twice_is_named) {
    const TempFolder folder;
    run_ranks(3, [&](int process) {
        const auto [status, text] = fail_to_come_up(process == 0 ? 0 : 1, 3, folder.file("root"), 4096);
        CHECK_EQUAL(status, COMM_MISMATCH);
        CHECK_CONTAINS(text, "rank 1 was started twice: by process ");
    });
}

TEST(rank_0_takes_the_place_of_a_dead_one) {
    const TempFolder folder;
    leave_stale_file(folder.file("root"));
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        comm.barrier();
    });
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(a_follower_never_attaches_to_a_dead_owner) {
    const TempFolder folder;
    leave_stale_file(folder.file("root"));
    const auto [status, text] = fail_to_come_up(1, 2, folder.file("root"), 4096, 200);
    CHECK_EQUAL(status, COMM_TIMEOUT);
    CHECK_CONTAINS(text, "is stale, its owner (process ");
    CHECK_EQUAL(unlink(folder.file("root").c_str()), 0);
}

TEST(a_follower_that_came_before_the_new_owner_finds_it) {
    const TempFolder folder;
    leave_stale_file(folder.file("root"));
    Process follower([&] {
        Comm comm(1, 2, folder.file("root"));
        comm.barrier();
    });
    await("the follower to wait", [&] { return is_asleep(follower.pid()); });
    Comm comm(0, 2, folder.file("root"));
    comm.barrier();
    CHECK_EQUAL(follower.wait(), 0);
}

TEST(a_file_that_names_another_segment_of_the_same_process_is_stale) {
    const TempFolder folder;
    const std::string path = folder.file("root");
    Process owner([&] { Comm(0, 2, path); });
    struct stat status{};
    await("the file of rank 0", [&] { return stat(path.c_str(), &status) == 0; });
    std::string line;
    std::getline(std::ifstream(path), line);
    const size_t token = line.find("token=") + 6;
    line[token] = line[token] == '1' ? '2' : '1';
    std::ofstream(path) << line << '\n';
    const auto [code, text] = fail_to_come_up(1, 2, path, 4096, 200);
    CHECK_EQUAL(code, COMM_TIMEOUT);
    CHECK_EQUAL(unlink(path.c_str()), 0);
}

TEST(a_file_that_is_not_ours_is_neither_read_nor_removed) {
    const TempFolder folder;
    const std::string path = folder.file("notes");
    std::ofstream(path) << "dear diary\n";
    CHECK(comm_init(0, 2, nullptr, path.c_str()) == nullptr);
    CHECK_CONTAINS(comm_last_error(), "is not a rootinfo file");
    const auto [status, text] = fail_to_come_up(1, 2, path, 4096);
    CHECK_EQUAL(status, COMM_MISMATCH);
    CHECK_CONTAINS(text, "is not a rootinfo file");
    CHECK_EQUAL(unlink(path.c_str()), 0);
}

TEST(a_path_in_use_by_a_living_communicator_is_refused) {
    const TempFolder folder;
    const std::string path = folder.file("root");
    Process owner([&] { Comm(0, 2, path); });
    struct stat status{};
    await("the file of rank 0", [&] { return stat(path.c_str(), &status) == 0; });
    const auto [code, text] = fail_to_come_up(0, 2, path, 4096);
    CHECK_EQUAL(code, COMM_MISMATCH);
    CHECK_CONTAINS(text, "is in use by another communicator");
    CHECK_EQUAL(folder.entries(), 1);
    // The owner was not disturbed.
    Comm follower(1, 2, path);
    CHECK_EQUAL(owner.wait(), 0);
}

TEST(the_owner_removes_its_file_when_it_gives_up) {
    const TempFolder folder;
    const auto [status, text] = fail_to_come_up(0, 4, folder.file("root"), 4096, 100);
    CHECK_EQUAL(status, COMM_TIMEOUT);
    CHECK_CONTAINS(text, "ms for all ranks to map the windows; ranks 1, 2, 3 had not arrived");
    CHECK_EQUAL(folder.entries(), 0);
}

TEST(a_file_that_was_cut_is_told_from_a_whole_one) {
    const TempFolder folder;
    const std::string path = folder.file("root");
    Process owner([&] { Comm(0, 12, path); });
    struct stat status{};
    await("the file of rank 0", [&] { return stat(path.c_str(), &status) == 0; });
    std::string line;
    std::getline(std::ifstream(path), line);
    for (size_t length = 0; length < line.size(); length++) {
        std::ofstream(path) << line.substr(0, length);
        const auto [code, text] = fail_to_come_up(1, 12, path, 4096);
        CHECK_EQUAL(code, COMM_MISMATCH);
        CHECK_CONTAINS(text, "only a part of one (it has " + std::to_string(length) + " bytes)");
    }
    CHECK_EQUAL(unlink(path.c_str()), 0);
}

// Writes what a rank 0 of another pid namespace would.
static void write_foreign_file(const std::string &path) {
    std::ofstream(path) << "rankunit-rootinfo version=1 ns=4 pid=1 start=1 fd=3 token=1 nranks=2.\n";
}

TEST(a_file_of_another_pid_namespace_is_refused_and_left_while_its_owner_lives) {
    const TempFolder folder;
    const std::string path = folder.file("root");
    write_foreign_file(path);
    const int owner = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    CHECK_EQUAL(flock(owner, LOCK_EX | LOCK_NB), 0);
    const auto [code, text] = fail_to_come_up(1, 2, path, 4096);
    CHECK_EQUAL(code, COMM_MISMATCH);
    CHECK_CONTAINS(text, "rank 0 lives in another pid namespace (4, this process in ");
    const auto [code_of_0, text_of_0] = fail_to_come_up(0, 2, path, 4096);
    CHECK_EQUAL(code_of_0, COMM_MISMATCH);
    CHECK_CONTAINS(text_of_0, "is in use by another communicator");
    CHECK_EQUAL(close(owner), 0);
    CHECK_EQUAL(unlink(path.c_str()), 0);
}

TEST(a_file_of_another_pid_namespace_does_not_block_its_path_for_ever) {
    const TempFolder folder;
    const std::string path = folder.file("root");
    write_foreign_file(path);
    const auto [code, text] = fail_to_come_up(1, 2, path, 4096, 200);
    CHECK_EQUAL(code, COMM_TIMEOUT);
    CHECK_CONTAINS(text, "is stale, its owner (process 1) is dead");
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, path);
        comm.barrier();
    });
    CHECK_EQUAL(folder.entries(), 0);
}

// The line of a living rank 0 at `path`, with another number for `name`.
static void change_number(const std::string &path, const std::string &name, const std::string &number) {
    std::string line;
    std::getline(std::ifstream(path), line);
    const size_t at = line.find(name) + name.size();
    line.replace(at, line.find(' ', at) - at, number);
    std::ofstream(path) << line << '\n';
}

TEST(a_process_that_was_given_the_pid_of_a_dead_rank_0_is_not_taken_for_it) {
    const TempFolder folder;
    const std::string path = folder.file("root");
    Process owner([&] { Comm(0, 2, path); });
    struct stat status{};
    await("the file of rank 0", [&] { return stat(path.c_str(), &status) == 0; });
    change_number(path, "start=", "1");
    const auto [code, text] = fail_to_come_up(1, 2, path, 4096, 200);
    CHECK_EQUAL(code, COMM_TIMEOUT);
    CHECK_CONTAINS(text, "is stale, its owner (process ");
    CHECK_EQUAL(unlink(path.c_str()), 0);
}

// Root may look into every process.
static void become_another_user() {
    if (geteuid() == 0) CHECK_EQUAL(setresuid(12345, 12345, 12345), 0);
    CHECK_EQUAL(prctl(PR_SET_DUMPABLE, 1), 0);
}

TEST(a_rank_0_that_may_not_be_looked_into_is_told_from_a_dead_one) {
    int ends[2];
    CHECK_EQUAL(pipe(ends), 0);
    char text[COMM_MAX_ROOT_INFO] = {};
    Process owner([&] {
        become_another_user();
        CHECK_EQUAL(prctl(PR_SET_DUMPABLE, 0), 0);
        CommHandle comm = comm_init(0, 2, nullptr, COMM_ROOTINFO_BY_JOIN);
        CHECK_EQUAL(comm_root_info(comm, text, sizeof(text)), COMM_OK);
        CHECK_EQUAL(write(ends[1], text, sizeof(text)), static_cast<ssize_t>(sizeof(text)));
        pause();
    });
    Process follower([&] {
        become_another_user();
        CommHandle comm = comm_init(1, 2, nullptr, COMM_ROOTINFO_BY_JOIN);
        CHECK_EQUAL(read(ends[0], text, sizeof(text)), static_cast<ssize_t>(sizeof(text)));
        CHECK_EQUAL(comm_join(comm, text), COMM_OK);
        uint64_t context = 0;
        CHECK_EQUAL(comm_alloc_windows(comm, 4096, &context), COMM_SYSTEM);
        CHECK_CONTAINS(comm_last_error(), " cannot be opened: Permission denied; start all ranks as the same user");
        CHECK_EQUAL(comm_destroy(comm), COMM_OK);
    });
    CHECK_EQUAL(follower.wait(), 0);
    close(ends[0]);
    close(ends[1]);
}

TEST(ranks_meet_without_a_file_by_a_text_that_is_handed_over) {
    int ends[2];
    CHECK_EQUAL(pipe(ends), 0);
    run_ranks(2, [&](int rank) {
        CommHandle comm = comm_init(rank, 2, nullptr, COMM_ROOTINFO_BY_JOIN);
        CHECK(comm != nullptr);
        char text[COMM_MAX_ROOT_INFO] = {};
        if (rank == 0) {
            CHECK_EQUAL(comm_join(comm, "x"), COMM_INVALID_STATE);
            CHECK_EQUAL(comm_root_info(comm, text, 10), COMM_INVALID_ARGUMENT);
            CHECK_EQUAL(comm_root_info(comm, text, sizeof(text)), COMM_OK);
            CHECK_EQUAL(write(ends[1], text, sizeof(text)), static_cast<ssize_t>(sizeof(text)));
        } else {
            CHECK_EQUAL(read(ends[0], text, sizeof(text)), static_cast<ssize_t>(sizeof(text)));
            char own[COMM_MAX_ROOT_INFO];
            CHECK_EQUAL(comm_root_info(comm, own, sizeof(own)), COMM_INVALID_STATE);
            CHECK_EQUAL(comm_join(comm, "rankunit-rootinfo version=1"), COMM_MISMATCH);
            CHECK_CONTAINS(comm_last_error(), "what comm_join was given is not a root info");
            CHECK_EQUAL(comm_join(comm, text), COMM_OK);
        }
        uint64_t context = 0;
        CHECK_EQUAL(comm_alloc_windows(comm, 4096, &context), COMM_OK);
        CHECK_EQUAL(comm_barrier(comm), COMM_OK);
        CHECK_EQUAL(comm_destroy(comm), COMM_OK);
    });
    close(ends[0]);
    close(ends[1]);
}

TEST(who_never_joined_is_told_so) {
    CommHandle comm = comm_init(1, 2, nullptr, COMM_ROOTINFO_BY_JOIN);
    uint64_t context = 0;
    CHECK_EQUAL(comm_alloc_windows(comm, 4096, &context), COMM_INVALID_STATE);
    CHECK_CONTAINS(comm_last_error(), "comm_join has not been called on rank 1");
    CHECK_EQUAL(comm_destroy(comm), COMM_OK);
}

TEST(ranks_of_different_versions_are_named_on_both_sides) {
    const TempFolder folder;
    const std::string path = folder.file("root");
    Process owner([&] {
        const auto [status, text] = fail_to_come_up(0, 2, path, 4096);
        CHECK_EQUAL(status, COMM_MISMATCH);
        CHECK_CONTAINS(text, "ABI version = 1, rank 0 with ABI version = 7");
    });
    struct stat status{};
    await("the file of rank 0", [&] { return stat(path.c_str(), &status) == 0; });
    std::string line;
    std::getline(std::ifstream(path), line);
    const auto number = [&](const char *name) { return std::stoi(line.substr(line.find(name) + strlen(name))); };
    const std::string segment = "/proc/" + std::to_string(number("pid=")) + "/fd/" + std::to_string(number("fd="));
    std::fstream words(segment, std::ios::in | std::ios::out | std::ios::binary);
    constexpr uint32_t kOther = 7;
    words.seekp(offsetof(rankunit::bootstrap::BootstrapHeader, version));
    words.write(reinterpret_cast<const char *>(&kOther), sizeof(kOther));
    words.close();
    CHECK(!words.fail());
    const auto [code, text] = fail_to_come_up(1, 2, path, 4096);
    CHECK_EQUAL(code, COMM_MISMATCH);
    CHECK_EQUAL(text, "rank 1 was started with ABI version = 1, rank 0 with ABI version = 7");
    CHECK_EQUAL(owner.wait(), 0);
}

// Runs `body` as the first process of a pid namespace of its own, as in a container; false where that is not allowed.
static bool run_in_container(const std::function<void()> &body) {
    Process outside([&] {
        if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0) _exit(77);
        Process inside(body);
        _exit(inside.wait() == 0 ? 0 : 1);
    });
    const int status = outside.wait();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return false;
    CHECK_EQUAL(status, 0);
    return true;
}

TEST(containers_that_share_a_folder_do_not_disturb_each_other) {
    const TempFolder folder;
    const std::string path = folder.file("root");
    Process owner([&] { Comm(0, 2, path); });
    struct stat status{};
    await("the file of rank 0", [&] { return stat(path.c_str(), &status) == 0; });
    const bool allowed = run_in_container([&] {
        // Ranks of this container meet, also where /proc is that of another one.
        const std::string own = folder.file("own");
        run_ranks(2, [&](int rank) { Comm(rank, 2, own).barrier(); });
        // The file of the other container is neither believed nor taken away.
        const auto [code, text] = fail_to_come_up(1, 2, path, 4096);
        CHECK_EQUAL(code, COMM_MISMATCH);
        CHECK_CONTAINS(text, "rank 0 lives in another pid namespace");
        const auto [code_of_0, text_of_0] = fail_to_come_up(0, 2, path, 4096);
        CHECK_EQUAL(code_of_0, COMM_MISMATCH);
        CHECK_CONTAINS(text_of_0, "is in use by another communicator");
    });
    if (!allowed) std::printf("        not checked: this user may make no pid namespace\n");
    Comm follower(1, 2, path);
    CHECK_EQUAL(owner.wait(), 0);
}

TEST(the_simulator_does_not_meet_over_a_network) {
    const char *const why = "but the windows of the simulator are memory of one machine";
    uint64_t context = 0;
    char text[COMM_MAX_ROOT_INFO];
    setenv("RANKUNIT_MEET_ADDRESS", "127.0.0.1", 1);
    const CommHandle first = comm_init(0, 2, nullptr, COMM_ROOTINFO_BY_JOIN);
    const int status = comm_root_info(first, text, sizeof(text));
    const std::string refusal = comm_last_error();
    unsetenv("RANKUNIT_MEET_ADDRESS");
    CHECK_EQUAL(status, COMM_NOT_SUPPORTED);
    CHECK_CONTAINS(refusal, "RANKUNIT_MEET_ADDRESS = \"127.0.0.1\" lets ranks of several machines meet");
    CHECK_CONTAINS(refusal, why);
    CHECK_EQUAL(comm_destroy(first), COMM_OK);

    const std::string info =
        "rankunit-rootinfo version=1 address=127.0.0.1 port=1 secret=" + std::string(32, '1') + " nranks=2.\n";
    const CommHandle second = comm_init(1, 2, nullptr, COMM_ROOTINFO_BY_JOIN);
    CHECK_EQUAL(comm_join(second, info.c_str()), COMM_NOT_SUPPORTED);
    CHECK_CONTAINS(comm_last_error(), "rank 0 listens at 127.0.0.1:1 for ranks of several machines");
    CHECK_CONTAINS(comm_last_error(), why);
    CHECK_EQUAL(comm_destroy(second), COMM_OK);

    const TempFolder folder;
    std::ofstream(folder.file("root")) << info;
    const CommHandle by_file = comm_init(1, 2, nullptr, folder.file("root").c_str());
    CHECK_EQUAL(comm_alloc_windows(by_file, 64, &context), COMM_NOT_SUPPORTED);
    CHECK_CONTAINS(comm_last_error(), why);
    CHECK_EQUAL(comm_destroy(by_file), COMM_OK);
    CHECK_EQUAL(unlink(folder.file("root").c_str()), 0);
}
