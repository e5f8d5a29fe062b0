// Who waits at a point of the schedule, and for how long.
#ifndef RANKUNIT_SHAKE_PAUSES_H
#define RANKUNIT_SHAKE_PAUSES_H

#include <cstdint>
#include <functional>

namespace rankunit::shake {

// Waits for so many steps, of which each takes a little time, and then until no thread goes on that does not wait here,
// and all others here have longer to wait, in all processes of the group. So who goes on first follows from the steps,
// even on a busy machine, where time would not be enough for those who are to overtake. Of equal ones the lower `tie`
// is first. Ends early if `over` holds; ends in any case when no thread makes progress for some seconds.
void pause(uint32_t steps, uint64_t tie, const std::function<bool()> &over);

void forget_waiters_in_child() noexcept;

}  // namespace rankunit::shake

#endif  // RANKUNIT_SHAKE_PAUSES_H
