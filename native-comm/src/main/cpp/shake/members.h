// The threads that act on the simulated devices of this process, and whether they go on.
#ifndef RANKUNIT_SHAKE_MEMBERS_H
#define RANKUNIT_SHAKE_MEMBERS_H

#include <thread>
#include <utility>

namespace rankunit::shake {

void a_member_starts(int change) noexcept;

// This thread, as long as it lives.
class Member {
public:
    Member();
    Member(const Member &) = delete;
    Member &operator=(const Member &) = delete;
    ~Member();
};

// A thread that is a member before it has begun to run.
template <typename Body>
std::thread member_thread(Body body) {
    a_member_starts(1);
    try {
        return std::thread([body = std::move(body)] {
            const Member member;
            a_member_starts(-1);
            body();
        });
    } catch (...) {
        a_member_starts(-1);
        throw;
    }
}

// Makes this thread a member until it ends.
void join();

// This thread has reached a point.
void passed_a_point() noexcept;

// Whether all members but this thread sleep. The system knows: a thread that could run but has no processor does not
// sleep, so this says the same on a busy machine, only later. A thread that has run for very long without sleeping or
// reaching a point, perhaps since it spins until somebody else goes on, counts as one that sleeps.
bool others_sleep() noexcept;

}  // namespace rankunit::shake

#endif  // RANKUNIT_SHAKE_MEMBERS_H
