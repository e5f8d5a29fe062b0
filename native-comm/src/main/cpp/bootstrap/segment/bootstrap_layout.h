// What the processes of one communicator share besides their windows: who is present, the reason for an abort, and
// messages.
//
// Words that different ranks write are on different cache lines. Everything starts as zero.
#ifndef RANKUNIT_BOOTSTRAP_SEGMENT_BOOTSTRAP_LAYOUT_H
#define RANKUNIT_BOOTSTRAP_SEGMENT_BOOTSTRAP_LAYOUT_H

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "device/cores/turns.h"
#include "rankunit/comm.h"
#include "rankunit/kernel.h"

namespace rankunit::bootstrap {

constexpr size_t kPageBytes = 4096;
constexpr size_t kCacheLine = 64;
constexpr int kMaxRanks = COMM_MAX_RANK_NUM;
constexpr uint64_t kBootstrapMagic = 0x3353'4b4e'4152'2e52;  // "R.RANKS3" in memory
constexpr const char *kBootstrapName = "rankunit-bootstrap";
constexpr size_t kMaxReason = 400;
constexpr size_t kMaxMessage = 4608;  // longest message; the longest in use, the vendor's root info, has 4108

using Word = std::atomic<uint32_t>;
static_assert(Word::is_always_lock_free, "processes share these words, so a lock inside them would be useless");
static_assert(std::atomic<int32_t>::is_always_lock_free);

enum SlotState : uint32_t { kSlotFree = 0, kSlotAttached = 1, kSlotLeft = 2 };

// One rank's part of the header; only that rank writes it.
struct alignas(kCacheLine) RankSlot {
    std::atomic<int32_t> pid;  // 0 until a process has taken this rank
    Word state;                // SlotState
    Word arrivals;             // number of the barrier entered last, from 1

    // This rank's report of a failure: written once, before the header's `abort_winner` can refer to it.
    alignas(kCacheLine) Word abort_claimed;
    int32_t abort_code;  // CommStatus
    int32_t abort_rank;
    char abort_reason[kMaxReason + 1];
};

// The message of one rank to some of the others. Only that rank writes it, except for `taken`; see Bootstrap::gather.
struct alignas(kPageBytes) Message {
    Word stage;  // odd while there is a message; changes each time
    std::atomic<uint32_t> kind;
    std::atomic<uint64_t> id;     // with `kind`: the topic
    std::atomic<uint64_t> taken;  // a bit for each rank that has read it
    uint32_t size;
    unsigned char bytes[kMaxMessage];
};

struct BootstrapHeader {
    // Offsets up to and including the slots never change, so that a rank of another version can report the mismatch.
    uint64_t magic;
    uint32_t version;
    uint32_t nranks;
    uint64_t token;  // random; the same as in the root info that leads here

    // 1 + the rank whose slot holds the reason of the abort; 0 while there is none. Set once.
    alignas(kCacheLine) Word abort_winner;

    // For sleepers: `events` is the futex, incremented after any change that they may wait for; see wait.h.
    alignas(kCacheLine) Word events;
    Word sleepers;

    alignas(kCacheLine) RankSlot slots[kMaxRanks];

    alignas(kCacheLine) Word barrier_phase;  // number of the last barrier that was completed

    Message messages[kMaxRanks];

    device::TurnWords turns;  // of the threads that run kernels
};

static_assert(offsetof(BootstrapHeader, abort_winner) == 64);
static_assert(offsetof(BootstrapHeader, events) == 128);
static_assert(offsetof(BootstrapHeader, slots) == 192);
static_assert(sizeof(RankSlot) == 512);
static_assert(sizeof(Message) == 2 * kPageBytes);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_SEGMENT_BOOTSTRAP_LAYOUT_H
