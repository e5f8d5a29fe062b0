#ifndef RANKUNIT_SHAKE_OF_PROCESS_H
#define RANKUNIT_SHAKE_OF_PROCESS_H

#include <atomic>
#include <memory>

namespace rankunit::shake {

// The only object of its kind in this process, made when it is first used. Never destroyed, since threads may use it
// when the process ends. A forked child, in which mutexes may be held by threads that it does not have, makes its own.
template <typename T>
class OfProcess {
public:
    T &get() {
        T *found = made_.load(std::memory_order_acquire);
        if (found != nullptr) return *found;
        auto made = std::make_unique<T>();
        return made_.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel) ? *made.release() : *found;
    }

    void forget_in_child() noexcept { made_.store(nullptr, std::memory_order_release); }

private:
    std::atomic<T *> made_{nullptr};
};

}  // namespace rankunit::shake

#endif  // RANKUNIT_SHAKE_OF_PROCESS_H
