// Schedules for tests, written by hand.
#ifndef RANKUNIT_TEST_COLL_COLL_SUPPORT_H
#define RANKUNIT_TEST_COLL_COLL_SUPPORT_H

#include <cstdint>
#include <string>
#include <vector>

#include "harness/check.h"
#include "harness/ranks.h"
#include "rankunit/coll.h"

namespace rankunit::test {

struct Bytes {
    CollBuffer buffer;
    uint64_t from;
};

// The tasks of one rank.
class Tasks {
public:
    Tasks &move(CollTaskKind kind, int peer, Bytes from, Bytes to, uint64_t bytes, uint32_t stream = 0) {
        return add(kind, stream, peer, 0, from, to, bytes);
    }
    Tasks &post(int peer, uint32_t notify, uint32_t stream = 0) {
        return add(COLL_POST, stream, peer, notify, {}, {}, 0);
    }
    Tasks &wait(int peer, uint32_t notify, uint32_t stream = 0) {
        return add(COLL_WAIT, stream, peer, notify, {}, {}, 0);
    }

    // The line of the task that was added last.
    Tasks &at(const std::string &line) {
        lines_ += line + "\n";
        line_count_++;
        words_[words_.size() - COLL_TASK_WORDS] |= line_count_ << 48;
        return *this;
    }

    const uint64_t *words() const { return words_.data(); }
    size_t count() const { return words_.size() / COLL_TASK_WORDS; }
    const char *lines() const { return line_count_ == 0 ? nullptr : lines_.c_str(); }

private:
    Tasks &add(CollTaskKind kind, uint32_t stream, int peer, uint32_t notify, Bytes from, Bytes to, uint64_t bytes) {
        const uint64_t head = uint64_t{kind} | uint64_t{from.buffer} << 8 | uint64_t{to.buffer} << 16;
        for (const uint64_t word : {head | uint64_t{stream} << 32, static_cast<uint32_t>(peer) | uint64_t{notify} << 32,
                                    from.from, to.from, bytes}) {
            words_.push_back(word);
        }
        return *this;
    }

    std::vector<uint64_t> words_;
    std::string lines_;
    uint64_t line_count_ = 0;
};

constexpr int kAlone = -1;
constexpr uint64_t kSchedule = 1;  // what ranks have in common here

struct Kind {
    CollType type = COLL_FLOAT32;
    CollReduction reduction = COLL_SUM;
    CollMemory memory = COLL_WINDOWS;
};

inline int create(const Comm &comm, const char *call, const Kind &kind, const Tasks &tasks, uint32_t *plan) {
    return coll_plan_create(comm.handle(), call, kSchedule, kind.type, kind.reduction, kind.memory, tasks.words(),
                            tasks.count(), tasks.lines(), plan);
}

inline uint32_t created(const Comm &comm, const char *call, const Kind &kind, const Tasks &tasks) {
    uint32_t plan = 0;
    const int status = create(comm, call, kind, tasks, &plan);
    if (status != COMM_OK) failed(__FILE__, __LINE__, std::string("no plan: ") + comm_last_error());
    return plan;
}

inline void run(const Comm &comm, uint32_t plan, uint64_t input, uint64_t output) {
    const int status = coll_plan_run(comm.handle(), plan, input, output);
    if (status != COMM_OK) failed(__FILE__, __LINE__, std::string("the run failed: ") + comm_last_error());
}

// Every rank reduces a part of all inputs and reads the other parts.
inline Tasks direct_all_reduce(int rank, int nranks, uint64_t elements, uint64_t element_bytes) {
    Tasks tasks;
    const auto from = [&](int part) { return elements * static_cast<uint64_t>(part) / nranks * element_bytes; };
    const auto meet = [&](uint32_t notify) {
        for (int k = 1; k < nranks; k++) tasks.post((rank + k) % nranks, notify);
        for (int k = 1; k < nranks; k++) tasks.wait((rank + k) % nranks, notify);
    };
    meet(0);
    const uint64_t own = from(rank);
    const uint64_t bytes = from(rank + 1) - own;
    tasks.move(COLL_COPY, kAlone, {COLL_INPUT, own}, {COLL_OUTPUT, own}, bytes);
    for (int k = 1; k < nranks; k++) {
        tasks.move(COLL_GET_REDUCE, (rank + k) % nranks, {COLL_INPUT, own}, {COLL_OUTPUT, own}, bytes);
    }
    meet(1);
    for (int k = 1; k < nranks; k++) {
        const int peer = (rank + k) % nranks;
        tasks.move(COLL_GET, peer, {COLL_OUTPUT, from(peer)}, {COLL_OUTPUT, from(peer)}, from(peer + 1) - from(peer));
    }
    meet(2);
    return tasks;
}

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_COLL_COLL_SUPPORT_H
