// The side of a rank other than 0 of a replicated segment.
#ifndef RANKUNIT_BOOTSTRAP_NETWORK_MEMBER_H
#define RANKUNIT_BOOTSTRAP_NETWORK_MEMBER_H

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "bootstrap/network/connection.h"
#include "bootstrap/network/poll_thread.h"
#include "bootstrap/network/replicator.h"
#include "support/deadline.h"

namespace rankunit::bootstrap {

class Member : public Replicator {
public:
    // `hub` is a connection on which rank 0 has let this rank in.
    Member(BootstrapHeader &header, int self, int nranks, Connection hub);
    // Waits until rank 0 has received everything, but for at most 1 s.
    ~Member() override;

    bool is_cut_off() const override { return cut_off_.load(std::memory_order_seq_cst); }

private:
    void publish(const std::vector<Frame> &frames) override;
    void run();
    bool wait(bool *readable);
    bool take_frames();
    void lose();

    Waker waker_;
    std::atomic<bool> cut_off_{false};

    std::mutex mutex_;  // guards all of the following
    Connection hub_;
    bool stopping_ = false;
    bool finished_ = false;
    Clock::time_point end_;  // of waiting for rank 0, once it is stopping

    std::thread thread_;
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_NETWORK_MEMBER_H
