// Sleeping on words that threads and processes share.
#include "support/futex.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <thread>
#include <vector>

#include "harness/check.h"

using rankunit::FutexWord;

namespace {

// A wake-up that is lost lets the test program run into its time-out.
constexpr std::chrono::hours kLong{1};

// Sleeps until the last word has changed. Where a system cannot wait for several, there is nothing to test.
void sleep_on_all(const std::vector<const std::atomic<uint32_t> *> &words) {
    std::vector<FutexWord> with_values;
    for (const std::atomic<uint32_t> *word : words) with_values.push_back({word, 0});
    while (words.back()->load() == 0) {
        if (!rankunit::futex_wait_any(with_values.data(), with_values.size(), kLong)) std::this_thread::yield();
    }
}

void set_and_wake(std::atomic<uint32_t> &word) {
    word.store(1);
    rankunit::futex_wake_all(&word);
}

// From now on, this process and its children may not wait for several words.
bool forbid_waiting_for_several() {
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 449, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{4, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Runs `body` in a process of its own; it returns an exit status.
template <typename Body>
int status_of_child(Body body) {
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) _exit(body());
    int status = 0;
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(each_of_several_words_ends_the_sleep) {
    for (size_t woken = 0; woken < 3; woken++) {
        std::vector<std::atomic<uint32_t>> words(3);
        std::vector<const std::atomic<uint32_t> *> in_order{&words[(woken + 1) % 3], &words[(woken + 2) % 3],
                                                            &words[woken]};
        std::thread sleeper([&] { sleep_on_all(in_order); });
        set_and_wake(words[woken]);
        sleeper.join();
    }
}

TEST(all_sleepers_are_woken) {
    std::atomic<uint32_t> own{0};
    std::atomic<uint32_t> shared{0};
    std::vector<std::thread> sleepers;
    for (int i = 0; i < 8; i++) sleepers.emplace_back([&] { sleep_on_all({&own, &shared}); });
    set_and_wake(shared);
    for (std::thread &sleeper : sleepers) sleeper.join();
}

TEST(a_word_with_another_value_lets_nobody_sleep) {
    std::atomic<uint32_t> word{5};
    rankunit::futex_wait({&word, 4}, kLong);
    const FutexWord words[] = {{&word, 5}, {&word, 4}};
    rankunit::futex_wait_any(words, 2, kLong);
}

TEST(a_sleep_ends_after_its_time) {
    std::atomic<uint32_t> word{0};
    rankunit::futex_wait({&word, 0}, std::chrono::milliseconds{1});
    rankunit::futex_wait({&word, 0}, std::chrono::milliseconds{-1});
    const FutexWord words[] = {{&word, 0}};
    rankunit::futex_wait_any(words, 1, std::chrono::milliseconds{1});
    rankunit::futex_wait_any(words, 1, std::chrono::milliseconds{-1});
}

TEST(processes_that_map_a_word_at_different_addresses_wake_each_other) {
    const int fd = memfd_create("words", 0);
    CHECK_EQUAL(ftruncate(fd, 4096), 0);
    const auto map = [fd] {
        return static_cast<std::atomic<uint32_t> *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    };
    std::atomic<uint32_t> *const here = map();
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        // while the first mapping is still there, so that this one is elsewhere
        const std::atomic<uint32_t> *const there = map();
        sleep_on_all({&there[1], &there[0]});
        _exit(there == here ? 1 : 0);
    }
    set_and_wake(here[0]);
    int status = -1;
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(status, 0);
    munmap(here, 4096);
    close(fd);
}

TEST(a_system_that_forbids_to_wait_for_several_says_so) {
    constexpr int kNoFilters = 77;
    const int status = status_of_child([] {
        if (!forbid_waiting_for_several()) return kNoFilters;
        const std::atomic<uint32_t> word{0};
        const FutexWord words[] = {{&word, 0}};
        for (int i = 0; i < 2; i++) {
            if (rankunit::futex_wait_any(words, 1, kLong)) return 1;
        }
        return 0;
    });
    if (status == kNoFilters) {
        std::puts("not tested: this system has no filters of system calls");
        return;
    }
    CHECK_EQUAL(status, 0);
}

}  // namespace
