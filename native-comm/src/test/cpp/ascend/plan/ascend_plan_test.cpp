// What schedules on the streams of the vendor's runtime compute, and what they use.
#include <algorithm>

#include "ascend/plan/plan_ranks.h"

using namespace rankunit::test;

namespace {

// Parts go round, reduced by each rank into the next one's output, and then round again.
Tasks ring_all_reduce(int rank, int nranks, uint64_t elements, uint64_t element_bytes) {
    Tasks tasks;
    const int next = (rank + 1) % nranks;
    const int before = (rank + nranks - 1) % nranks;
    const auto from = [&](int part) { return elements * static_cast<uint64_t>(part) / nranks * element_bytes; };
    tasks.move(COLL_COPY, kAlone, {COLL_INPUT, 0}, {COLL_OUTPUT, 0}, elements * element_bytes);
    tasks.post(before, 0).wait(next, 0);
    for (int step = 0; step < 2 * (nranks - 1); step++) {
        const int part = (rank + 2 * nranks - step) % nranks;
        const CollTaskKind kind = step < nranks - 1 ? COLL_PUT_REDUCE : COLL_PUT;
        tasks.move(kind, next, {COLL_OUTPUT, from(part)}, {COLL_OUTPUT, from(part)}, from(part + 1) - from(part));
        tasks.post(next, 1).wait(before, 1);
        // The notify is taken before it is set again.
        tasks.post(before, 2).wait(next, 2);
    }
    return tasks;
}

std::vector<uint8_t> bytes_of(int rank, size_t count, int round) {
    std::vector<uint8_t> bytes(count);
    for (size_t i = 0; i < count; i++) bytes[i] = static_cast<uint8_t>(31 * i + 7 * i / 256 + 101 * rank + round);
    return bytes;
}

template <typename T>
void ring_reduces_exactly(int nranks, uint64_t elements, const Kind &kind) {
    const TempFolder folder;
    run_ranks(nranks, [&](int rank) {
        const PlanRank self(rank, nranks, folder);
        const uint64_t bytes = elements * sizeof(T);
        const uint32_t plan = self.created("ring", kind, ring_all_reduce(rank, nranks, elements, sizeof(T)));
        for (int round = 0; round < 5; round++) {
            const auto value = [&](int of, uint64_t i) { return static_cast<T>((of + 1) * (i % 13) + round); };
            std::vector<T> input;
            std::vector<T> expected;
            for (uint64_t i = 0; i < elements; i++) {
                input.push_back(value(rank, i));
                expected.push_back(value(0, i));
                for (int of = 1; of < nranks; of++) {
                    const T next = value(of, i);
                    T &result = expected.back();
                    result = static_cast<T>(kind.reduction == COLL_SUM   ? result + next
                                            : kind.reduction == COLL_MAX ? std::max(result, next)
                                                                         : std::min(result, next));
                }
            }
            self.give(self.window() + 64, input);
            self.run(plan, 64, 64 + bytes);
            CHECK(self.got<T>(self.window() + 64 + bytes, elements) == expected);
            // Others may still write here until then.
            comm_barrier(self.comm());
        }
    });
}

}  // namespace

TEST(a_mesh_gathers_all_bytes_in_memory_of_each_rank) {
    for (const Way &way : ways()) {
        if (way.name == "hccl") continue;
        for (const int nranks : {1, 2, 4}) {
            const Machine machine(way);
            const TempFolder folder;
            run_ranks(nranks, [&](int rank) {
                const PlanRank self(rank, nranks, folder);
                constexpr size_t kCount = 1003;
                const uint64_t input = self.device().allocate(kCount);
                const uint64_t output = self.device().allocate(kCount * static_cast<size_t>(nranks));
                const uint32_t plan = self.created("mesh", kBytes, mesh_all_gather(rank, nranks, kCount));
                for (int round = 0; round < 5; round++) {
                    self.give(input, bytes_of(rank, kCount, round));
                    self.run(plan, input, output);
                    for (int of = 0; of < nranks; of++) {
                        CHECK(self.got<uint8_t>(output + static_cast<size_t>(of) * kCount, kCount) ==
                              bytes_of(of, kCount, round));
                    }
                }
                CHECK_EQUAL(coll_plan_destroy(self.comm(), plan), COMM_OK);
            });
        }
    }
}

TEST(a_ring_reduces_in_windows) {
    const Machine machine(ways().front());
    ring_reduces_exactly<int32_t>(2, 1001, {COLL_INT32, COLL_SUM, COLL_WINDOWS});
    ring_reduces_exactly<int32_t>(4, 1001, {COLL_INT32, COLL_SUM, COLL_WINDOWS});
    ring_reduces_exactly<float>(3, 500, {COLL_FLOAT32, COLL_SUM, COLL_WINDOWS});
    ring_reduces_exactly<int8_t>(3, 500, {COLL_INT8, COLL_MAX, COLL_WINDOWS});
    ring_reduces_exactly<int16_t>(2, 500, {COLL_INT16, COLL_MIN, COLL_WINDOWS});
}

