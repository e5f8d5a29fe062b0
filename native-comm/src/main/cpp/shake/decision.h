// What is decided at the points of a schedule. A decision is a function of the strategy, the seed and the point, never
// of time or of what other threads do, so a run with the same seed decides the same.
#ifndef RANKUNIT_SHAKE_DECISION_H
#define RANKUNIT_SHAKE_DECISION_H

#include <cstdint>
#include <string>

namespace rankunit::shake {

// As in DeviceShake of rankunit/device.h.
enum class Strategy : uint32_t { kOff = 0, kRandom = 1, kPct = 2, kDelay = 3 };

constexpr int64_t kHost = 0;

// A point by its name, which is the same in all runs that do the same.
struct Point {
    int64_t actor = kHost;  // or a stream: those of the shaken test from 1 on, earlier ones from -1 down
    uint64_t number = 0;    // its n-th call or piece of work
    uint64_t task = 0;      // of the graph that it runs, 0 for none; with the number of its ring. Or a stream_of_call
    uint32_t part = 0;      // a block of the launch or of the task, 0 for none; see part_of
    uint32_t step = 0;      // of a block, its begin or its n-th operation; of a task alone, a TaskStep
};

enum TaskStep : uint32_t { kQueued = 0, kPublished = 1 };

// The cores on which parts of one block run. Only a block of a mixed kernel has several parts.
constexpr uint32_t kCubePart = 3;
constexpr uint32_t part_of(uint32_t block, uint32_t core) {
    return 1 + 4 * block + core;
}

// A stream of a collective, which the host runs by one call. Its points have the number of the call, and the step.
constexpr uint64_t kStreamsOfCalls = 0xff;  // in place of the number of a ring
constexpr uint64_t stream_of_call(uint32_t stream) {
    return kStreamsOfCalls << 56 | stream;
}

struct Decision {
    uint32_t pause = 0;     // in steps
    uint32_t priority = 0;  // of a task in the queue, and among those that pause equally long: lower ones go first
    // Whether it waits for others at all. Where much happens, it does not, unless it pauses.
    bool waits = false;
};

Decision decide(Strategy strategy, uint64_t seed, const Point &point);

// The sum of these over all decisions does not depend on their order.
uint64_t hash_of(const Point &point, const Decision &decision);

// "stream 2, work 5, block 3, operation 1"
std::string text_of(const Point &point);
std::string text_of(const Point &point, const Decision &decision);

// The order of points in texts.
bool operator<(const Point &a, const Point &b);

}  // namespace rankunit::shake

#endif  // RANKUNIT_SHAKE_DECISION_H
