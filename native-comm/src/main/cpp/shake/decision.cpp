#include "shake/decision.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace rankunit::shake {
namespace {

constexpr uint32_t kRingShift = 56;
constexpr uint64_t kSequenceMask = (uint64_t{1} << kRingShift) - 1;

// Pauses differ by factors, so that what of two paused actors goes first does not depend on chance.
constexpr uint32_t kPauses[] = {4, 16, 64};
constexpr uint32_t kLongPause = 256;

constexpr uint64_t kMostWaits = 512;

// What a hash is used for, so that two decisions at one point do not depend on each other.
enum Use : uint64_t { kWhether = 1, kHowLong, kPriority, kLevel, kChange, kName };

// The finalizer of SplitMix64.
uint64_t mix(uint64_t value) {
    value += 0x9e37'79b9'7f4a'7c15;
    value = (value ^ value >> 30) * 0xbf58'476d'1ce4'e5b9;
    value = (value ^ value >> 27) * 0x94d0'49bb'1331'11eb;
    return value ^ value >> 31;
}

uint64_t hash(uint64_t seed, Use use, const Point &point) {
    uint64_t all = mix(seed ^ mix(use));
    for (const uint64_t word :
         {static_cast<uint64_t>(point.actor), point.number, point.task, uint64_t{point.part} << 32 | point.step}) {
        all = mix(all ^ word);
    }
    return all;
}

bool is_of_call_stream(const Point &point) {
    return point.task >> kRingShift == kStreamsOfCalls;
}

bool is_queued(const Point &point) {
    return point.task != 0 && !is_of_call_stream(point) && point.part == 0 && point.step == kQueued;
}

bool is_of_stream_or_host(const Point &point) {
    return point.task == 0 && point.part == 0;
}

// How much came before it, roughly: where much happens, there are fewer and shorter pauses, so that a shaken test with
// thousands of points takes not much longer than one with a hundred.
uint64_t ordinal_of(const Point &point) {
    return point.number + (point.task & kSequenceMask) + point.part / 4 + point.step;
}

// 1, 4, 16 ...: the part of all points that is left.
uint64_t thinning_of(uint64_t ordinal) {
    uint64_t thinning = 1;
    for (uint64_t limit = 64; ordinal >= limit && thinning < 4096; limit *= 8) thinning *= 4;
    return thinning;
}

uint32_t random_pause(uint64_t seed, const Point &point) {
    constexpr uint64_t kOneOf = 4;
    if (hash(seed, kWhether, point) % (kOneOf * thinning_of(ordinal_of(point))) != 0) return 0;
    return kPauses[hash(seed, kHowLong, point) % std::size(kPauses)];
}

// Streams, tasks, blocks and the host keep their level, from 0, which does not pause, to 3, until a point from which on
// they have the lowest. With few actors there are about two such points.
uint32_t pct_pause(uint64_t seed, const Point &point) {
    constexpr uint32_t kOfLevel[] = {0, 0, 16, 64};
    constexpr uint64_t kChangesOneOf = 2;
    constexpr uint64_t kChangesWithin = 8;
    Point actor = point;
    actor.step = 0;
    if (is_of_stream_or_host(point)) actor.number = 0;
    const uint64_t within = is_of_stream_or_host(point) ? point.number : point.step;
    const uint64_t change = hash(seed, kChange, actor);
    const bool changed = change % kChangesOneOf == 0 && within > change / kChangesOneOf % kChangesWithin;
    const uint32_t pause = kOfLevel[changed ? 3 : hash(seed, kLevel, actor) % std::size(kOfLevel)];
    const uint64_t thinning = thinning_of(ordinal_of(point));
    return hash(seed, kWhether, point) % thinning == 0 ? pause : 0;
}

// The n-th point of an actor is chosen with probability 1 / (n + 3): 3 or 4 of its first hundred.
uint32_t delay_pause(uint64_t seed, const Point &point) {
    return hash(seed, kWhether, point) % (ordinal_of(point) + 3) == 0 ? kLongPause : 0;
}

uint32_t pause_of(Strategy strategy, uint64_t seed, const Point &point) {
    switch (strategy) {
        case Strategy::kRandom:
            return random_pause(seed, point);
        case Strategy::kPct:
            return pct_pause(seed, point);
        case Strategy::kDelay:
            return delay_pause(seed, point);
        case Strategy::kOff:
            break;
    }
    return 0;
}

// The host, the streams of the test, earlier ones.
std::pair<int, uint64_t> order_of_actor(int64_t actor) {
    return {actor == kHost ? 0 : actor > 0 ? 1 : 2, static_cast<uint64_t>(std::abs(actor))};
}

std::string text_of_actor(const Point &point) {
    if (point.actor == kHost) return "host, call " + std::to_string(point.number);
    const std::string stream = point.actor > 0 ? "stream " : "earlier stream ";
    return stream + std::to_string(std::abs(point.actor)) + ", work " + std::to_string(point.number);
}

std::string text_of_task(uint64_t task) {
    const uint64_t ring = task >> kRingShift;
    return ", task " + std::to_string(task & kSequenceMask) + (ring == 0 ? "" : " of ring " + std::to_string(ring));
}

std::string text_of_part(uint32_t part) {
    const uint32_t core = (part - 1) % 4;
    const char *const on = core == kCubePart ? " (cube core)" : core == 1 ? " (second vector core)" : "";
    return ", block " + std::to_string((part - 1) / 4) + on;
}

}  // namespace

Decision decide(Strategy strategy, uint64_t seed, const Point &point) {
    const auto priority = static_cast<uint32_t>(hash(seed, kPriority, point));
    if (is_queued(point)) return {0, priority, false};
    const uint32_t pause = pause_of(strategy, seed, point);
    return {pause, priority, pause > 0 || ordinal_of(point) < kMostWaits};
}

uint64_t hash_of(const Point &point, const Decision &decision) {
    return mix(hash(0, kName, point) ^ mix(uint64_t{decision.priority} << 32 | decision.pause));
}

std::string text_of(const Point &point) {
    std::string text = text_of_actor(point);
    if (is_of_call_stream(point)) {
        return text + ", stream " + std::to_string(point.task & kSequenceMask) + " of the collective, step " +
               std::to_string(point.step);
    }
    if (point.task != 0) text += text_of_task(point.task);
    if (point.part != 0) {
        text += text_of_part(point.part);
        text += point.step == 0 ? ", begin" : ", operation " + std::to_string(point.step);
    } else if (point.task != 0) {
        text += point.step == kQueued ? ", queued" : ", published";
    }
    return text;
}

std::string text_of(const Point &point, const Decision &decision) {
    return text_of(point) + ": " +
           (is_queued(point)      ? "priority " + std::to_string(decision.priority)
            : decision.pause == 0 ? "goes on"
                                  : "pauses " + std::to_string(decision.pause));
}

bool operator<(const Point &a, const Point &b) {
    return std::make_tuple(order_of_actor(a.actor), a.number, a.task, a.part, a.step) <
           std::make_tuple(order_of_actor(b.actor), b.number, b.task, b.part, b.step);
}

}  // namespace rankunit::shake
