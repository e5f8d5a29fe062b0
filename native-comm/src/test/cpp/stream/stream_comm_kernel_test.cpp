// What kernels do between ranks: rankunit/comm_kernel.h.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "harness/check.h"
#include "harness/ranks.h"
#include "rankunit/comm_kernel.h"
#include "rankunit/stream.h"

using namespace rankunit::test;

namespace {

constexpr int64_t kLong = 60'000;
constexpr uint64_t kWindow = 4096;  // bytes

// One rank with a device, and some memory of it.
class Rank {
public:
    Rank(int rank, int ranks, const TempFolder &folder)
        : rank_(static_cast<uint32_t>(rank)), comm_(rank, ranks, folder.file("root"), kWindow) {
        CHECK_EQUAL(device_open(rank, &device_), DEVICE_OK);
        CHECK_EQUAL(device_set_timeout(device_, kLong), DEVICE_OK);
        CHECK_EQUAL(device_malloc(device_, kWindow, &memory_), DEVICE_OK);
        CHECK_EQUAL(device_zero(device_, memory_, kWindow), DEVICE_OK);
    }
    ~Rank() { device_close(device_); }

    uint64_t context() const { return reinterpret_cast<uint64_t>(&comm_.context()); }
    uint64_t window() const { return comm_.context().windowsIn[rank_]; }
    uint64_t peer_window() const { return comm_.context().windowsIn[1 - rank_]; }
    uint64_t memory() const { return memory_; }
    void barrier() { comm_.barrier(); }

    // The context is put before the arguments.
    int run(const char *kernel, std::vector<uint64_t> args, uint32_t blocks = 1) const {
        args.insert(args.begin(), context());
        KernelHandle handle = nullptr;
        uint32_t stream = 0;
        CHECK_EQUAL(device_load_kernel(device_, TEST_COMM_KERNELS, kernel, &handle), DEVICE_OK);
        CHECK_EQUAL(stream_create(device_, &stream), DEVICE_OK);
        CHECK_EQUAL(stream_launch(device_, stream, handle, args.data(), static_cast<int>(args.size()), blocks,
                                  STREAM_CORES_VECTOR),
                    DEVICE_OK);
        return stream_synchronize(device_, stream, kLong);
    }

    void run_well(const char *kernel, std::vector<uint64_t> args, uint32_t blocks = 1) const {
        if (run(kernel, std::move(args), blocks) != DEVICE_OK) failed(__FILE__, __LINE__, device_last_error());
    }

    template <typename T>
    void write(uint64_t address, const std::vector<T> &values) const {
        CHECK_EQUAL(device_copy_in(device_, address, values.data(), values.size() * sizeof(T)), DEVICE_OK);
    }

    template <typename T>
    std::vector<T> read(uint64_t address, size_t count) const {
        std::vector<T> values(count);
        CHECK_EQUAL(device_copy_out(device_, values.data(), address, count * sizeof(T)), DEVICE_OK);
        return values;
    }

private:
    const uint32_t rank_;
    Comm comm_;
    DeviceHandle device_ = nullptr;
    uint64_t memory_ = 0;
};

// `body` on 2 and on 4 ranks.
template <typename Body>
void on_2_and_4_ranks(Body body) {
    for (const int ranks : {2, 4}) {
        const TempFolder folder;
        run_ranks(ranks, [&](int number) {
            Rank rank(number, ranks, folder);
            rank.barrier();
            body(rank, number, ranks);
            rank.barrier();
        });
    }
}

template <typename T>
void check_values(const std::vector<T> &found, const std::vector<T> &expected) {
    CHECK_EQUAL(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); i++) {
        if (found[i] != expected[i]) {
            failed(__FILE__, __LINE__,
                   "[" + std::to_string(i) + "] is " + std::to_string(found[i]) + ", expected " +
                       std::to_string(expected[i]));
        }
    }
}

// So that another order gives another sum.
float input_of(int rank, int index) {
    const float values[] = {1e8f, 1.5f, -1e8f, 3.25f};
    return values[rank] * static_cast<float>(index + 1);
}

}  // namespace

