// Communicators on the emulated machine whose ranks meet over a network, as on several machines.
#include <cstdio>

#include "ascend/ascend_ranks.h"

using namespace rankunit::test;

namespace {

std::string describe(const AscendRank &self) {
    char text[1024];
    CHECK_EQUAL(comm_describe(self.comm(), text, sizeof(text)), COMM_OK);
    return text;
}

// The way by which ranks of several machines share windows where the libraries of this run have it.
std::string expected_way(const Way &way) {
    return way.name == "fabric" ? "shared by fabric handles" : "shared by the buffers of an HCCL communicator";
}

bool has_hccl() {
    return vendor() != "vendor-acl-rt";
}

}  // namespace

TEST(only_ways_that_span_machines_are_taken) {
    const Setting address("RANKUNIT_MEET_ADDRESS", "127.0.0.1");
    for (const Way &way : ways()) {
        if (way.name != "fabric" && !has_hccl()) continue;
        const Machine machine(way);
        const TempFolder folder;
        const Trace trace;
        std::printf("        %s\n", way.name.c_str());
        run_ranks(3, [&](int rank) {
            AscendRank self(rank, 3, folder.file("root"));
            self.up();
            CHECK_CONTAINS(describe(self), expected_way(way));
            const CommContext context = self.context();
            self.device().write(context.windowsIn[rank], {1000 + static_cast<uint64_t>(rank)});
            self.barrier();
            for (uint64_t pe = 0; pe < 3; pe++) CHECK_EQUAL(self.device().read(context.windowsIn[pe], 1)[0], 1000 + pe);
            self.barrier();
        });
        CHECK_EQUAL(trace.count("FREED"), 0);
        CHECK_EQUAL(trace.count("aclrtMemExportToShareableHandle("), 0);
        CHECK_EQUAL(trace.count("aclrtIpcMemGetExportKey"), 0);
    }
}

TEST(that_there_is_no_way_between_machines_is_said) {
    const Setting address("RANKUNIT_MEET_ADDRESS", "127.0.0.1");
    const Machine machine(ways().front());
    const Setting wanted("RANKUNIT_ASCEND_WINDOWS", "key");
    const TempFolder folder;
    run_ranks(2, [&](int rank) {
        AscendRank self(rank, 2, folder.file("root"));
        CHECK_EQUAL(self.allocate(), COMM_VENDOR);
        CHECK_CONTAINS(comm_last_error(), "memory keys: rank 0: the ranks meet over a network");
    });
}

TEST(a_device_that_fails_ends_the_wait_of_ranks_elsewhere) {
    const Setting address("RANKUNIT_MEET_ADDRESS", "127.0.0.1");
    const Machine machine(ways().front(), "aclrtMemset/dev1=207001");
    const TempFolder folder;
    run_ranks(3, [&](int rank) {
        AscendRank self(rank, 3, folder.file("root"));
        CHECK(self.allocate() != COMM_OK);
        CHECK_CONTAINS(comm_last_error(), "aclrtMemset");
        CHECK_EQUAL(comm_aborted_by(self.comm()), 1);
    });
}
