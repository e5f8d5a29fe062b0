// The cores that a thread may use.
#ifndef RANKUNIT_SUPPORT_CORES_H
#define RANKUNIT_SUPPORT_CORES_H

#include "support/deadline.h"

namespace rankunit {

// How many cores this thread may use.
int usable_cores();

// Moves this thread to another one of the cores that it may use. Returns whether there is one; the scheduler may move
// the thread back at any time.
bool move_to_another_core();

// Whether at this time it is the turn of one of `count` threads, of any processes of this machine, to move to another
// core. It is the turn of one of them at a time: two that share a core and moved at the same time would meet again on
// the other one.
bool is_turn_to_move(Clock::time_point now, int self, int count);

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_CORES_H
