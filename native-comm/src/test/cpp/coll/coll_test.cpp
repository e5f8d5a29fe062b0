// Schedules on real ranks.
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "coll/coll_support.h"
#include "harness/check.h"
#include "harness/ranks.h"
#include "rankunit/device.h"

using namespace rankunit::test;

namespace {

// In each window: the input at 0, the output behind it.
void all_reduces_are_exact(int nranks, uint64_t elements, int rounds) {
    const TempFolder folder;
    run_ranks(nranks, [&](int rank) {
        const uint64_t bytes = elements * sizeof(float);
        Comm comm(rank, nranks, folder.file("root"), 2 * bytes + 64);
        const uint32_t plan = created(comm, "all-reduce", {}, direct_all_reduce(rank, nranks, elements, sizeof(float)));
        auto *const input = comm.window<float>(rank);
        const float *const output = input + elements;
        for (int round = 0; round < rounds; round++) {
            const auto value = [&](int of, uint64_t i) { return static_cast<float>((of + 1) * (i % 97) + round); };
            for (uint64_t i = 0; i < elements; i++) input[i] = value(rank, i);
            run(comm, plan, 0, bytes);
            for (uint64_t i = 0; i < elements; i++) {
                float expected = 0;
                for (int of = 0; of < nranks; of++) expected += value(of, i);
                if (output[i] != expected) CHECK_EQUAL(output[i], expected);
            }
        }
        CHECK_EQUAL(coll_plan_destroy(comm.handle(), plan), COMM_OK);
    });
}

}  // namespace

TEST(one_rank_copies) {
    all_reduces_are_exact(1, 1000, 3);
}
TEST(two_ranks_reduce_a_few_elements_many_times) {
    all_reduces_are_exact(2, 16, 5'000);
}
TEST(two_ranks_reduce_many_elements) {
    all_reduces_are_exact(2, 100'003, 20);
}
TEST(three_ranks_reduce) {
    all_reduces_are_exact(3, 10'007, 50);
}
TEST(four_ranks_reduce) {
    all_reduces_are_exact(4, 10'007, 50);
}
TEST(what_does_not_fit_in_most_caches_is_reduced) {
    all_reduces_are_exact(2, 3'000'001, 2);
}
TEST(more_ranks_than_elements_reduce) {
    all_reduces_are_exact(9, 5, 50);
}

TEST(streams_that_wait_for_each_other_and_for_peers_all_go_on) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        const int peer = 1 - rank;
        // A sub stream reads from the peer; the main one starts it and waits for it.
        Tasks tasks;
        tasks.move(COLL_COPY, kAlone, {COLL_INPUT, 0}, {COLL_CCL_OUT, 128}, 8).post(kAlone, 3).wait(kAlone, 1);
        tasks.wait(kAlone, 3, 2).post(peer, 0, 2).wait(peer, 0, 2);
        tasks.move(COLL_GET, peer, {COLL_CCL_OUT, 128}, {COLL_OUTPUT, 8}, 8, 2);
        tasks.post(peer, 1, 2).wait(peer, 1, 2).post(kAlone, 1, 2);
        tasks.move(COLL_COPY, kAlone, {COLL_CCL_OUT, 128}, {COLL_OUTPUT, 0}, 8);
        uint32_t plan = created(comm, "exchange", {COLL_INT64, COLL_SUM, COLL_SINGLE_OPERATOR}, tasks);
        auto *const window = comm.window<uint64_t>(rank);
        for (uint64_t round = 0; round < 2'000; round++) {
            // Any memory of this rank, so the offsets need not be those of the peer.
            const auto address = reinterpret_cast<uint64_t>(window + 10 * rank);
            window[10 * rank] = round * 10 + static_cast<uint64_t>(rank);
            run(comm, plan, address, address + 16);
            CHECK_EQUAL(window[10 * rank + 2], round * 10 + static_cast<uint64_t>(rank));
            CHECK_EQUAL(window[10 * rank + 3], round * 10 + static_cast<uint64_t>(peer));
        }
    });
}

TEST(puts_write_and_reduce_at_the_peer) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        const int peer = 1 - rank;
        Tasks tasks;
        tasks.post(peer, 0).wait(peer, 0);
        tasks.move(COLL_PUT, peer, {COLL_INPUT, 0}, {COLL_OUTPUT, 0}, 8);
        tasks.move(COLL_PUT_REDUCE, peer, {COLL_INPUT, 8}, {COLL_OUTPUT, 0}, 8);
        tasks.post(peer, 1).wait(peer, 1);
        tasks.move(COLL_REDUCE, kAlone, {COLL_INPUT, 0}, {COLL_OUTPUT, 0}, 8);
        const uint32_t plan = created(comm, "puts", {COLL_UINT64, COLL_MAX, COLL_WINDOWS}, tasks);
        auto *const window = comm.window<uint64_t>(rank);
        window[0] = static_cast<uint64_t>(rank + 1);
        window[1] = static_cast<uint64_t>(10 - rank);
        run(comm, plan, 0, 64);
        CHECK_EQUAL(window[8], static_cast<uint64_t>(10 - peer));
    });
}

