// Rank 0's side of a replicated segment: lets the other ranks in, and passes their changes on.
#ifndef RANKUNIT_BOOTSTRAP_NETWORK_HUB_H
#define RANKUNIT_BOOTSTRAP_NETWORK_HUB_H

#include <poll.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bootstrap/network/connection.h"
#include "bootstrap/network/endpoint.h"
#include "bootstrap/network/hello.h"
#include "bootstrap/network/poll_thread.h"
#include "bootstrap/network/replicator.h"
#include "support/deadline.h"

namespace rankunit::bootstrap {

// All frames pass through here, and every rank gets them in the order in which this object has taken them. A frame is
// sent on before rank 0 itself acts on it, so that rank 0 may end at once after its last wait.
class Hub : public Replicator {
public:
    Hub(BootstrapHeader &header, int nranks, UniqueFd listener, const Secret &secret);
    // Passes on what the others send until all of them have left, but for at most 2 s.
    ~Hub() override;

    bool is_cut_off() const override { return false; }
    void settle() override;

private:
    static constexpr int kNobody = -1;

    // A connection that has not yet said who it is.
    struct Guest {
        Connection connection;
        Clock::time_point deadline;
    };

    // What is to be passed on.
    struct News {
        int from;  // who knows it already, or kNobody
        Frame frame;
    };

    void publish(const std::vector<Frame> &frames) override;
    void run();
    bool is_over() const;
    std::vector<pollfd> watched() const;
    void turn(const std::vector<pollfd> &found);
    void accept_guests();
    bool is_done_with(Guest &guest, std::vector<News> *news);
    std::string objection_to(const Hello &hello) const;
    void hear(int rank, std::vector<News> *news);
    void pass_on(const std::vector<News> &news);

    const Secret secret_;
    Waker waker_;

    std::mutex mutex_;  // guards all of the following
    UniqueFd listener_;
    std::vector<Guest> guests_;
    std::array<Connection, kMaxRanks> members_;
    std::array<int32_t, kMaxRanks> pids_{};  // of those that were let in
    uint64_t left_ = 0;                      // a bit for each rank
    std::string journal_;                    // what those who are yet to come must know; until this is settled
    bool settled_ = false;
    bool stopping_ = false;
    Clock::time_point end_;  // of passing on, once it is stopping

    std::thread thread_;
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_NETWORK_HUB_H
