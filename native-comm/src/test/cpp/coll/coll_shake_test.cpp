// A collective whose schedule is shaken: streams overtake each other where nothing orders them, and only there.
#include <unistd.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "coll/coll_support.h"
#include "harness/check.h"
#include "harness/ranks.h"
#include "rankunit/device.h"

using namespace rankunit::test;

namespace {

constexpr uint64_t kOutput = 512;
constexpr uint64_t kSeeds = 20;

// A device of this process, to shake it.
class Shaker {
public:
    explicit Shaker(int id) { CHECK_EQUAL(device_open(id, &device_), DEVICE_OK); }
    Shaker(const Shaker &) = delete;
    Shaker &operator=(const Shaker &) = delete;
    ~Shaker() { device_close(device_); }

    void begin(uint32_t strategy, uint64_t seed) const {
        CHECK_EQUAL(device_shake(device_, strategy, seed), DEVICE_OK);
    }

    std::vector<std::string> end() const {
        const TempFolder folder;
        const std::string path = folder.file("decisions");
        uint64_t count = 0;
        uint64_t hash = 0;
        CHECK_EQUAL(device_shake_result(device_, path.c_str(), &count, &hash), DEVICE_OK);
        std::vector<std::string> lines;
        std::ifstream file(path);
        for (std::string line; std::getline(file, line);) lines.push_back(line);
        unlink(path.c_str());
        CHECK_EQUAL(lines.size(), count);
        return lines;
    }

private:
    DeviceHandle device_ = nullptr;
};

// The first stream writes what the second one reads. Whether it reads the old or the new is a matter of their order.
Tasks handed_on(bool ordered) {
    Tasks tasks;
    tasks.move(COLL_COPY, kAlone, {COLL_INPUT, 0}, {COLL_SCRATCH, 0}, 4, 0);
    if (ordered) tasks.post(kAlone, 0, 0).wait(kAlone, 0, 1);
    return tasks.move(COLL_COPY, kAlone, {COLL_SCRATCH, 0}, {COLL_OUTPUT, 0}, 4, 1);
}

// Whether the output is the input of this run, for one seed after the other.
std::vector<bool> is_new(bool ordered, uint32_t strategy) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    const Shaker shaker(0);
    const uint32_t plan = created(comm, "handed on", {}, handed_on(ordered));
    std::vector<bool> results;
    for (uint64_t seed = 1; seed <= kSeeds; seed++) {
        *comm.window<uint32_t>(0) = static_cast<uint32_t>(seed);
        shaker.begin(strategy, seed);
        run(comm, plan, 0, kOutput);
        shaker.end();
        results.push_back(comm.window<uint32_t>(0)[kOutput / 4] == seed);
    }
    return results;
}

}  // namespace

TEST(streams_that_nothing_orders_overtake_each_other_with_some_seeds) {
    for (const uint32_t strategy : {DEVICE_SHAKE_RANDOM, DEVICE_SHAKE_PCT}) {
        const std::vector<bool> results = is_new(false, strategy);
        const std::set<bool> different(results.begin(), results.end());
        CHECK_EQUAL(different.size(), 2u);
        CHECK(is_new(false, strategy) == results);
    }
}

TEST(streams_that_a_notify_orders_keep_their_order_with_all_seeds) {
    for (const uint32_t strategy : {DEVICE_SHAKE_RANDOM, DEVICE_SHAKE_PCT, DEVICE_SHAKE_DELAY}) {
        CHECK(is_new(true, strategy) == std::vector<bool>(kSeeds, true));
    }
}

TEST(each_step_of_each_stream_is_a_point_of_the_call) {
    const TempFolder folder;
    const Comm comm(0, 1, folder.file("root"));
    const Shaker shaker(0);
    const uint32_t plan = created(comm, "handed on", {}, handed_on(true));
    shaker.begin(DEVICE_SHAKE_RANDOM, 7);
    run(comm, plan, 0, kOutput);
    std::vector<std::string> points;
    for (const std::string &line : shaker.end()) points.push_back(line.substr(0, line.find(':')));
    CHECK(points == (std::vector<std::string>{"host, call 1", "host, call 1, stream 0 of the collective, step 0",
                                              "host, call 1, stream 0 of the collective, step 1",
                                              "host, call 1, stream 1 of the collective, step 0",
                                              "host, call 1, stream 1 of the collective, step 1"}));
}

TEST(shaken_ranks_compute_the_same_and_decide_the_same_again) {
    constexpr int kRanks = 3;
    constexpr uint64_t kElements = 10;
    const TempFolder folder;
    run_ranks(kRanks, [&](int rank) {
        Comm comm(rank, kRanks, folder.file("root"));
        const Shaker shaker(rank);
        const uint32_t plan = created(comm, "all-reduce", {}, direct_all_reduce(rank, kRanks, kElements, 4));
        std::vector<std::vector<std::string>> decisions;
        for (const uint64_t seed : {1, 2, 1}) {
            for (uint64_t i = 0; i < kElements; i++) {
                comm.window<float>(rank)[i] = static_cast<float>(i + seed * static_cast<uint64_t>(rank));
            }
            comm.barrier();
            shaker.begin(DEVICE_SHAKE_RANDOM, seed);
            run(comm, plan, 0, kOutput);
            decisions.push_back(shaker.end());
            for (uint64_t i = 0; i < kElements; i++) {
                CHECK_EQUAL(comm.window<float>(rank)[kOutput / 4 + i], static_cast<float>(3 * i + 3 * seed));
            }
            comm.barrier();
        }
        CHECK(decisions[0] == decisions[2]);
        CHECK(decisions[0] != decisions[1]);
    });
}
