// What a machine or a container can hold, as it tells.
#include "device/host_memory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "harness/check.h"
#include "harness/ranks.h"

using namespace rankunit::test;
using rankunit::device::memory_bound;
using rankunit::device::MemoryBound;

namespace {

// A root folder with proc and sys of its own.
class Root {
public:
    ~Root() {
        const std::string command = "rm -r '" + path_ + "'";
        if (std::system(command.c_str()) != 0) std::abort();
    }
    Root() {
        char name[] = "/tmp/rankunit-root-XXXXXX";
        path_ = mkdtemp(name);
    }
    void write(const std::string &file, const std::string &text) const {
        for (size_t at = 1; (at = file.find('/', at)) != std::string::npos; at++) {
            mkdir((path_ + file.substr(0, at)).c_str(), 0755);
        }
        std::ofstream(path_ + file) << text;
    }
    MemoryBound bound() const { return memory_bound(path_).value(); }
    std::string path_;
};

}  // namespace

TEST(without_control_groups_the_machine_is_the_bound) {
    const Root root;
    root.write("/proc/meminfo", "MemTotal:       1000 kB\nMemFree:  5 kB\nSwapTotal:  24 kB\n");
    CHECK_EQUAL(root.bound().bytes, 1024u * 1024u);
    CHECK_CONTAINS(root.bound().reason, "memory and swap of this machine");
}

TEST(the_narrowest_group_is_the_bound) {
    const Root root;
    root.write("/proc/meminfo", "MemTotal:       1000 kB\n");
    root.write("/proc/self/cgroup", "0::/kube/pod\n");
    root.write("/sys/fs/cgroup/kube/memory.max", "500000\n");
    root.write("/sys/fs/cgroup/kube/pod/memory.max", "max\n");
    CHECK_EQUAL(root.bound().bytes, 500000u);
    CHECK_CONTAINS(root.bound().reason, "(memory.max)");
}

TEST(groups_of_version_1_are_read_too) {
    const Root root;
    root.write("/proc/meminfo", "MemTotal:       1000 kB\n");
    root.write("/proc/self/cgroup", "3:cpu:/a\n9:memory:/docker/1a\n");
    root.write("/sys/fs/cgroup/memory/docker/1a/memory.limit_in_bytes", "700000\n");
    CHECK_EQUAL(root.bound().bytes, 700000u);
}

TEST(a_container_that_sees_itself_as_the_root_is_bound_too) {
    const Root root;
    root.write("/proc/meminfo", "MemTotal:       1000 kB\n");
    root.write("/proc/self/cgroup", "0::/\n");
    root.write("/sys/fs/cgroup/memory.max", "300000\n");
    CHECK_EQUAL(root.bound().bytes, 300000u);
}

TEST(where_nothing_can_be_read_there_is_no_bound) {
    const Root root;
    CHECK(!memory_bound(root.path_).has_value());
}

TEST(windows_that_can_never_be_held_are_refused_with_both_numbers_on_every_rank) {
    const TempFolder folder;
    const uint64_t most = memory_bound("").value().bytes;
    run_ranks(2, [&](int rank) {
        CommHandle comm = comm_init(rank, 2, nullptr, folder.file("root").c_str());
        uint64_t context = 0;
        const int status = comm_alloc_windows(comm, most, &context);
        CHECK_EQUAL(status, rank == 0 ? COMM_OUT_OF_MEMORY : COMM_ABORTED);
        CHECK_CONTAINS(comm_last_error(), "the windows of all ranks take ");
        CHECK_CONTAINS(comm_last_error(), " is " + std::to_string(most) + " bytes; ask for smaller windows");
        CHECK_EQUAL(comm_destroy(comm), COMM_OK);
    });
}
