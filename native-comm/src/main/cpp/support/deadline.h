#ifndef RANKUNIT_SUPPORT_DEADLINE_H
#define RANKUNIT_SUPPORT_DEADLINE_H

#include <chrono>
#include <cstdint>

namespace rankunit {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The deadline of one wait, on the steady clock, which is never set.
class Deadline {
public:
    explicit Deadline(milliseconds after) : start_(Clock::now()), end_(start_ + after) {}

    bool passed() const { return Clock::now() >= end_; }
    Clock::duration left() const { return end_ - Clock::now(); }
    int64_t waited_ms() const { return std::chrono::duration_cast<milliseconds>(Clock::now() - start_).count(); }

private:
    Clock::time_point start_;
    Clock::time_point end_;
};

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_DEADLINE_H
