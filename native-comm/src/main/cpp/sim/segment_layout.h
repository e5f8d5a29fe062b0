// What the processes of one communicator share: a header, then one window per rank.
//
// Words that different ranks write lie on different cache lines. Everything starts as zero.
#ifndef RANKUNIT_SIM_SEGMENT_LAYOUT_H
#define RANKUNIT_SIM_SEGMENT_LAYOUT_H

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "rankunit/comm.h"
#include "rankunit/kernel.h"

namespace rankunit::sim {

constexpr size_t kPageBytes = 4096;
constexpr size_t kCacheLine = 64;
constexpr int kMaxRanks = COMM_MAX_RANK_NUM;
constexpr uint64_t kSegmentMagic = 0x3153'4b4e'4152'2e52;  // "R.RANKS1" in memory
constexpr size_t kMaxReason = 400;

using Word = std::atomic<uint32_t>;
static_assert(Word::is_always_lock_free, "processes share these words, so a lock inside them would be useless");
static_assert(std::atomic<int32_t>::is_always_lock_free);

enum SlotState : uint32_t { kSlotFree = 0, kSlotAttached = 1, kSlotLeft = 2 };

// One rank's own part of the header; only that rank writes it.
struct alignas(kCacheLine) RankSlot {
    std::atomic<int32_t> pid;  // 0 until a process has taken this rank
    Word state;                // SlotState
    Word arrivals;             // barriers entered

    // What this rank says about a failure: written once, before the header's `abort_winner` can name it.
    alignas(kCacheLine) Word abort_claimed;
    int32_t abort_code;  // CommStatus
    int32_t abort_rank;
    char abort_reason[kMaxReason + 1];
};

struct SegmentHeader {
    // Offsets down to and with the slots never change, so that a rank of another version can say why it refuses.
    uint64_t magic;
    uint32_t version;
    uint32_t nranks;
    uint64_t token;  // random; the same as in the rootinfo file that leads here
    uint64_t window_bytes;
    uint64_t segment_bytes;

    // 1 + the rank whose slot holds the reason of the abort; 0 while there is none. Set once.
    alignas(kCacheLine) Word abort_winner;

    // For sleepers: `events` is the futex, bumped after whatever they may wait for; see wait.h.
    alignas(kCacheLine) Word events;
    Word sleepers;

    alignas(kCacheLine) RankSlot slots[kMaxRanks];

    alignas(kCacheLine) Word attached;         // ranks that have mapped the segment
    alignas(kCacheLine) Word barrier_arrived;  // ranks inside the current barrier
    alignas(kCacheLine) Word barrier_phase;    // barriers completed
};

static_assert(offsetof(SegmentHeader, abort_winner) == 64);
static_assert(offsetof(SegmentHeader, events) == 128);
static_assert(offsetof(SegmentHeader, slots) == 192);
static_assert(sizeof(RankSlot) == 512);

constexpr size_t round_up_to_page(size_t bytes) {
    return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

constexpr size_t kHeaderBytes = round_up_to_page(sizeof(SegmentHeader));

}  // namespace rankunit::sim

#endif  // RANKUNIT_SIM_SEGMENT_LAYOUT_H