TEST(a_put_writes_to_the_window_of_another_rank_and_a_get_reads_it) {
    on_2_and_4_ranks([](Rank &rank, int number, int ranks) {
        const auto next = static_cast<uint64_t>((number + 1) % ranks);
        const auto n = static_cast<float>(number);
        rank.write<float>(rank.memory(), {n, n + 0.5f, 7});
        rank.run_well("put_floats", {next, rank.window() + 8, rank.memory(), 2, RANKUNIT_REPLACE, 1});
        rank.barrier();
        const auto before = static_cast<float>((number + ranks - 1) % ranks);
        check_values<float>(rank.read<float>(rank.window(), 5), {0, 0, before, before + 0.5f, 0});
        rank.run_well("get_floats", {next, rank.memory(), rank.window() + 8, 2});
        check_values<float>(rank.read<float>(rank.memory(), 3), {n, n + 0.5f, 7});
    });
}

TEST(additions_of_all_ranks_to_the_same_elements_all_count) {
    constexpr uint64_t kTimes = 200, kBlocks = 4;
    on_2_and_4_ranks([](Rank &rank, int number, int ranks) {
        rank.write<int32_t>(rank.memory(), {1, -2});
        rank.write<float>(rank.memory() + 8, {1, 0.5f});
        rank.run_well("put_ints", {0, rank.window(), rank.memory(), 2, RANKUNIT_ADD, kTimes}, kBlocks);
        rank.run_well("put_floats", {0, rank.window() + 8, rank.memory() + 8, 2, RANKUNIT_ADD, kTimes}, kBlocks);
        rank.barrier();
        if (number != 0) return;
        const auto all = static_cast<int32_t>(kTimes * kBlocks * static_cast<uint64_t>(ranks));
        check_values<int32_t>(rank.read<int32_t>(rank.window(), 2), {all, -2 * all});
        check_values<float>(rank.read<float>(rank.window() + 8, 2),
                            {static_cast<float>(all), 0.5f * static_cast<float>(all)});
    });
}

TEST(an_asynchronous_put_is_not_seen_before_it_was_waited_for) {
    on_2_and_4_ranks([](Rank &rank, int number, int) {
        if (number > 1) return;
        rank.write<float>(rank.memory(), {42});
        if (number == 1) rank.write<float>(rank.window(), {5});
        rank.run_well("put_and_be_seen", {rank.window(), rank.memory()});
        if (number == 1) check_values<float>(rank.read<float>(rank.window(), 3), {42, 5, 42});
    });
}

TEST(who_does_not_wait_for_a_get_sees_old_data_until_the_kernel_has_ended) {
    on_2_and_4_ranks([](Rank &rank, int number, int ranks) {
        rank.write<float>(rank.window(), {static_cast<float>(number + 1)});
        rank.barrier();
        rank.run_well("get_without_waiting", {rank.memory(), rank.window(), 0});
        std::vector<float> expected;
        for (int other = 0; other < ranks; other++) expected.push_back(static_cast<float>(other + 1));
        expected.push_back(0);  // what the kernel saw
        check_values(rank.read<float>(rank.memory(), expected.size()), expected);
        // a kernel that fails moves nothing
        CHECK_EQUAL(rank.run("get_without_waiting", {rank.memory() + 1024, rank.window(), 9}), DEVICE_KERNEL_FAILED);
        check_values<float>(rank.read<float>(rank.memory() + 1024, 2), {0, 0});
    });
}

TEST(an_asynchronous_put_sends_what_the_source_holds_when_it_is_waited_for) {
    on_2_and_4_ranks([](Rank &rank, int number, int) {
        if (number != 0) return;
        rank.write<int32_t>(rank.memory(), {3});
        rank.run_well("add_later", {rank.window(), rank.memory()});
        check_values<int32_t>(rank.read<int32_t>(rank.window(), 1), {33});
    });
}

TEST(a_reduction_combines_the_root_first_and_then_the_others_in_ascending_order) {
    constexpr int kCount = 5;
    on_2_and_4_ranks([](Rank &rank, int number, int ranks) {
        std::vector<float> inputs;
        for (int i = 0; i < kCount; i++) inputs.push_back(input_of(number, i));
        rank.write(rank.window(), inputs);
        rank.barrier();
        bool order_matters = false;
        for (const RankUnitReduction reduction : {RANKUNIT_SUM, RANKUNIT_MAX, RANKUNIT_MIN}) {
            // each rank is the root of its own
            rank.run_well("reduce_floats", {rank.memory(), rank.window(), kCount, reduction});
            std::vector<float> expected;
            for (int i = 0; i < kCount; i++) {
                float result = input_of(number, i), ascending = 0;
                for (int other = 0; other < ranks; other++) {
                    const float value = input_of(other, i);
                    ascending += value;
                    if (other == number) continue;
                    if (reduction == RANKUNIT_SUM) result += value;
                    if (reduction == RANKUNIT_MAX) result = std::max(result, value);
                    if (reduction == RANKUNIT_MIN) result = std::min(result, value);
                }
                expected.push_back(result);
                order_matters = order_matters || (reduction == RANKUNIT_SUM && result != ascending);
            }
            check_values(rank.read<float>(rank.memory(), kCount), expected);
        }
        if (ranks == 4 && number == 2) CHECK(order_matters);
    });
}

