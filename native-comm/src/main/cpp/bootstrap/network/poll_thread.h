// A thread that waits for sockets.
#ifndef RANKUNIT_BOOTSTRAP_NETWORK_POLL_THREAD_H
#define RANKUNIT_BOOTSTRAP_NETWORK_POLL_THREAD_H

#include <functional>
#include <thread>

#include "support/unique_fd.h"

namespace rankunit::bootstrap {

// Wakes a thread from poll. Thread-safe.
class Waker {
public:
    Waker();
    int fd() const { return event_.get(); }  // readable after `wake` until `clear`
    void wake();
    void clear();

private:
    UniqueFd event_;
};

// The thread takes no signals: a handler of the program's may count on what its own threads have.
std::thread start_poll_thread(const std::function<void()> &body);

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_NETWORK_POLL_THREAD_H
