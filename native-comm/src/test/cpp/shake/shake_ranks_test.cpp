// Shaken devices of several ranks. Nothing here starts a thread before it forks, which ThreadSanitizer does not
// support.
#include <cstdint>
#include <fstream>
#include <set>
#include <string>

#include "shake/shake_support.h"

using namespace rankunit::test;

// The streams of each rank, and the order in which they signal to cells of the others.
TEST(ranks_with_the_same_seed_signal_each_other_in_the_same_order) {
    constexpr int kRanks = 3;
    constexpr int kSignals = 6;
    const auto run = [](uint64_t seed) {
        const TempFolder folder;
        const std::string path = folder.file("order");
        const std::string results = folder.file("results");
        run_ranks(kRanks, [&](int rank) {
            Comm comm(rank, kRanks, folder.file("comm"));
            const GraphDevice device;
            CHECK_STATUS(device_shake_group(device.get(), path.c_str(), rank, kRanks));
            comm.barrier();
            const Stream first(device), second(device);
            shaken(device, DEVICE_SHAKE_RANDOM, 64 * seed + static_cast<uint64_t>(rank), [&] {
                // the last one to set a cell of rank 0 is what is found there
                for (int i = 0; i < kSignals; i++) {
                    const auto cell = reinterpret_cast<uint64_t>(comm.window<int32_t>(0) + i);
                    const Stream &stream = i % 2 == 0 ? first : second;
                    CHECK_STATUS(stream_signal(device.get(), stream.number(), cell, KERNEL_SIGNAL_SET, rank + 1));
                }
                first.synchronize();
                second.synchronize();
            });
            comm.barrier();
            if (rank != 0) return;
            std::ofstream file(results);
            for (int i = 0; i < kSignals; i++) file << comm.window<int32_t>(0)[i];
        });
        std::string text;
        std::ifstream(results) >> text;
        unlink(results.c_str());
        unlink(path.c_str());
        return text;
    };
    std::set<std::string> different;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const std::string first = run(seed);
        CHECK_EQUAL(first.size(), static_cast<size_t>(kSignals));
        different.insert(first);
        for (int i = 0; i < 3; i++) CHECK_EQUAL(run(seed), first);
    }
    CHECK(different.size() > 1);
}