TEST(a_reduction_of_integers_wraps_around) {
    on_2_and_4_ranks([](Rank &rank, int number, int ranks) {
        rank.write<int32_t>(rank.window(), {number + 1, INT32_MAX, -number});
        rank.barrier();
        rank.run_well("reduce_ints", {rank.memory(), rank.window(), 3, RANKUNIT_SUM});
        const int32_t sum = ranks * (ranks + 1) / 2;
        check_values<int32_t>(rank.read<int32_t>(rank.memory(), 3), {sum, -ranks, ranks - sum});
        rank.run_well("reduce_ints", {rank.memory(), rank.window(), 3, RANKUNIT_MIN});
        check_values<int32_t>(rank.read<int32_t>(rank.memory(), 3), {1, INT32_MAX, 1 - ranks});
    });
}

TEST(a_gather_concatenates_and_a_scatter_splits_and_a_broadcast_reaches_all) {
    constexpr int kCount = 3;
    on_2_and_4_ranks([](Rank &rank, int number, int ranks) {
        const auto values = [](int of) { return std::vector<int32_t>{10 * of, 10 * of + 1, 10 * of + 2}; };
        std::vector<int32_t> all;
        for (int other = 0; other < ranks; other++) {
            for (const int32_t value : values(other)) all.push_back(value);
        }
        rank.write(rank.window(), values(number));
        rank.barrier();
        for (int root = 0; root < ranks; root++) {
            const uint64_t scattered = rank.window() + 1024, sent = rank.window() + 2048;
            if (number == root) {
                rank.run_well("gather_ints", {rank.memory(), rank.window(), kCount});
                check_values(rank.read<int32_t>(rank.memory(), all.size()), all);
                rank.run_well("scatter_ints", {scattered, rank.memory(), kCount});
                rank.write<int32_t>(rank.memory(), {root + 100, root + 200});
                rank.run_well("broadcast_ints", {sent, rank.memory(), 2});
            }
            rank.barrier();
            std::vector<int32_t> part = values(number);
            part.push_back(0);
            check_values(rank.read<int32_t>(scattered, kCount + 1), part);
            check_values<int32_t>(rank.read<int32_t>(sent, 3), {root + 100, root + 200, 0});
            rank.barrier();
            rank.write<int32_t>(scattered, {0, 0, 0});
            rank.write<int32_t>(sent, {0, 0});
            rank.barrier();
        }
    });
}

