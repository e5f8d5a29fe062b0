// Moves in memory, each way of moving against one source after the other.
#include "coll/host/move.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "coll/host/past_cache.h"
#include "harness/check.h"

using namespace rankunit::coll;

namespace {

constexpr uint64_t kBytes = (300 << 10) + 40;
constexpr uint64_t kApart = kBytes + 200;

// A target and some sources in one piece of memory.
class Memory {
public:
    explicit Memory(uint32_t sources) : bytes_(kApart * (sources + 1)) {
        for (size_t i = 0; i < bytes_.size(); i++) bytes_[i] = static_cast<unsigned char>(i * 7 + i / 251);
    }

    std::vector<unsigned char> bytes_;
};

// Base 0 is the memory itself. The target is the first place, and each source is further on.
Step step_of(Program &program, uint32_t sources, bool first_reduces, uint64_t shift) {
    Step step{};
    step.kind = Step::kMove;
    step.first_reduces = first_reduces;
    step.to = {0, shift};
    step.bytes = kBytes;
    step.first_source = 0;
    step.sources = sources;
    for (uint32_t i = 0; i < sources; i++) program.sources.push_back({0, (i + 1) * kApart + 2 * shift});
    return step;
}

void add(unsigned char *to, const unsigned char *from) {
    for (uint64_t i = 0; i < kBytes; i += sizeof(uint64_t)) {
        uint64_t a = 0;
        uint64_t b = 0;
        std::memcpy(&a, to + i, sizeof(a));
        std::memcpy(&b, from + i, sizeof(b));
        a += b;
        std::memcpy(to + i, &a, sizeof(a));
    }
}

void check_moves(bool past_cache) {
    for (uint32_t sources = 1; sources <= 4; sources++) {
        for (const bool first_reduces : {false, true}) {
            for (const uint64_t shift : {0, 8, 16, 56, 64, 3}) {
                Program program;
                program.past_cache = past_cache;
                program.element_bytes = sizeof(uint64_t);
                program.combine = best_reduction(COLL_UINT64, COLL_SUM);
                const Step step = step_of(program, sources, first_reduces, shift);
                Memory memory(sources);
                Memory expected(sources);
                unsigned char *const to = expected.bytes_.data() + step.to.offset;
                for (uint32_t i = 0; i < sources; i++) {
                    const unsigned char *const from = expected.bytes_.data() + program.sources[i].offset;
                    if (i == 0 && !first_reduces) {
                        std::memcpy(to, from, kBytes);
                    } else {
                        add(to, from);
                    }
                }
                run_move(program, step, {reinterpret_cast<uint64_t>(memory.bytes_.data())});
                CHECK(memory.bytes_ == expected.bytes_);
            }
        }
    }
}

}  // namespace

TEST(moves_through_the_cache_are_those_of_their_sources_in_order) {
    check_moves(false);
}

TEST(moves_past_the_cache_are_those_of_their_sources_in_order) {
    check_moves(true);
}

TEST(copies_past_the_cache_write_what_they_should_and_no_more) {
    std::vector<unsigned char> from(1'000);
    for (size_t i = 0; i < from.size(); i++) from[i] = static_cast<unsigned char>(i + 1);
    for (size_t start = 0; start < 70; start += 3) {
        for (size_t bytes = 0; bytes < 300; bytes += 7) {
            std::vector<unsigned char> to(400);
            std::vector<unsigned char> expected(400);
            std::memcpy(expected.data() + start, from.data() + 5, bytes);
            copy_past_cache(to.data() + start, from.data() + 5, bytes);
            finish_past_cache();
            CHECK(to == expected);
        }
    }
}

TEST(the_shared_cache_has_a_size) {
    CHECK(shared_cache_bytes() >= 1 << 20);
}
