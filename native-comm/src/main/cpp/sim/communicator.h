// The simulator's communicator: processes of one machine that share one segment.
#ifndef RANKUNIT_SIM_COMMUNICATOR_H
#define RANKUNIT_SIM_COMMUNICATOR_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "rankunit/kernel.h"
#include "sim/abort_record.h"
#include "sim/barrier.h"
#include "sim/peer_wait.h"
#include "sim/segment.h"

namespace rankunit::sim {

// See rankunit/comm.h for the contract. Failures are thrown.
class Communicator {
public:
    Communicator(int rank, int nranks, std::string rootinfo_path);
    Communicator(const Communicator &) = delete;
    Communicator &operator=(const Communicator &) = delete;
    ~Communicator();

    uint64_t allocate_windows(size_t requested);
    uint64_t local_window_base();
    size_t window_bytes();
    void barrier();

    void abort(int failed_rank, const char *reason);
    void set_timeout(int64_t milliseconds);
    int aborted_by();

private:
    class OneCall;

    void bring_up_as_owner(const SegmentShape &shape);
    void bring_up_as_follower(const SegmentShape &shape);
    Segment find_segment();
    void adopt(Segment segment);
    void require_same(const SegmentShape &shape);
    [[noreturn]] void refuse(const std::string &text);
    void take_slot();
    void wait_for_all();
    void fill_context();
    void require_windows() const;
    std::optional<AbortReason> early_abort();

    const int rank_;
    const int nranks_;
    const std::string path_;
    std::atomic<int64_t> timeout_ms_{120'000};
    std::atomic<bool> busy_{false};

    // Guards what abort(), on any thread, may meet half-way through the bring-up or through another abort.
    std::mutex abort_mutex_;
    std::optional<AbortReason> early_abort_;
    std::unique_ptr<Segment> segment_;

    bool attached_ = false;
    bool up_ = false;
    std::unique_ptr<PeerWait> wait_;
    std::unique_ptr<Barrier> barrier_;
    CommContext context_{};
};

}  // namespace rankunit::sim

#endif  // RANKUNIT_SIM_COMMUNICATOR_H
