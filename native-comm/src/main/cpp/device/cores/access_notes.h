// The accesses of one piece of code, put together.
#ifndef RANKUNIT_DEVICE_CORES_ACCESS_NOTES_H
#define RANKUNIT_DEVICE_CORES_ACCESS_NOTES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace rankunit::device {

// As record_accesses.cpp tells it.
enum class AccessKind : uint8_t {
    kRead = 0,
    kWrite = 1,
    kAtomicChange = 2,
};

// `count` pieces of `bytes` bytes, whose begins are `distance` bytes apart; one piece has no distance.
struct AccessSeries {
    uint64_t begin = 0;
    uint64_t bytes = 0;
    uint64_t distance = 0;
    uint64_t count = 0;
};

// Which code accessed which bytes. Neighbouring bytes that the same code accesses are one piece, and pieces at the same
// distance are one series, so that a loop over memory takes no more room the longer it is. Not thread-safe.
class AccessNotes {
public:
    using Receiver = void (*)(void *to, uint64_t code, AccessKind kind, const AccessSeries &series);

    // Passes on what no longer has room, and what is there when pass_on is called: each byte once.
    AccessNotes(Receiver receiver, void *to) : receiver_(receiver), to_(to) {}

    void note(uint64_t address, size_t bytes, AccessKind kind, uint64_t code);
    void pass_on();

private:
    // What code has accessed last: a piece that may still grow, and the series of those before it.
    struct Slot {
        uint64_t code = 0;  // 0: none
        AccessKind kind = AccessKind::kRead;
        uint64_t begin = 0;
        uint64_t end = 0;
        AccessSeries series;  // with a distance that wraps around for loops that go down
    };
    // code, kind, distance, count
    using Shape = std::tuple<uint64_t, AccessKind, uint64_t, uint64_t>;
    using Ranges = std::map<uint64_t, uint64_t>;  // start of a first piece to its end; disjoint, with gaps between them

    // All code of a loop has a slot of its own, if at all possible: loops go through memory in turn.
    static constexpr size_t kSlots = 256;
    static constexpr size_t kProbes = 8;
    // They can be passed on at any time before the next order, and more would only take memory.
    static constexpr size_t kMostRanges = size_t{1} << 16;
    // Fewer pieces are a series by chance.
    static constexpr uint64_t kLeastPieces = 4;

    Slot &slot_of(uint64_t code, AccessKind kind);
    void end_piece(Slot &slot);
    void end_series(Slot &slot);
    void keep(uint64_t code, AccessKind kind, const AccessSeries &series);
    bool is_kept(uint64_t code, AccessKind kind, const AccessSeries &series) const;
    std::pair<uint64_t, uint64_t> merge(Ranges &ranges, uint64_t begin, uint64_t end);
    void pass_on_kept();
    void pass_on_pieces(uint64_t code, AccessKind kind, const Ranges &ranges) const;

    const Receiver receiver_;
    void *const to_;
    std::array<Slot, kSlots> slots_;
    std::vector<uint16_t> used_;
    std::map<Shape, Ranges> ranges_;
    size_t count_ = 0;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_CORES_ACCESS_NOTES_H
