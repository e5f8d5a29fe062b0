// Domains: some of the ranks, over a part of the base windows or over windows of their own.
#include <sys/stat.h>

#include <cstring>
#include <vector>

#include "harness/check.h"
#include "harness/ranks.h"

using namespace rankunit::test;

namespace {

const CommContext &context_at(uint64_t address) {
    return *reinterpret_cast<const CommContext *>(address);
}

struct Domain {
    Domain(const Comm &comm, uint64_t id, const std::vector<uint32_t> &ranks, uint32_t place, size_t bytes)
        : status(comm_alloc_domain_windows(comm.handle(), id, ranks.data(), ranks.size(), place, bytes, &address,
                                           &base)) {}

    const CommContext &context() const { return context_at(address); }
    uint64_t *word(size_t of) const { return reinterpret_cast<uint64_t *>(context().windowsIn[of]); }

    uint64_t address = 0;
    uint64_t base = 0;
    int status;
};

}  // namespace

TEST(a_derived_context_numbers_its_ranks_anew_over_a_part_of_the_windows) {
    const TempFolder folder;
    run_ranks(4, [&](int rank) {
        Comm comm(rank, 4, folder.file("root"), 8192);
        if (rank % 2 == 1) {
            const uint32_t ranks[] = {3, 1};
            const uint32_t place = rank == 3 ? 0 : 1;
            uint64_t address = 0;
            CHECK_EQUAL(comm_derive_context(comm.handle(), ranks, 2, place, 4096, 1024, &address), COMM_OK);
            const CommContext &context = context_at(address);
            CHECK_EQUAL(context.rankId, place);
            CHECK_EQUAL(context.rankNum, 2u);
            CHECK_EQUAL(context.winSize, 1024u);
            CHECK_EQUAL(context.windowsIn[0], comm.context().windowsIn[3] + 4096);
            CHECK_EQUAL(context.windowsIn[1], comm.context().windowsIn[1] + 4096);
            CHECK_EQUAL(context.windowsIn[2], 0u);
        }
        comm.barrier();
    });
}

TEST(parts_that_are_not_inside_a_window_are_refused_with_both_values) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"), 8192);
    const uint32_t self = 0;
    uint64_t address = 0;
    const auto derive = [&](size_t offset, size_t size) {
        return comm_derive_context(comm.handle(), &self, 1, 0, offset, size, &address);
    };
    CHECK_EQUAL(derive(8192, 0), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(derive(8000, 193), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(std::string(comm_last_error()),
                "window_offset = 8000, window_size = 193: not a part of a window, which has 8192 bytes");
    CHECK_EQUAL(derive(SIZE_MAX, 1), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(derive(1, SIZE_MAX), COMM_INVALID_ARGUMENT);
    CHECK_EQUAL(derive(8000, 192), COMM_OK);
}

TEST(ranks_that_make_no_domain_are_refused_with_the_reason) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"), 8192);
    uint64_t address = 0;
    uint64_t base = 0;
    const auto refuse = [&](std::vector<uint32_t> ranks, uint32_t place, size_t bytes, const char *text) {
        CHECK_EQUAL(
            comm_alloc_domain_windows(comm.handle(), 1, ranks.data(), ranks.size(), place, bytes, &address, &base),
            COMM_INVALID_ARGUMENT);
        CHECK_EQUAL(std::string(comm_last_error()), text);
    };
    refuse({1}, 0, 1, "rank_ids[0] = 1 is not in [0, nranks = 1)");
    refuse({0, 0}, 0, 1, "rank_count = 2 is not in [1, nranks = 1]");
    refuse({0}, 1, 1, "domain_rank = 1 is not in [0, rank_count = 1)");
    refuse({0}, 0, 0, "window_size is 0");
    CHECK_EQUAL(comm_barrier(comm.handle()), COMM_OK);
}

TEST(a_domain_has_windows_of_its_own_and_the_others_need_not_know) {
    const TempFolder folder;
    run_ranks(4, [&](int rank) {
        Comm comm(rank, 4, folder.file("root"), 4096);
        if (rank != 0) {
            const Domain domain(comm, 7, {2, 3, 1}, rank == 1 ? 2u : static_cast<uint32_t>(rank - 2), 100);
            CHECK_EQUAL(domain.status, COMM_OK);
            const CommContext &context = domain.context();
            CHECK_EQUAL(context.rankNum, 3u);
            CHECK(context.winSize >= 100u);
            CHECK_EQUAL(domain.base, context.windowsIn[context.rankId]);
            CHECK_EQUAL(*domain.word(0), 0u);
            CHECK_EQUAL(comm_domain_barrier(comm.handle(), 7), COMM_OK);
            *domain.word((context.rankId + 1) % 3) = 10 + context.rankId;
            CHECK_EQUAL(comm_domain_barrier(comm.handle(), 7), COMM_OK);
            CHECK_EQUAL(*domain.word(context.rankId), 10 + (context.rankId + 2) % 3);
            CHECK_EQUAL(comm_release_domain_windows(comm.handle(), 7, 3, context.rankId), COMM_OK);
            CHECK_EQUAL(comm_domain_barrier(comm.handle(), 7), COMM_INVALID_ARGUMENT);
        }
        comm.barrier();
    });
}

TEST(an_id_may_be_used_again_at_once_and_windows_are_zero_each_time) {
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        Comm comm(rank, 3, folder.file("root"), 4096);
        const int before = open_descriptors();
        for (int round = 0; round < 200; round++) {
            const Domain domain(comm, 1, {0, 1, 2}, static_cast<uint32_t>(rank), 4096);
            CHECK_EQUAL(domain.status, COMM_OK);
            for (size_t of = 0; of < 3; of++) CHECK_EQUAL(domain.word(of)[rank], 0u);
            CHECK_EQUAL(comm_domain_barrier(comm.handle(), 1), COMM_OK);
            for (size_t of = 0; of < 3; of++) domain.word(of)[rank] = ~uint64_t{0};
            CHECK_EQUAL(comm_release_domain_windows(comm.handle(), 1, 3, static_cast<uint32_t>(rank)), COMM_OK);
        }
        // A rank that has slept watches the processes of its two peers.
        CHECK(open_descriptors() <= before + 2);
    });
}

