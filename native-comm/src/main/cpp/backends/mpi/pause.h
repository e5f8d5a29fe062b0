#ifndef RANKUNIT_BACKENDS_MPI_PAUSE_H
#define RANKUNIT_BACKENDS_MPI_PAUSE_H

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace rankunit::mpi {

// How long a rank that may not call MPI again for long helps it to get the last messages away.
constexpr std::chrono::milliseconds kForLastMessages{100};

// Looks again and again, as MPI needs, less and less often: first at once, for the sake of short waits, then a
// thousand times a second at least.
class Pause {
public:
    void next() {
        count_++;
        if (count_ < 2'000) {
            sched_yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(std::min(count_ - 1'900, 1'000)));
        }
    }

private:
    int count_ = 0;
};

}  // namespace rankunit::mpi

#endif  // RANKUNIT_BACKENDS_MPI_PAUSE_H
