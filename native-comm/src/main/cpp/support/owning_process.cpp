#include "support/owning_process.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "support/failure.h"

namespace rankunit {
namespace {

std::atomic<uint32_t> forks{0};

void count_in_child() {
    forks.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

OwningProcess::OwningProcess() : pid_(getpid()) {
    // Registered with the first object: before that, there is nothing to inherit.
    static const int registered = pthread_atfork(nullptr, nullptr, count_in_child);
    if (registered != 0) throw std::bad_alloc();
    forks_ = forks_so_far();
}

uint32_t OwningProcess::forks_so_far() {
    return forks.load(std::memory_order_relaxed);
}

void OwningProcess::refuse(int code, const char *what) const {
    throw Failure(code, std::string("this ") + what + " belongs to process " + std::to_string(pid_) + "; process " +
                            std::to_string(getpid()) + " was forked from it and has to make one of its own");
}

}  // namespace rankunit
