// The cores that a thread may use.
#ifndef RANKUNIT_SUPPORT_CORES_H
#define RANKUNIT_SUPPORT_CORES_H

namespace rankunit {

// How many cores this thread may use.
int usable_cores();

// Moves this thread to another one of the cores that it may use. Returns whether there is one; the scheduler may move
// the thread back at any time.
bool move_to_another_core();

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_CORES_H
