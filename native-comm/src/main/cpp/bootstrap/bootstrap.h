// How the ranks of one communicator meet: the part that does not depend on the kind of device.
#ifndef RANKUNIT_BOOTSTRAP_BOOTSTRAP_H
#define RANKUNIT_BOOTSTRAP_BOOTSTRAP_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bootstrap/barrier.h"
#include "bootstrap/members.h"
#include "bootstrap/root_info.h"
#include "bootstrap/segment/abort_record.h"
#include "bootstrap/segment/communicator_abort.h"
#include "bootstrap/segment/peer_wait.h"
#include "bootstrap/segment/replication.h"
#include "device/cores/turns.h"
#include "device/shared_memory.h"
#include "support/deadline.h"

namespace rankunit::bootstrap {

// Identifies a gather. Two concurrent gathers of the same ranks never have the same topic.
struct Topic {
    uint32_t kind;
    uint64_t id;
    std::string text;  // "in the allocation of the windows", for errors
};

// One rank's side of the bootstrap segment. Failures are thrown. A wait that fails leaves the communicator aborted on
// all ranks. Threads: as in rankunit/comm.h; abort, set_timeout and aborted_by may be called from any thread.
class Bootstrap {
public:
    // `path` is the path of the rootinfo file, or COMM_ROOTINFO_BY_JOIN.
    Bootstrap(int rank, int nranks, std::string path);
    Bootstrap(const Bootstrap &) = delete;
    Bootstrap &operator=(const Bootstrap &) = delete;
    // Leaves the communicator, and wakes ranks that wait for this one.
    ~Bootstrap();

    int rank() const { return rank_; }
    int nranks() const { return nranks_; }
    bool is_open() const { return header_ != nullptr; }
    // Whether the ranks meet over a network, so that they may be on several machines. Call it only once this is open.
    bool spans_machines() const { return replication_ != nullptr; }
    // Random, and the same on all ranks. Call it only once this is open.
    uint64_t token() const { return header_->token; }

    // Refuses to meet over a network. `why` is for errors: "the windows are memory of one machine". Call it before all
    // of the following.
    void require_one_machine(const std::string &why) { why_one_machine_ = why; }

    // For rank 0: makes the segment, and returns the root info with which the other ranks join.
    std::string make_root_info();
    // For other ranks: sets the segment to open.
    void join(const std::string &root_info);

    // Rank 0 makes the segment; other ranks wait until they find it. Does not wait for anything else.
    void open();
    // Removes the root info. Call it only when all ranks are known to have opened the segment.
    void settle();

    void barrier() { barrier_->enter(*wait_); }

    // An all-gather among `members`, with at most kMaxMessage bytes from each: returns the message of each member, in
    // their order. Waits until all members have called it for the same topic and have read this rank's message.
    std::vector<std::string> gather(const Members &members, const Topic &topic, const std::string &message);

    // Waits for an operation of this rank that other ranks may block, such as a call of the vendor's library: until
    // `ready`, an abort, the death of a peer, or the deadline. `ready` may itself wait for some milliseconds. `what`
    // and `done` are for the error text: "for its device in a barrier", "ended it".
    void wait_slowly(const std::string &what, const char *done, const std::function<bool()> &ready);

    // As PeerWait::until: for a change that a peer announces.
    template <typename Ready, typename MakeSubject>
    void wait_until(Ready ready, MakeSubject subject) {
        wait_->until(ready, subject);
    }
    // Tells peers in wait_until of a change, made with seq_cst.
    void announce() { wake_sleepers(*header_); }

    // Throws if the communicator is aborted.
    void require_sound() const;
    // Aborts the communicator for all ranks and throws. The peers get the same code and text.
    [[noreturn]] void fail(int code, const std::string &text);
    // The same for a failure of this rank alone, without throwing: peers get COMM_ABORTED with the text and with this
    // rank to blame. But if a peer has died, that is the cause: then blames the peer and throws.
    void tell_failure(const std::string &text);
    // Aborts and throws if this peer has died or left while this rank needed something from it: "to open its windows".
    void require_present(int rank, const std::string &wanted);

    void abort(int failed_rank, const char *reason);
    void set_timeout(int64_t milliseconds);
    milliseconds timeout() const { return milliseconds{timeout_ms_.load(std::memory_order_relaxed)}; }
    int aborted_by();

private:
    // How to make the replication of a segment; none if it is shared.
    using MakeReplication = std::function<std::unique_ptr<Replication>(BootstrapHeader &)>;

    void make();
    void make_at(const std::string &address);
    void find();
    void find_by_file();
    bool enter(const RootInfo &info, const Deadline &deadline);
    bool enter_over_network(const RootInfo &info, const Deadline &deadline);
    void require_reachable(const RootInfo &info) const;
    device::SharedMemory new_segment(uint64_t token, UniqueFd *fd_out) const;
    void adopt(device::SharedMemory memory, const MakeReplication &make_replication = {});
    void require_same();
    void take_slot();
    void post(const Topic &topic, const std::string &message);
    bool has_message(int rank, const Topic &topic) const;
    std::string take(int rank);
    void wait_for(const Members &members, const Topic &topic, const char *done,
                  const std::function<bool(int)> &has_done);
    std::optional<AbortReason> early_abort();
    void record(const AbortReason &reason);

    const int rank_;
    const int nranks_;
    const std::string path_;
    const bool by_join_;
    std::string why_one_machine_;  // empty if the ranks may meet over a network
    std::atomic<int64_t> timeout_ms_{120'000};

    // Guards the state that abort(), on any thread, may find in the middle of start-up or of another abort.
    std::mutex abort_mutex_;
    std::optional<AbortReason> early_abort_;
    BootstrapHeader *header_ = nullptr;

    std::shared_ptr<const device::SharedMemory> memory_;
    std::unique_ptr<Replication> replication_;  // null where the ranks share the segment
    UniqueFd segment_fd_;                       // rank 0's, until this is settled
    std::optional<RootInfo> root_info_;         // the same
    std::unique_ptr<PublishedRootInfo> published_;
    std::optional<RootInfo> to_join_;
    bool attached_ = false;
    std::unique_ptr<PeerWait> wait_;
    std::unique_ptr<Barrier> barrier_;
    std::unique_ptr<CommunicatorAbort> ends_device_waits_;
    std::unique_ptr<device::SharesTurns> shares_turns_;
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_BOOTSTRAP_H
