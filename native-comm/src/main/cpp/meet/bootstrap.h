// Where the ranks of one communicator meet: the part of it that is the same whatever the devices are.
#ifndef RANKUNIT_MEET_BOOTSTRAP_H
#define RANKUNIT_MEET_BOOTSTRAP_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/shared_memory.h"
#include "meet/abort_record.h"
#include "meet/barrier.h"
#include "meet/members.h"
#include "meet/peer_wait.h"
#include "meet/root_info.h"
#include "support/deadline.h"

namespace rankunit::meet {

// What a gather is about. Two gathers of the same ranks never have the same topic at the same time.
struct Topic {
    uint32_t kind;
    uint64_t id;
    std::string text;  // "in the allocation of the windows", for errors
};

// One rank's side of the bootstrap segment. Failures are thrown. A wait that fails leaves the communicator aborted on
// all ranks. Threads: as in rankunit/comm.h; those for any thread are abort, set_timeout and aborted_by.
class Bootstrap {
public:
    // `path` is that of the rootinfo file, or COMM_ROOTINFO_BY_JOIN.
    Bootstrap(int rank, int nranks, std::string path);
    Bootstrap(const Bootstrap &) = delete;
    Bootstrap &operator=(const Bootstrap &) = delete;
    // Leaves: who waits for this rank is told.
    ~Bootstrap();

    int rank() const { return rank_; }
    int nranks() const { return nranks_; }
    bool is_open() const { return header_ != nullptr; }

    // Rank 0: makes the segment, and returns what the other ranks are to join by.
    std::string make_root_info();
    // Other ranks: the segment to open.
    void join(const std::string &root_info);

    // Rank 0 makes the segment, others wait until they find it. Waits for nobody else.
    void open();
    // To be called when all ranks are known to have opened it: takes the root info away.
    void settle();

    void barrier() { barrier_->enter(*wait_); }

    // The message of each member, in their order: an all-gather among `members`, at most kMaxMessage bytes from each.
    // Waits until all of them have called it for the same topic, and have read the message of this rank.
    std::vector<std::string> gather(const Members &members, const Topic &topic, const std::string &message);

    // Waits for something of this rank's own that others may keep from ending, such as a call of the vendor's: until
    // `ready`, an abort, the death of a peer, or the deadline. `ready` may wait for some milliseconds itself.
    // `what` and `done` are for the error: "for its device in a barrier", "ended it".
    void wait_slowly(const std::string &what, const char *done, const std::function<bool()> &ready);

    // Throws if the communicator is aborted.
    void require_sound() const;
    // Aborts the communicator for all ranks and throws. The peers get the same code and text.
    [[noreturn]] void fail(int code, const std::string &text);
    // The same for what this rank alone has met: peers get COMM_ABORTED with the text, and this rank to blame. Throws
    // instead if a peer has died, which is then the cause and to blame.
    void tell_failure(const std::string &text);
    // Aborts and throws if this peer has died or left while this rank wanted something of it: "to open its windows".
    void require_present(int rank, const std::string &wanted);

    void abort(int failed_rank, const char *reason);
    void set_timeout(int64_t milliseconds);
    milliseconds timeout() const { return milliseconds{timeout_ms_.load(std::memory_order_relaxed)}; }
    int aborted_by();

private:
    void make();
    void find();
    device::SharedMemory find_by_file();
    void adopt(device::SharedMemory memory);
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
    std::atomic<int64_t> timeout_ms_{120'000};

    // Guards what abort(), on any thread, may meet half-way through the bring-up or through another abort.
    std::mutex abort_mutex_;
    std::optional<AbortReason> early_abort_;
    BootstrapHeader *header_ = nullptr;

    device::SharedMemory memory_;
    UniqueFd segment_fd_;  // rank 0's, until this is settled
    std::unique_ptr<PublishedRootInfo> published_;
    std::optional<RootInfo> to_join_;
    bool attached_ = false;
    std::unique_ptr<PeerWait> wait_;
    std::unique_ptr<Barrier> barrier_;
};

}  // namespace rankunit::meet

#endif  // RANKUNIT_MEET_BOOTSTRAP_H