TEST(a_source_that_is_the_target_is_read_after_what_was_written_there) {
    const TempFolder folder;
    Comm comm(0, 1, folder.file("root"));
    Tasks tasks;
    tasks.move(COLL_COPY, kAlone, {COLL_INPUT, 0}, {COLL_OUTPUT, 0}, 64);
    tasks.move(COLL_REDUCE, kAlone, {COLL_OUTPUT, 0}, {COLL_OUTPUT, 0}, 64);
    tasks.move(COLL_REDUCE, kAlone, {COLL_INPUT, 0}, {COLL_OUTPUT, 0}, 64);
    const uint32_t plan = created(comm, "three times", {COLL_INT32, COLL_SUM, COLL_WINDOWS}, tasks);
    auto *const window = comm.window<int32_t>(0);
    for (int i = 0; i < 16; i++) window[i] = i + 1;
    run(comm, plan, 0, 64);
    for (int i = 0; i < 16; i++) CHECK_EQUAL(window[16 + i], 3 * (i + 1));
    run(comm, plan, 64, 64);
    for (int i = 0; i < 16; i++) CHECK_EQUAL(window[16 + i], 3 * 4 * (i + 1));
}

TEST(all_plans_of_a_communicator_use_the_same_ccl_buffers) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"));
        const int peer = 1 - rank;
        const Kind kind{COLL_INT64, COLL_SUM, COLL_SINGLE_OPERATOR};
        const Tasks fills = Tasks()
                                .move(COLL_COPY, kAlone, {COLL_INPUT, 0}, {COLL_CCL_IN, 64}, 8)
                                .move(COLL_COPY, kAlone, {COLL_INPUT, 8}, {COLL_CCL_OUT, 0}, 8)
                                .post(peer, 0)
                                .wait(peer, 0);
        const Tasks reads = Tasks()
                                .move(COLL_GET, peer, {COLL_CCL_IN, 64}, {COLL_OUTPUT, 0}, 8)
                                .move(COLL_GET, peer, {COLL_CCL_OUT, 0}, {COLL_OUTPUT, 8}, 8)
                                .post(peer, 0)
                                .wait(peer, 0);
        const uint32_t first = created(comm, "fills", kind, fills);
        const uint32_t second = created(comm, "reads", kind, reads);
        auto *const window = comm.window<uint64_t>(rank);
        const auto address = reinterpret_cast<uint64_t>(window);
        window[0] = 10 + static_cast<uint64_t>(rank);
        window[1] = 20 + static_cast<uint64_t>(rank);
        run(comm, first, address, 0);
        CHECK_EQUAL(coll_plan_destroy(comm.handle(), first), COMM_OK);
        run(comm, second, 0, address + 16);
        CHECK_EQUAL(window[2], 10 + static_cast<uint64_t>(peer));
        CHECK_EQUAL(window[3], 20 + static_cast<uint64_t>(peer));
    });
}