TEST(domains_of_the_same_rank_with_different_others_do_not_disturb_each_other) {
    const TempFolder folder;
    run_ranks(4, [&](int rank) {
        Comm comm(rank, 4, folder.file("root"), 4096);
        // A ring of pairs: each rank is in two of them, and even ranks begin at the other end.
        const auto pair = [&](int left) {
            const std::vector<uint32_t> ranks{static_cast<uint32_t>(left), static_cast<uint32_t>((left + 1) % 4)};
            const uint32_t place = rank == left ? 0 : 1;
            const Domain domain(comm, static_cast<uint64_t>(left), ranks, place, 4096);
            CHECK_EQUAL(domain.status, COMM_OK);
            domain.word(1 - place)[0] = static_cast<uint64_t>(100 + rank);
            CHECK_EQUAL(comm_domain_barrier(comm.handle(), static_cast<uint64_t>(left)), COMM_OK);
            CHECK_EQUAL(domain.word(place)[0], 100 + ranks[1 - place]);
        };
        const int left = (rank + 3) % 4;
        for (int i = 0; i < 2; i++) pair(rank % 2 == i ? rank : left);
        for (const int end : {rank, left}) {
            const uint32_t place = rank == end ? 0 : 1;
            CHECK_EQUAL(comm_release_domain_windows(comm.handle(), static_cast<uint64_t>(end), 3, place),
                        COMM_INVALID_ARGUMENT);
        }
        for (int i = 0; i < 2; i++) {
            const int end = rank % 2 == i ? rank : left;
            CHECK_EQUAL(comm_release_domain_windows(comm.handle(), static_cast<uint64_t>(end), 2, rank == end ? 0 : 1),
                        COMM_OK);
        }
    });
}

TEST(ranks_that_mean_different_windows_all_hear_both_values) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"), 4096);
        const Domain domain(comm, 1, {0, 1}, static_cast<uint32_t>(rank), rank == 0 ? 64 : 128);
        CHECK_EQUAL(domain.status, COMM_MISMATCH);
        CHECK_EQUAL(std::string(comm_last_error()), "rank 1 asked for windows of 128 bytes, rank 0 for 64");
    });
}

TEST(ranks_that_mean_different_members_all_hear_both_lists) {
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        Comm comm(rank, 2, folder.file("root"), 4096);
        const std::vector<uint32_t> order = rank == 0 ? std::vector<uint32_t>{0, 1} : std::vector<uint32_t>{1, 0};
        const Domain domain(comm, 1, order, 0, 64);
        CHECK_EQUAL(domain.status, COMM_MISMATCH);
        CHECK_CONTAINS(comm_last_error(), "for windows of ranks ");
    });
}

TEST(a_rank_that_never_comes_is_named_with_the_domain) {
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        Comm comm(rank, 3, folder.file("root"), 4096);
        if (rank == 2) {
            CHECK_EQUAL(comm_barrier(comm.handle()), COMM_ABORTED);
            return;
        }
        CHECK_EQUAL(comm_set_timeout(comm.handle(), rank == 0 ? 100 : 20'000), COMM_OK);
        const Domain domain(comm, 5, {0, 1, 2}, static_cast<uint32_t>(rank), 64);
        CHECK(domain.status != COMM_OK);
        CHECK_CONTAINS(comm_last_error(), "for the windows of the domain of ranks 0, 1, 2; rank 2 had not arrived");
    });
}

TEST(a_rank_outside_of_a_domain_may_leave_meanwhile) {
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        Comm comm(rank, 3, folder.file("root"), 4096);
        if (rank == 2) return;
        for (uint64_t id = 0; id < 20; id++) {
            const Domain domain(comm, id, {1, 0}, rank == 0 ? 1 : 0, 64);
            CHECK_EQUAL(domain.status, COMM_OK);
        }
        for (uint64_t id = 0; id < 20; id++) CHECK_EQUAL(comm_domain_barrier(comm.handle(), id), COMM_OK);
    });
}

TEST(an_id_in_use_is_refused) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"), 4096);
    CHECK_EQUAL(Domain(comm, 3, {0}, 0, 64).status, COMM_OK);
    CHECK_EQUAL(Domain(comm, 3, {0}, 0, 64).status, COMM_INVALID_STATE);
    CHECK_EQUAL(std::string(comm_last_error()), "allocation_id = 3 is in use on this rank");
}