TEST(mistakes_name_the_argument_and_its_bounds) {
    on_2_and_4_ranks([](Rank &rank, int number, int ranks) {
        if (number != 0) return;
        const uint64_t inside = rank.window(), outside = rank.memory(), last = rank.window() + kWindow - 4;
        const auto expect = [&](const char *kernel, const std::vector<uint64_t> &args, int status, const char *text) {
            CHECK_EQUAL(rank.run(kernel, args), status);
            CHECK_CONTAINS(device_last_error(), text);
        };
        const auto n = static_cast<uint64_t>(ranks);
        const std::string bounds = "rank = " + std::to_string(ranks) + " is not in [0, " + std::to_string(ranks) + ")";
        expect("put_floats", {n, inside, outside, 1, 0, 1}, DEVICE_KERNEL_FAILED, ("rankunit_put: " + bounds).c_str());
        expect("get_floats", {n, outside, inside, 1}, DEVICE_KERNEL_FAILED, ("rankunit_get: " + bounds).c_str());
        expect("put_floats", {1, outside, inside, 1, 0, 1}, DEVICE_KERNEL_FAILED, "rankunit_put: target = 0x");
        CHECK_CONTAINS(device_last_error(), " with 4 bytes is not within the own window, [0x");
        expect("put_floats", {1, last, outside, 2, 0, 1}, DEVICE_KERNEL_FAILED, "with 8 bytes is not within");
        expect("put_floats", {1, inside - 4, outside, 1, 0, 1}, DEVICE_KERNEL_FAILED, "is not within the own window");
        expect("put_floats", {1, inside + 2, outside, 1, 0, 1}, DEVICE_KERNEL_FAILED, "is not a multiple of 4");
        expect("put_floats", {1, inside, outside, UINT64_MAX, 0, 1}, DEVICE_KERNEL_FAILED,
               "count = 18446744073709551615");
        expect("put_floats", {1, inside, outside, 1, 2, 1}, DEVICE_KERNEL_FAILED, "how = 2 is not in [0, 1]");
        expect("put_floats", {1, inside, 64, 1, 0, 1}, DEVICE_BAD_ADDRESS, "address 0x40 is in no device memory");
        expect("put_floats", {1, inside, outside + 1, 1, 1, 1}, DEVICE_INVALID_ARGUMENT, "must all be multiples of 4");
        expect("get_floats", {1, inside, last, 2}, DEVICE_KERNEL_FAILED, "rankunit_get: source = 0x");
        expect("put_and_be_seen", {inside, 64}, DEVICE_BAD_ADDRESS, "address 0x40 is in no device memory");
        expect("reduce_floats", {outside, last, 2, 0}, DEVICE_KERNEL_FAILED, "rankunit_reduce: source = 0x");
        expect("reduce_floats", {outside, inside, 2, 3}, DEVICE_KERNEL_FAILED, "reduction = 3 is not in [0, 2]");
        expect("gather_ints", {outside, last, 2}, DEVICE_KERNEL_FAILED, "rankunit_gather: source = 0x");
        expect("gather_ints", {outside + kWindow - 4, inside, 1}, DEVICE_BAD_ADDRESS, "address 0x");
        expect("scatter_ints", {last, outside, 2}, DEVICE_KERNEL_FAILED, "rankunit_scatter: target = 0x");
        expect("broadcast_ints", {last, outside, 2}, DEVICE_KERNEL_FAILED, "rankunit_broadcast: target = 0x");
    });
}

TEST(what_a_call_reads_must_not_overlap_what_it_writes) {
    on_2_and_4_ranks([](Rank &rank, int number, int ranks) {
        if (number != 0) return;
        const uint64_t at = rank.window() + 256, of_peer = rank.peer_window() + 256;
        const auto n = static_cast<uint64_t>(ranks);
        const auto refused = [&](const char *kernel, const std::vector<uint64_t> &args, const char *call) {
            CHECK_EQUAL(rank.run(kernel, args), DEVICE_KERNEL_FAILED);
            CHECK_CONTAINS(device_last_error(), std::string(call) + ": target = [0x");
            CHECK_CONTAINS(device_last_error(), " overlap; use other memory for one of them");
        };
        refused("put_floats", {0, at, at + 4, 2, RANKUNIT_REPLACE, 1}, "rankunit_put");
        refused("put_floats", {0, at, at + 4, 2, RANKUNIT_ADD, 1}, "rankunit_put");
        refused("put_floats", {1, at, of_peer - 4, 2, RANKUNIT_REPLACE, 1}, "rankunit_put");
        refused("get_floats", {0, at + 4, at, 2}, "rankunit_get");
        refused("move_later", {0, at + 4, at, 2, 0}, "rankunit_put_async");
        refused("move_later", {0, at + 4, at, 2, 1}, "rankunit_put_async");
        refused("move_later", {0, at + 4, at, 2, 2}, "rankunit_get_async");
        refused("reduce_floats", {at + 4, at, 2, RANKUNIT_SUM}, "rankunit_reduce");
        refused("reduce_floats", {of_peer, at, 2, RANKUNIT_SUM}, "rankunit_reduce");
        refused("gather_ints", {at, at + 4, 1}, "rankunit_gather");
        refused("gather_ints", {of_peer, at, 1}, "rankunit_gather");
        refused("scatter_ints", {at + 4, at, 1}, "rankunit_scatter");
        refused("broadcast_ints", {at, at + 4, 2}, "rankunit_broadcast");
        for (const uint64_t which : {0, 1, 2}) {
            CHECK_EQUAL(rank.run("move_bytes", {at + 4, at, 8, which}), DEVICE_INVALID_ARGUMENT);
            CHECK_CONTAINS(device_last_error(), "of 8 bytes overlap by 4 bytes");
        }

        rank.run_well("put_floats", {0, at, at, 2, RANKUNIT_REPLACE, 1});
        rank.run_well("reduce_floats", {at, at, 2, RANKUNIT_SUM});
        rank.run_well("gather_ints", {at, at, 1});
        rank.run_well("scatter_ints", {at, at, 1});
        rank.run_well("broadcast_ints", {at, at, 2});
        rank.run_well("gather_ints", {at, at + 4 * n, 1});
        for (const uint64_t which : {0, 1, 2}) rank.run_well("move_bytes", {at, at, 8, which});
    });
}

