// The threads that act on the simulated devices of this process.
#ifndef RANKUNIT_SHAKE_MEMBERS_H
#define RANKUNIT_SHAKE_MEMBERS_H

#include <string>
#include <thread>
#include <utility>

namespace rankunit::shake {

class Group;

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

// Makes this thread, which is the host's, a member until it ends.
void join();

// Makes the threads members that stop all others of a virtual machine for Java, if this process is one.
void join_machine();

// While it lives, this thread is in a function of this library, in which it sleeps only if it waits for something.
class InLibrary {
public:
    InLibrary() noexcept { enter(1); }
    InLibrary(const InLibrary &) = delete;
    InLibrary &operator=(const InLibrary &) = delete;
    ~InLibrary() { enter(-1); }

private:
    static void enter(int change) noexcept;
};

// This thread waits at a point from now on, and so does not go on.
void is_at_point() noexcept;
// It goes on from a point.
void passed_a_point() noexcept;

// The group in which they are: this process alone, or the ranks that share the file.
Group &group();
void join_group(const std::string &path, int rank, int count);

// In a forked child, which has none of them.
void forget_members_in_child() noexcept;

}  // namespace rankunit::shake

#endif  // RANKUNIT_SHAKE_MEMBERS_H
