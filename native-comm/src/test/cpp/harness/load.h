#ifndef RANKUNIT_TEST_HARNESS_LOAD_H
#define RANKUNIT_TEST_HARNESS_LOAD_H

#include <atomic>
#include <thread>
#include <vector>

namespace rankunit::test {

// Keeps the processors busy as long as it lives.
class Load {
public:
    Load() {
        for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); i++) {
            threads_.emplace_back([this] {
                while (!ended_.load(std::memory_order_relaxed)) {
                }
            });
        }
    }
    Load(const Load &) = delete;
    Load &operator=(const Load &) = delete;
    ~Load() {
        ended_.store(true);
        for (std::thread &thread : threads_) thread.join();
    }

private:
    std::atomic<bool> ended_{false};
    std::vector<std::thread> threads_;
};

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_HARNESS_LOAD_H
