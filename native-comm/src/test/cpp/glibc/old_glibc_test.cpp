// What support/old_glibc.cpp puts in the place of functions that an old glibc lacks behaves as they do.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "glibc/newer_functions.h"
#include "harness/check.h"
#include "harness/ranks.h"
#include "support/unique_fd.h"

using namespace rankunit::test;
using std::chrono::milliseconds;

TEST(threads_start_join_and_have_variables_of_their_own) {
    CHECK_EQUAL(number_of_another_thread(42), 42);
}

TEST(a_wait_on_a_condition_ends_at_its_limit_and_not_before) {
    for (const int limit : {1, 70, 1100}) {
        const milliseconds waited = wait_in_vain(milliseconds(limit));
        CHECK(waited >= milliseconds(limit));
        CHECK(waited < milliseconds(limit + 10'000));
    }
}

TEST(what_may_run_once_runs_once) {
    CHECK_EQUAL(runs_of_one_call(3), 1);
}

TEST(readers_keep_writers_out) {
    CHECK(writer_waits_for_reader());
}

TEST(random_words_have_all_bits) {
    CHECK_EQUAL(random_bits(), ~0u);
}

TEST(files_folders_and_links_are_told_apart) {
    const TempFolder folder;
    const std::string file = folder.file("file");
    const std::string link = folder.file("link");
    std::ofstream(file) << "content\n";
    CHECK_EQUAL(symlink(file.c_str(), link.c_str()), 0);
    CHECK_EQUAL(kind_of("/"), "folder");
    CHECK_EQUAL(kind_of(file), "file");
    CHECK_EQUAL(kind_of(link), "link");
    CHECK_EQUAL(first_line(file), "content");
    CHECK_EQUAL(kind_of(folder.file("none")), "nothing");
    {
        const rankunit::UniqueFd opened(open(file.c_str(), O_RDONLY));
        CHECK(same_file(opened.get(), link));
        CHECK(!same_file(opened.get(), "/"));
    }
    CHECK_EQUAL(unlink(link.c_str()), 0);
    CHECK_EQUAL(unlink(file.c_str()), 0);
}

TEST(a_file_is_renamed_unless_there_is_one_of_that_name) {
    const TempFolder folder;
    std::ofstream(folder.file("one")) << "1";
    std::ofstream(folder.file("two")) << "2";
    CHECK(!rename_to_new(folder.file("one"), folder.file("two")));
    CHECK_EQUAL(errno, EEXIST);
    CHECK(rename_to_new(folder.file("one"), folder.file("three")));
    CHECK_EQUAL(unlink(folder.file("two").c_str()), 0);
    CHECK_EQUAL(unlink(folder.file("three").c_str()), 0);
}

TEST(what_is_thrown_is_caught_through_many_frames) {
    CHECK_EQUAL(text_thrown("far below", 100), "far below");
}

TEST(a_memory_file_holds_what_is_written) {
    CHECK_EQUAL(through_memory_file("content"), "content");
}

TEST(libraries_are_opened_and_their_symbols_found) {
    CHECK_EQUAL(find_symbol("", "malloc"), "found");
    CHECK_EQUAL(find_symbol(TEST_KERNELS, "add_one"), "found");
    CHECK_CONTAINS(find_symbol(TEST_KERNELS, "add_two"), "add_two");
    CHECK_CONTAINS(find_symbol("/no/such.so", "x"), "/no/such.so");
}
