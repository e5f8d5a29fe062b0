// Ranks that meet over the loopback interface, without devices.
#ifndef RANKUNIT_TEST_MEET_NETWORK_RANKS_H
#define RANKUNIT_TEST_MEET_NETWORK_RANKS_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bootstrap/bootstrap.h"
#include "harness/check.h"
#include "harness/ranks.h"

namespace rankunit::test {

// While it lives, a rank 0 of this process and of its children listens at this address.
class MeetAddress {
public:
    explicit MeetAddress(const std::string &address = "127.0.0.1");
    MeetAddress(const MeetAddress &) = delete;
    MeetAddress &operator=(const MeetAddress &) = delete;
    ~MeetAddress();
};

// Numbers that the test's processes share, so that a test can check the order of events.
class SharedNumbers {
public:
    SharedNumbers();
    SharedNumbers(const SharedNumbers &) = delete;
    SharedNumbers &operator=(const SharedNumbers &) = delete;
    ~SharedNumbers();

    std::atomic<int64_t> &operator[](size_t at) const { return numbers_[at]; }

private:
    std::atomic<int64_t> *numbers_;
};

// A rank that meets the others: `up` returns when all are there.
class NetworkRank {
public:
    NetworkRank(int rank, int nranks, const std::string &path, int64_t timeout_ms = 30'000);

    NetworkRank &up();
    bootstrap::Bootstrap &bootstrap() { return bootstrap_; }
    std::vector<std::string> gather(const std::vector<uint32_t> &ranks, uint64_t id, const std::string &message);
    void barrier() {
        bootstrap_.require_sound();
        bootstrap_.barrier();
    }

private:
    bootstrap::Bootstrap bootstrap_;
};

struct Outcome {
    int code;
    std::string text;
};

// Runs what must fail.
Outcome fail(const std::function<void()> &body);

// What `write_text` says in one process, `read_text` returns in another one, forked from the same parent.
class TextPipe {
public:
    TextPipe();
    TextPipe(const TextPipe &) = delete;
    TextPipe &operator=(const TextPipe &) = delete;
    ~TextPipe();

    void write_text(const std::string &text) const;
    std::string read_text() const;

private:
    int ends_[2];
};

int64_t now_us();

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_MEET_NETWORK_RANKS_H
