// The rootinfo file: stale, foreign, or of ranks that were started with different settings.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "check.h"
#include "ranks.h"

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
    struct stat status {};
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
        CHECK_EQUAL(text,
                    "rank 1 was started with a window size (in whole pages) = 8192, rank 0 with a window size (in "
                    "whole pages) = 4096");
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
    struct stat status {};
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
    struct stat status {};
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
    CHECK_CONTAINS(text, "ms for all ranks to map the windows; ranks 1, 2, 3 had not done so");
    CHECK_EQUAL(folder.entries(), 0);
}
