#include "bootstrap/network/poll_thread.h"

#include <signal.h>
#include <sys/eventfd.h>

#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::bootstrap {

Waker::Waker() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!event_) throw Failure(COMM_SYSTEM, system_text("eventfd"));
}

void Waker::wake() {
    eventfd_write(event_.get(), 1);
}

void Waker::clear() {
    eventfd_t count = 0;
    eventfd_read(event_.get(), &count);
}

std::thread start_poll_thread(const std::function<void()> &body) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, fault);
    // On Linux this is the mask of the calling thread, as of pthread_sigmask, which old versions of glibc have
    // elsewhere.
    sigprocmask(SIG_SETMASK, &all, &before);
    try {
        std::thread started(body);
        sigprocmask(SIG_SETMASK, &before, nullptr);
        return started;
    } catch (...) {
        sigprocmask(SIG_SETMASK, &before, nullptr);
        throw;
    }
}

}  // namespace rankunit::bootstrap