TEST(events_are_waited_for_once_and_need_a_simulator_that_has_them) {
    on_2_and_4_ranks([](Rank &rank, int number, int) {
        if (number != 0) return;
        CHECK_EQUAL(rank.run("misuse_events", {rank.window(), rank.memory(), 0}), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(device_last_error(), "transfer 1 has been waited for already");
        CHECK_EQUAL(rank.run("misuse_events", {rank.window(), rank.memory(), 1}), DEVICE_INVALID_ARGUMENT);
        CHECK_CONTAINS(device_last_error(), "transfer 7 is none of the 0 that this block has started");
        rank.write<float>(rank.memory(), {4});
        CHECK_EQUAL(rank.run("misuse_events", {rank.window(), rank.memory(), 2}), DEVICE_KERNEL_FAILED);
        CHECK_CONTAINS(device_last_error(), "rankunit_put: this simulator is older than the kernel");
        check_values<float>(rank.read<float>(rank.window(), 1), {4});
    });
}

TEST(sums_of_halves_are_rounded_once_and_travel_like_other_elements) {
    on_2_and_4_ranks([](Rank &rank, int number, int ranks) {
        // 2048 + 1 and 256 + 1 are ties that round to even: a sum that is rounded after each rank stays there.
        const bool root = number == 0;
        rank.write<uint16_t>(rank.window(), {static_cast<uint16_t>(root ? 0x6800 : 0x3c00), 0x7c00});
        rank.write<uint16_t>(rank.window() + 64, {static_cast<uint16_t>(root ? 0x4380 : 0x3f80), 0xff80});
        rank.barrier();
        const bool two = ranks == 2;
        const std::vector<uint16_t> float16 = {static_cast<uint16_t>(two ? 0x6800 : 0x6802), 0x7c00};
        const std::vector<uint16_t> bfloat16 = {static_cast<uint16_t>(two ? 0x4380 : 0x4382), 0xff80};
        if (root) {
            rank.run_well("round_of_float16", {rank.memory(), rank.window(), 2, RANKUNIT_SUM});
            rank.run_well("round_of_bfloat16", {rank.memory() + 64, rank.window() + 64, 2, RANKUNIT_SUM});
            check_values(rank.read<uint16_t>(rank.memory() + 4, 2), float16);
            check_values(rank.read<uint16_t>(rank.memory() + 68, 2), bfloat16);
        }
        rank.barrier();
        check_values(rank.read<uint16_t>(rank.window() + 4, 2), float16);
        check_values(rank.read<uint16_t>(rank.window() + 68, 2), bfloat16);
        if (number != 1) return;
        for (const uint64_t offset : {8, 12}) {
            check_values(rank.read<uint16_t>(rank.window() + offset, 2), float16);
            check_values(rank.read<uint16_t>(rank.window() + 64 + offset, 2), bfloat16);
        }
    });
}

TEST(maximum_and_minimum_of_halves_are_exact_and_only_a_nan_of_the_root_counts) {
    on_2_and_4_ranks([](Rank &rank, int number, int) {
        // -1, the smallest subnormal, NaN, 1 on the root; 65504, its negative, 1, NaN elsewhere
        const std::vector<uint16_t> root = {0xbc00, 0x0001, 0x7e00, 0x3c00};
        const std::vector<uint16_t> other = {0x7bff, 0x8001, 0x3c00, 0x7e00};
        rank.write<uint16_t>(rank.window(), number == 0 ? root : other);
        rank.barrier();
        if (number != 0) return;
        rank.run_well("round_of_float16", {rank.memory(), rank.window(), 4, RANKUNIT_MAX});
        check_values<uint16_t>(rank.read<uint16_t>(rank.memory(), 4), {0x7bff, 0x0001, 0x7e00, 0x3c00});
        rank.run_well("round_of_float16", {rank.memory(), rank.window(), 4, RANKUNIT_MIN});
        check_values<uint16_t>(rank.read<uint16_t>(rank.memory(), 4), {0xbc00, 0x8001, 0x7e00, 0x3c00});
    });
}