TEST(each_rank_reads_and_reduces_what_its_peers_have) {
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        const PlanRank self(rank, 3, folder);
        const uint32_t plan = self.created("direct", kSums, direct_all_reduce(rank, 3, 100, 4));
        std::vector<int32_t> expected;
        std::vector<int32_t> input;
        for (int i = 0; i < 100; i++) {
            input.push_back(1000 * rank + i);
            expected.push_back(3000 + 3 * i);
        }
        self.give(self.window(), input);
        self.run(plan, 0, 400);
        CHECK(self.got<int32_t>(self.window() + 400, 100) == expected);
    });
}

TEST(streams_reduce_what_the_vendor_documents_and_all_ranks_refuse_the_rest) {
    const Machine machine({"handle", "Ascend910B3", ""});
    const TempFolder folder;
    const Trace trace;
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, folder);
        // Only rank 1 reduces.
        const Tasks tasks = rank == 0 ? Tasks() : Tasks().move(COLL_REDUCE, kAlone, {}, {COLL_OUTPUT, 0}, 8);
        uint32_t plan = 0;
        is_refused(self.create("it", {COLL_FLOAT32, COLL_PROD, COLL_WINDOWS}, tasks, &plan), COMM_NOT_SUPPORTED,
                   "rank 1: aclrtReduceAsync, by which streams reduce, has no products, but sums, maxima and minima");
        for (const CollType type : {COLL_FLOAT64, COLL_INT64, COLL_UINT8, COLL_UINT16, COLL_UINT64}) {
            CHECK_EQUAL(self.create("it", {type, COLL_SUM, COLL_WINDOWS}, tasks, &plan), COMM_NOT_SUPPORTED);
        }
        is_refused(self.create("it", {COLL_UINT32, COLL_SUM, COLL_WINDOWS}, tasks, &plan), COMM_NOT_SUPPORTED,
                   "rank 1: aclrtReduceAsync, by which streams reduce, does not take uint32: on Ascend910B3 it takes "
                   "float32, float16, bfloat16, int8, int16 and int32");
        for (const CollType type : {COLL_FLOAT32, COLL_FLOAT16, COLL_BFLOAT16, COLL_INT8, COLL_INT16, COLL_INT32}) {
            self.run(self.created("it", {type, COLL_MAX, COLL_WINDOWS}, tasks), 0, 64);
        }
        self.created("copies", {COLL_FLOAT64, COLL_PROD, COLL_WINDOWS}, Tasks());
        CHECK_EQUAL(comm_aborted_by(self.comm()), -1);
    });
    std::vector<std::string> calls;
    for (const int number : {0, 1, 27, 2, 6, 3}) {
        calls.push_back("aclrtReduceAsync(8, 11, " + std::to_string(number) + ") = 0");
    }
    trace.require_order(calls);
}

TEST(devices_of_the_a5_reduce_uint32_too) {
    const Machine machine({"handle on A5", "Ascend950PR_9589", ""});
    ring_reduces_exactly<uint32_t>(2, 100, {COLL_UINT32, COLL_SUM, COLL_WINDOWS});
}

TEST(a_rank_says_more_notifies_than_a_message_holds) {
    const Machine machine(ways().front());
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, folder);
        Tasks tasks;
        const uint32_t count = rank == 0 ? 70 : 40;
        for (uint32_t i = 0; i < 110 - count; i++) tasks.post(1 - rank, i);
        for (uint32_t i = 0; i < count; i++) tasks.wait(1 - rank, i);
        self.run(self.created("many", kBytes, tasks), 0, 0);
        comm_barrier(self.comm());
    });
}

TEST(runs_share_what_the_plan_has_and_all_of_it_is_given_back) {
    const Machine machine({"handle", "Ascend910B3", ""});
    const TempFolder folder;
    const Trace trace;
    run_ranks(2, [&](int rank) {
        const PlanRank self(rank, 2, folder);
        const uint64_t memory = self.device().allocate(4096);
        for (int made = 0; made < 4; made++) {
            const uint32_t plan = self.created("mesh", kBytes, mesh_all_gather(rank, 2, 64));
            for (int round = 0; round < 3; round++) self.run(plan, memory, memory + 1024);
            CHECK_EQUAL(coll_plan_destroy(self.comm(), plan), COMM_OK);
        }
        // The first one is freed when the third is made, as both ranks have given it up then.
        comm_barrier(self.comm());
        CHECK(trace.count("aclrtFreePhysical") >= 4);
        comm_barrier(self.comm());
    });
    // Of each rank and plan, two between streams and two of the peer.
    CHECK_EQUAL(trace.count("aclrtCreateNotify"), 2 * 4 * 4);
    CHECK_EQUAL(trace.count("aclrtNotifyImportByKey"), 2 * 4 * 2);
    CHECK_EQUAL(trace.count("aclrtDestroyNotify"), 2 * 4 * 6);
    for (const char *bad : {"FREED", "LEFT", "DESTROYED"}) CHECK_EQUAL(trace.count(bad), 0);
}
