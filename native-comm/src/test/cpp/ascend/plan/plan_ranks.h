// Schedules on the streams of the vendor's runtime.
#ifndef RANKUNIT_TEST_ASCEND_PLAN_PLAN_RANKS_H
#define RANKUNIT_TEST_ASCEND_PLAN_PLAN_RANKS_H

#include <string>
#include <vector>

#include "ascend/ascend_ranks.h"
#include "coll/coll_support.h"
#include "rankunit/coll.h"

namespace rankunit::test {

constexpr Kind kBytes{COLL_BYTES, COLL_SUM, COLL_SINGLE_OPERATOR};
constexpr Kind kSums{COLL_INT32, COLL_SUM, COLL_WINDOWS};

// Whether the libraries of this run have notifies that ranks can share.
inline bool runs_plans() {
    return vendor() == "vendor-9" || vendor() == "vendor-acl-rt";
}

class PlanRank : public AscendRank {
public:
    PlanRank(int rank, int nranks, const TempFolder &folder, int64_t timeout_ms = 30'000)
        : AscendRank(rank, nranks, folder.file("root"), rank, timeout_ms) {
        up(64 << 10);
    }

    int create(const char *call, const Kind &kind, const Tasks &tasks, uint32_t *plan) const {
        return coll_plan_create(comm(), call, kSchedule, kind.type, kind.reduction, kind.memory, tasks.words(),
                                tasks.count(), tasks.lines(), plan);
    }
    uint32_t created(const char *call, const Kind &kind, const Tasks &tasks) const {
        uint32_t plan = 0;
        if (create(call, kind, tasks, &plan) != COMM_OK) throw CheckFailed(comm_last_error());
        return plan;
    }
    void run(uint32_t plan, uint64_t input, uint64_t output) const {
        if (coll_plan_run(comm(), plan, input, output) != COMM_OK) throw CheckFailed(comm_last_error());
    }
    uint64_t window() const { return context().windowsIn[context().rankId]; }

    template <typename T>
    void give(uint64_t address, const std::vector<T> &values) const {
        CHECK_EQUAL(device_copy_in(device().get(), address, values.data(), values.size() * sizeof(T)), DEVICE_OK);
    }
    template <typename T>
    std::vector<T> got(uint64_t address, size_t count) const {
        std::vector<T> values(count);
        CHECK_EQUAL(device_copy_out(device().get(), values.data(), address, count * sizeof(T)), DEVICE_OK);
        return values;
    }
};

// Each rank puts its input into its CCL_OUT, and reads that of each peer on a stream of its own.
inline Tasks mesh_all_gather(int rank, int nranks, uint64_t bytes) {
    Tasks tasks;
    const auto at = [&](int of) { return static_cast<uint64_t>(of) * bytes; };
    tasks.move(COLL_COPY, kAlone, {COLL_INPUT, 0}, {COLL_CCL_OUT, 0}, bytes);
    for (int k = 1; k < nranks; k++) {
        const auto sub = static_cast<uint32_t>(k);
        const int peer = (rank + k) % nranks;
        tasks.post(kAlone, 2 * sub).wait(kAlone, 2 * sub, sub).post(peer, 0, sub).wait(peer, 0, sub);
        tasks.move(COLL_GET, peer, {COLL_CCL_OUT, 0}, {COLL_OUTPUT, at(peer)}, bytes, sub);
        tasks.post(peer, 1, sub).wait(peer, 1, sub).post(kAlone, 2 * sub + 1, sub);
    }
    tasks.move(COLL_COPY, kAlone, {COLL_CCL_OUT, 0}, {COLL_OUTPUT, at(rank)}, bytes);
    for (int k = 1; k < nranks; k++) tasks.wait(kAlone, 2 * static_cast<uint32_t>(k) + 1);
    return tasks;
}

inline void is_refused(int status, int expected, const std::string &text) {
    CHECK_EQUAL(status, expected);
    CHECK_CONTAINS(comm_last_error(), text);
}

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_ASCEND_PLAN_PLAN_RANKS_H
