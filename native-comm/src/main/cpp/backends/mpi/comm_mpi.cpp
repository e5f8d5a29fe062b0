// A backend over MPI: rankunit/comm.h for ranks that mpirun starts on one machine. Windows are host memory that the
// ranks share, so kernels of the simulator's kind can work on them.
//
// Most of MPI's collective calls block until all ranks are in them, which nothing can end. So ranks meet first, by
// messages that can be waited for with a deadline, and call those only once each knows of all that they will. What
// blocks in any case is the start of MPI in the first comm_init, and its end when the process ends: both wait for all
// processes of the mpirun.
//
// A process that is killed is no case here: mpirun kills the others then. Domains are left out.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rankunit/comm.h"
#include "rankunit/kernel.h"
#include "support/deadline.h"
#include "support/failure.h"

namespace {

using rankunit::Deadline;
using rankunit::ErrorText;
using rankunit::Failure;
using std::chrono::milliseconds;

constexpr int kMaxRanks = COMM_MAX_RANK_NUM;
constexpr size_t kPageBytes = 4096;
constexpr size_t kCacheLine = 64;
constexpr size_t kMaxReason = 400;
constexpr size_t kMaxText = 1200;  // a list of 63 ranks, or two paths
constexpr size_t kMaxPath = 512;
constexpr size_t kDefaultWindowBytes = size_t{200} << 20;
constexpr size_t kMaxBytes = size_t{1} << 46;
constexpr const char *kRootInfo = "rankunit-mpi";
constexpr int64_t kMaxTimeoutMs = int64_t{31} * 24 * 3600 * 1000;

constexpr size_t round_up_to_page(size_t bytes) {
    return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

std::string name(int rank) {
    return "rank " + std::to_string(rank);
}

// Those for which `condition` holds. Asks once for each: the answer may change meanwhile.
std::vector<int> ranks_where(int nranks, const std::function<bool(int)> &condition) {
    std::vector<int> ranks;
    for (int rank = 0; rank < nranks; rank++) {
        if (condition(rank)) ranks.push_back(rank);
    }
    return ranks;
}

// "rank 2" or "ranks 2, 3".
std::string list(const std::vector<int> &ranks) {
    std::string text = ranks.size() == 1 ? "rank" : "ranks";
    for (const int rank : ranks) text += (rank == ranks.front() ? " " : ", ") + std::to_string(rank);
    return text;
}

void require(int error, const char *call) {
    if (error == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    int kind = MPI_ERR_OTHER;
    MPI_Error_string(error, text, &length);
    MPI_Error_class(error, &kind);
    throw Failure(kind == MPI_ERR_NO_MEM ? COMM_OUT_OF_MEMORY : COMM_SYSTEM, std::string(call) + ": " + text);
}

// Why a communicator can no longer be used. Sent from rank to rank, and kept in shared memory.
struct Reason {
    int32_t code;  // CommStatus that the ranks report; COMM_OK is none
    int32_t rank;  // to blame
    char text[kMaxText + 1];

    static Reason of(int code, int rank, const std::string &text) {
        Reason reason{code, rank, ""};
        text.copy(reason.text, kMaxText);
        return reason;
    }

    [[noreturn]] void raise() const {
        if (code != COMM_ABORTED) throw Failure(code, text);
        throw Failure(COMM_ABORTED, "aborted because of " + name(rank) + ": " + text);
    }
};

// One rank's own part of the header; only that rank writes it.
struct alignas(kCacheLine) Slot {
    std::atomic<uint64_t> barriers;  // entered; MPI knows of each
    std::atomic<uint32_t> entering;  // about to enter one
    std::atomic<uint32_t> left;

    // Written once, before the header's `abort_winner` can name it.
    alignas(kCacheLine) uint32_t abort_claimed;
    Reason reason;
};

// What the ranks of one communicator share, in front of rank 0's window. Everything starts as zero.
struct Header {
    // 1 + the rank whose slot holds the reason of the abort; 0 while there is none. Set once.
    alignas(kCacheLine) std::atomic<uint32_t> abort_winner;
    // Set by an abort, and by the first rank that leaves: no barrier is entered any more. See Node::settle.
    std::atomic<uint32_t> closed;
    Slot slots[kMaxRanks];
};

static_assert(std::atomic<uint64_t>::is_always_lock_free, "processes share these words");
constexpr size_t kHeaderBytes = round_up_to_page(sizeof(Header));

// A node of ranks that have come up together, with their windows. Outlives the communicator: it takes all ranks to free
// it. All calls but `abort` and `aborted` are made under the lock of Mpi.
class Node {
public:
    // All ranks of `world` are inside this call.
    Node(MPI_Comm world, uint64_t generation, int rank, int nranks, size_t window_bytes)
        : generation_(generation), rank_(rank), nranks_(nranks), window_bytes_(window_bytes) {
        require(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm_), "MPI_Comm_split_type");
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
        try {
            allocate();
        } catch (...) {
            MPI_Comm_free(&comm_);
            throw;
        }
    }
    Node(const Node &) = delete;
    Node &operator=(const Node &) = delete;

    // All ranks are inside this call.
    ~Node() {
        settle();
        MPI_Win_unlock_all(win_);
        MPI_Win_free(&win_);
        MPI_Comm_free(&comm_);
    }

    uint64_t generation() const { return generation_; }
    bool in_use() const { return in_use_; }
    uint64_t window(int rank) const { return windows_[static_cast<size_t>(rank)]; }
    size_t window_bytes() const { return window_bytes_; }
    // acquire: the barriers that it has entered before are seen too
    bool has_left(int rank) const { return header_->slots[rank].left.load(std::memory_order_acquire) != 0; }
    uint64_t barriers() const { return own().barriers.load(std::memory_order_relaxed); }

    // Enters the next barrier, or returns false if the communicator is closed.
    bool enter() {
        // seq_cst, with `closed`: whoever has closed the communicator sees that this rank enters, or this rank sees
        // that it is closed
        own().entering.store(1, std::memory_order_seq_cst);
        const bool open = header_->closed.load(std::memory_order_seq_cst) == 0;
        int error = MPI_SUCCESS;
        if (open) {
            MPI_Win_sync(win_);
            // release: who sees the number sees what this rank wrote before
            own().barriers.fetch_add(1, std::memory_order_release);
            requests_.push_back(MPI_REQUEST_NULL);
            error = MPI_Ibarrier(comm_, &requests_.back());
        }
        own().entering.store(0, std::memory_order_release);
        require(error, "MPI_Ibarrier");
        return open;
    }

    // Whether MPI has completed the barrier that was entered last; then it is forgotten.
    bool completed() {
        int done = 0;
        require(MPI_Test(&requests_.back(), &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done == 0) return false;
        requests_.pop_back();
        MPI_Win_sync(win_);
        return true;
    }

    bool has_entered(int rank, uint64_t barrier) const {
        // acquire: what the rank wrote before
        return header_->slots[rank].barriers.load(std::memory_order_acquire) >= barrier;
    }

    bool aborted() const { return header_->abort_winner.load(std::memory_order_acquire) != 0; }
    const Reason &reason() const {
        return header_->slots[header_->abort_winner.load(std::memory_order_acquire) - 1].reason;
    }

    // The first one wins. Not for two threads of a rank at a time.
    void abort(const Reason &reason) {
        if (own().abort_claimed != 0) return;
        own().abort_claimed = 1;
        own().reason = reason;
        uint32_t none = 0;
        // release, at least: who sees the winner sees its reason
        header_->abort_winner.compare_exchange_strong(none, static_cast<uint32_t>(rank_) + 1,
                                                      std::memory_order_seq_cst);
        header_->closed.store(1, std::memory_order_seq_cst);
    }

    void leave() {
        in_use_ = false;
        own().left.store(1, std::memory_order_release);
        header_->closed.store(1, std::memory_order_seq_cst);
    }

    // Completes the barriers that were given up, without which MPI can neither free the communicator nor end: enters
    // those that a peer has entered and this rank has not. The communicator is closed, so they become no more.
    void settle() {
        uint64_t most = 0;
        for (int rank = 0; rank < nranks_; rank++) {
            const Slot &slot = header_->slots[rank];
            while (slot.entering.load(std::memory_order_seq_cst) != 0) sched_yield();
            most = std::max(most, slot.barriers.load(std::memory_order_acquire));
        }
        for (uint64_t entered = barriers(); entered < most; entered++) {
            requests_.push_back(MPI_REQUEST_NULL);
            MPI_Ibarrier(comm_, &requests_.back());
        }
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
        requests_.clear();
    }

private:
    void allocate() {
        int together = 0;
        MPI_Comm_size(comm_, &together);
        if (together != nranks_) {
            throw Failure(COMM_NOT_SUPPORTED, "only " + std::to_string(together) + " of " + std::to_string(nranks_) +
                                                  " ranks run on the machine of " + name(rank_) +
                                                  "; this backend has windows within one machine only");
        }
        // A page more, since nothing is said about how memory is aligned. It is the same in every process: what is
        // shared is mapped in pages.
        const size_t bytes = (rank_ == 0 ? kHeaderBytes : 0) + window_bytes_ + kPageBytes;
        void *own_memory = nullptr;
        MPI_Info info = MPI_INFO_NULL;
        MPI_Info_create(&info);
        MPI_Info_set(info, "alloc_shared_noncontig", "true");  // each rank's memory near to that rank
        const int error = MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, info, comm_, &own_memory, &win_);
        MPI_Info_free(&info);
        require(error, "MPI_Win_allocate_shared");
        MPI_Win_set_errhandler(win_, MPI_ERRORS_RETURN);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, win_);
        for (int rank = 0; rank < nranks_; rank++) {
            MPI_Aint size = 0;
            int unit = 0;
            void *memory = nullptr;
            MPI_Win_shared_query(win_, rank, &size, &unit, &memory);
            windows_.push_back(round_up_to_page(reinterpret_cast<uint64_t>(memory)));
        }
        header_ = reinterpret_cast<Header *>(windows_[0]);
        windows_[0] += kHeaderBytes;
        // MPI does not promise zeros.
        std::memset(own_memory, 0, bytes);
        MPI_Win_sync(win_);
        MPI_Barrier(comm_);
        MPI_Win_sync(win_);
    }

    Slot &own() const { return header_->slots[rank_]; }

    const uint64_t generation_;
    const int rank_;
    const int nranks_;
    const size_t window_bytes_;
    bool in_use_ = true;
    MPI_Comm comm_ = MPI_COMM_NULL;
    MPI_Win win_ = MPI_WIN_NULL;
    std::vector<MPI_Request> requests_;  // barriers that MPI has not completed, most of them given up
    Header *header_ = nullptr;
    std::vector<uint64_t> windows_;
};

// What each rank tells all others when it wants windows.
struct Settings {
    uint64_t window_bytes;
    uint64_t oldest;  // no node before this generation is in use in that rank
    char path[kMaxPath + 1];
};

// The ranks' talk before they bring anything up. Each sends its settings, and then its verdict: that it goes on, or why
// not.
class Meeting {
public:
    Meeting(MPI_Comm comm, int rank, int nranks, uint64_t generation, const Settings &own)
        : comm_(comm),
          rank_(rank),
          nranks_(nranks),
          // Neighbours in time only must not be mixed up; 32767 is the largest tag that every MPI has.
          tag_(static_cast<int>(generation % 16'000) * 2),
          settings_(static_cast<size_t>(nranks)),
          verdicts_(static_cast<size_t>(nranks)),
          settings_asked_(static_cast<size_t>(nranks), MPI_REQUEST_NULL),
          verdicts_asked_(static_cast<size_t>(nranks), MPI_REQUEST_NULL) {
        settings_[own_index()] = own;
        for (int peer = 0; peer < nranks_; peer++) {
            if (peer == rank_) continue;
            const size_t i = static_cast<size_t>(peer);
            require(MPI_Irecv(&settings_[i], sizeof(Settings), MPI_BYTE, peer, tag_, comm_, &settings_asked_[i]),
                    "MPI_Irecv");
            require(MPI_Irecv(&verdicts_[i], sizeof(Reason), MPI_BYTE, peer, tag_ + 1, comm_, &verdicts_asked_[i]),
                    "MPI_Irecv");
        }
        send(&settings_[own_index()], sizeof(Settings), tag_);
    }
    Meeting(const Meeting &) = delete;
    Meeting &operator=(const Meeting &) = delete;

    void say(const Reason &verdict) {
        verdicts_[own_index()] = verdict;
        send(&verdicts_[own_index()], sizeof(Reason), tag_ + 1);
    }

    // Whether nothing is on its way any more. Until then it has to be kept, as MPI writes into it.
    bool is_over() {
        for (std::vector<MPI_Request> *requests : {&settings_asked_, &verdicts_asked_, &sent_}) {
            int done = 0;
            MPI_Testall(static_cast<int>(requests->size()), requests->data(), &done, MPI_STATUSES_IGNORE);
            if (done == 0) return false;
        }
        return true;
    }

    // Asks no more. For the end of MPI, since it is kept all the same.
    void give_up() {
        for (std::vector<MPI_Request> *asked : {&settings_asked_, &verdicts_asked_}) {
            for (MPI_Request &request : *asked) {
                if (request == MPI_REQUEST_NULL) continue;
                MPI_Cancel(&request);
                MPI_Request_free(&request);
            }
        }
    }

    bool has_settings_of(int rank) { return answered(settings_asked_[static_cast<size_t>(rank)]); }
    bool has_verdict_of(int rank) { return answered(verdicts_asked_[static_cast<size_t>(rank)]); }
    const Settings &settings_of(int rank) const { return settings_[static_cast<size_t>(rank)]; }

    // The first refusal that has arrived, or nullptr.
    const Reason *refusal() {
        for (int rank = 0; rank < nranks_; rank++) {
            const Reason &verdict = verdicts_[static_cast<size_t>(rank)];
            if (rank != rank_ && has_verdict_of(rank) && verdict.code != COMM_OK) return &verdict;
        }
        return nullptr;
    }

private:
    size_t own_index() const { return static_cast<size_t>(rank_); }

    static bool answered(MPI_Request &request) {
        int done = 0;
        require(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        return done != 0;
    }

    void send(const void *message, size_t bytes, int tag) {
        for (int peer = 0; peer < nranks_; peer++) {
            if (peer == rank_) continue;
            sent_.push_back(MPI_REQUEST_NULL);
            require(MPI_Isend(message, static_cast<int>(bytes), MPI_BYTE, peer, tag, comm_, &sent_.back()),
                    "MPI_Isend");
        }
    }

    MPI_Comm comm_;
    const int rank_;
    const int nranks_;
    const int tag_;
    std::vector<Settings> settings_;
    std::vector<Reason> verdicts_;
    std::vector<MPI_Request> settings_asked_;
    std::vector<MPI_Request> verdicts_asked_;
    std::vector<MPI_Request> sent_;
};

// MPI as this process has it: started by the first communicator, unless the program has done so; ended with the process
// if it was started here. MPI is called by one thread at a time.
class Mpi {
public:
    // Never destroyed: threads may still be inside when the process ends, and a forked child is none of MPI's
    // processes.
    static Mpi &of_process() {
        static Mpi *mpi = new Mpi;
        return *mpi;
    }
    Mpi(const Mpi &) = delete;
    Mpi &operator=(const Mpi &) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }

    // Runs `body`, which calls MPI, while no other thread does.
    template <typename Body>
    auto call(Body body) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (ended_) throw Failure(COMM_INVALID_STATE, "MPI has ended in this process");
        return body();
    }

    std::unique_ptr<Meeting> open_meeting(int nranks, size_t window_bytes, const std::string &path,
                                          uint64_t *generation_out) {
        return call([&] {
            meetings_.remove_if([](const std::unique_ptr<Meeting> &old) { return old->is_over(); });
            *generation_out = ++generation_;
            Settings settings{window_bytes, *generation_out, ""};
            for (const std::unique_ptr<Node> &node : nodes_) {
                if (node->in_use()) settings.oldest = std::min(settings.oldest, node->generation());
            }
            path.copy(settings.path, kMaxPath);
            return std::make_unique<Meeting>(comm_, rank_, nranks, *generation_out, settings);
        });
    }

    void close_meeting(std::unique_ptr<Meeting> meeting) {
        call([&] {
            if (!meeting->is_over()) meetings_.push_back(std::move(meeting));
        });
    }

    // All ranks are inside this call, with the same values. `oldest` is that of the rank with the smallest.
    Node *bring_up(uint64_t generation, uint64_t oldest, int nranks, size_t window_bytes) {
        return call([&] {
            nodes_.remove_if([&](const std::unique_ptr<Node> &node) { return node->generation() < oldest; });
            nodes_.push_back(std::make_unique<Node>(comm_, generation, rank_, nranks, window_bytes));
            return nodes_.back().get();
        });
    }

private:
    Mpi() : pid_(getpid()) {
        int initialized = 0;
        int finalized = 0;
        int level = MPI_THREAD_SINGLE;
        MPI_Initialized(&initialized);
        MPI_Finalized(&finalized);
        if (finalized != 0) throw Failure(COMM_INVALID_STATE, "MPI has ended in this process");
        if (initialized != 0) {
            MPI_Query_thread(&level);
        } else {
            require(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level), "MPI_Init_thread");
            ours_ = true;
        }
        int is_main = 0;
        MPI_Is_thread_main(&is_main);
        if (level < MPI_THREAD_SERIALIZED && is_main == 0) {
            throw Failure(
                COMM_INVALID_STATE,
                "MPI was started for its main thread alone, and another one has called comm_init; the program "
                "has to ask MPI_Init_thread for MPI_THREAD_SERIALIZED");
        }
        // Messages of ours and of the program's do not meet.
        require(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "MPI_Comm_dup");
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
        MPI_Comm_rank(comm_, &rank_);
        MPI_Comm_size(comm_, &size_);
        // MPI's way of telling that it is about to end, whoever ends it.
        int key = MPI_KEYVAL_INVALID;
        require(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, before_end, &key, nullptr), "MPI_Comm_create_keyval");
        require(MPI_Comm_set_attr(MPI_COMM_SELF, key, this), "MPI_Comm_set_attr");
        if (ours_) std::atexit(finalize);
    }

    static void finalize() {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (finalized == 0 && getpid() == of_process().pid_) MPI_Finalize();
    }

    static int before_end(MPI_Comm, int, void *mpi, void *) {
        static_cast<Mpi *>(mpi)->end();
        return MPI_SUCCESS;
    }

    // Nothing is freed: threads may still look at the header.
    void end() {
        const std::lock_guard<std::mutex> lock(mutex_);
        ended_ = true;
        for (const std::unique_ptr<Node> &node : nodes_) {
            if (node->in_use()) {
                node->abort(Reason::of(COMM_PEER_DIED, rank_,
                                       name(rank_) + " (process " + std::to_string(pid_) +
                                           ") has ended without leaving the communicator"));
                node->leave();
            }
            node->settle();
        }
        for (const std::unique_ptr<Meeting> &meeting : meetings_) meeting->give_up();
    }

    const pid_t pid_;
    bool ours_ = false;
    bool ended_ = false;
    int rank_ = 0;
    int size_ = 0;
    MPI_Comm comm_ = MPI_COMM_NULL;
    std::mutex mutex_;
    uint64_t generation_ = 0;
    std::list<std::unique_ptr<Node>> nodes_;  // oldest first, the same in all ranks
    std::list<std::unique_ptr<Meeting>> meetings_;
};

// Looks again and again, as MPI needs, less and less often: first at once, for the sake of short waits, then a
// thousand times a second at least.
class Pause {
public:
    void next() {
        count_++;
        if (count_ < 2'000) {
            sched_yield();
        } else {
            std::this_thread::sleep_for(std::chrono::microseconds(std::min(count_ - 1'900, 1'000)));
        }
    }

private:
    int count_ = 0;
};

class Communicator {
public:
    Communicator(int rank, int nranks, std::string path) : rank_(rank), nranks_(nranks), path_(std::move(path)) {
        if (nranks < 1 || nranks > kMaxRanks) {
            throw Failure(COMM_INVALID_ARGUMENT, "nranks = " + std::to_string(nranks) + " is not in [1, 64]");
        }
        require_rank("rank", rank);
        require_path();
        const Mpi &mpi = Mpi::of_process();
        if (mpi.size() != nranks) {
            throw Failure(COMM_MISMATCH, "MPI's world has " + std::to_string(mpi.size()) +
                                             (mpi.size() == 1 ? " process" : " processes") + ", comm_init was told " +
                                             std::to_string(nranks) + ": start the ranks by mpirun -n " +
                                             std::to_string(nranks));
        }
        if (mpi.rank() != rank) {
            throw Failure(COMM_MISMATCH,
                          "this process is " + name(mpi.rank()) + " of MPI's world, comm_init was told " + name(rank));
        }
    }
    Communicator(const Communicator &) = delete;
    Communicator &operator=(const Communicator &) = delete;

    ~Communicator() {
        // Once MPI has ended, the node has gone with it.
        try {
            if (node_ != nullptr) Mpi::of_process().call([&] { node_->leave(); });
        } catch (const Failure &) {
        }
    }

    // MPI has joined the ranks already; the text only tells a rank that was handed another backend's.
    const char *root_info() {
        const OneCall call(*this);
        if (rank_ != 0) {
            throw Failure(COMM_INVALID_STATE, "comm_root_info is rank 0's; this is " + name(rank_));
        }
        return kRootInfo;
    }

    void join(const char *root_info) {
        const OneCall call(*this);
        if (rank_ == 0) throw Failure(COMM_INVALID_STATE, "rank 0 makes the root info and joins nobody");
        if (std::strcmp(root_info, kRootInfo) != 0) {
            throw Failure(COMM_MISMATCH, "what comm_join was given is not a root info of this backend");
        }
    }

    uint64_t allocate_windows(size_t requested) {
        const OneCall call(*this);
        if (asked_) throw Failure(COMM_INVALID_STATE, "comm_alloc_windows was called before on this communicator");
        const size_t wanted = requested == 0 ? kDefaultWindowBytes : requested;
        if (wanted > kMaxBytes / static_cast<size_t>(nranks_) - kHeaderBytes - 2 * kPageBytes) {
            throw Failure(COMM_INVALID_ARGUMENT, "win_size = " + std::to_string(requested) + ": " +
                                                     std::to_string(nranks_) +
                                                     " windows of this size cannot be addressed");
        }
        asked_ = true;
        Mpi &mpi = Mpi::of_process();
        uint64_t generation = 0;
        std::unique_ptr<Meeting> meeting = mpi.open_meeting(nranks_, round_up_to_page(wanted), path_, &generation);
        uint64_t oldest = generation;
        Reason refusal{};
        try {
            refusal = meet(*meeting, &oldest);
        } catch (const Failure &failure) {
            refusal = Reason::of(failure.code(), rank_, failure.what());
        }
        mpi.close_meeting(std::move(meeting));
        if (refusal.code != COMM_OK) {
            const std::lock_guard<std::mutex> lock(abort_mutex_);
            early_abort_ = refusal;
            refusal.raise();
        }
        Node *node = mpi.bring_up(generation, oldest, nranks_, round_up_to_page(wanted));
        fill_context(*node);
        const std::lock_guard<std::mutex> lock(abort_mutex_);
        node_ = node;
        if (early_abort_.has_value()) node_->abort(*early_abort_);
        return reinterpret_cast<uint64_t>(&context_);
    }

    uint64_t local_window_base() {
        const OneCall call(*this);
        return require_node().window(rank_);
    }

    size_t window_bytes() {
        const OneCall call(*this);
        return require_node().window_bytes();
    }

    void barrier() {
        const OneCall call(*this);
        Mpi &mpi = Mpi::of_process();
        Node &node = require_node();
        const uint64_t number = node.barriers() + 1;
        const std::string where = "in barrier #" + std::to_string(number);
        const auto is_missing = [&](int rank) { return !node.has_entered(rank, number); };
        const auto has_gone = [&](int rank) { return node.has_left(rank) && is_missing(rank); };
        const Deadline deadline{milliseconds(timeout_ms_.load(std::memory_order_relaxed))};
        bool waiting = mpi.call([&] { return node.enter(); });
        for (Pause pause;; pause.next()) {
            // In the reverse of the order in which a peer does these: it arrives, sees an abort, and leaves.
            const bool late = deadline.passed();
            const std::vector<int> gone = ranks_where(nranks_, has_gone);
            const bool aborted = node.aborted();
            const bool completed = waiting && mpi.call([&] { return node.completed(); });
            waiting = waiting && !completed;
            if (!completed && !aborted && gone.empty() && !late) continue;
            // MPI alone does not tell: a rank that is gone completes what its peers have entered.
            const std::vector<int> missing = ranks_where(nranks_, is_missing);
            if (missing.empty()) return;
            if (aborted) node.reason().raise();
            if (!gone.empty()) {
                fail(node, COMM_PEER_LEFT,
                     Reason::of(
                         COMM_PEER_LEFT, gone.front(),
                         name(gone.front()) + " has left the communicator while " + name(rank_) + " waited " + where));
            }
            if (late) {
                // It is this rank's deadline that has passed; for its peers it is a reason to stop.
                fail(node, COMM_TIMEOUT,
                     Reason::of(COMM_ABORTED, missing.front(),
                                name(rank_) + " waited " + std::to_string(deadline.waited_ms()) + " ms " + where +
                                    "; " + list(missing) + " had not arrived"));
            }
        }
    }

    void abort(int failed_rank, const char *reason) {
        require_rank("failed_rank", failed_rank);
        const Reason abort =
            Reason::of(COMM_ABORTED, failed_rank, std::string(reason == nullptr ? "" : reason).substr(0, kMaxReason));
        const std::lock_guard<std::mutex> lock(abort_mutex_);
        if (node_ != nullptr) {
            node_->abort(abort);
        } else if (!early_abort_.has_value()) {
            early_abort_ = abort;
        }
    }

    void set_timeout(int64_t milliseconds) {
        if (milliseconds < 1 || milliseconds > kMaxTimeoutMs) {
            throw Failure(COMM_INVALID_ARGUMENT, "milliseconds = " + std::to_string(milliseconds) + " is not in [1, " +
                                                     std::to_string(kMaxTimeoutMs) + "]");
        }
        timeout_ms_.store(milliseconds, std::memory_order_relaxed);
    }

    int aborted_by() {
        const std::lock_guard<std::mutex> lock(abort_mutex_);
        if (node_ != nullptr) return node_->aborted() ? node_->reason().rank : -1;
        return early_abort_.has_value() ? early_abort_->rank : -1;
    }

private:
    // Two threads inside one communicator would corrupt the order of its calls; the second is refused.
    class OneCall {
    public:
        explicit OneCall(Communicator &communicator) : busy_(communicator.busy_) {
            if (busy_.exchange(true, std::memory_order_acquire)) {
                throw Failure(COMM_INVALID_STATE, "another thread is inside a call on this communicator");
            }
        }
        OneCall(const OneCall &) = delete;
        OneCall &operator=(const OneCall &) = delete;
        ~OneCall() { busy_.store(false, std::memory_order_release); }

    private:
        std::atomic<bool> &busy_;
    };

    void require_rank(const char *what, int rank) const {
        if (rank >= 0 && rank < nranks_) return;
        throw Failure(COMM_INVALID_ARGUMENT, std::string(what) + " = " + std::to_string(rank) +
                                                 " is not in [0, nranks = " + std::to_string(nranks_) + ")");
    }

    // The ranks find each other through MPI; the path is checked all the same, so that no program is wrong here
    // unnoticed.
    void require_path() const {
        if (path_.empty()) throw Failure(COMM_INVALID_ARGUMENT, "rootinfo_path is empty");
        const size_t slash = path_.rfind('/');
        const std::string folder = slash == std::string::npos ? "." : path_.substr(0, std::max<size_t>(slash, 1));
        struct stat status {};
        if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
            throw Failure(COMM_INVALID_ARGUMENT, "rootinfo_path = \"" + path_ + "\": " + folder + " is not a folder");
        }
    }

    Node &require_node() {
        const std::lock_guard<std::mutex> lock(abort_mutex_);
        if (node_ != nullptr) {
            if (node_->aborted()) node_->reason().raise();
            return *node_;
        }
        if (asked_ && early_abort_.has_value()) early_abort_->raise();
        throw Failure(COMM_INVALID_STATE, "comm_alloc_windows has not succeeded on this communicator");
    }

    // Why this rank does not go on; COMM_OK if all ranks do. A rank that gives up says so to those that have come and
    // to those that will, and all go on only if each has heard of all that they do: then none is left alone in what
    // blocks.
    Reason meet(Meeting &meeting, uint64_t *oldest) {
        Mpi &mpi = Mpi::of_process();
        const Reason verdict = gather(meeting, oldest);
        // It is this rank's deadline that has passed; for its peers it is a reason to stop.
        Reason for_peers = verdict;
        if (verdict.code == COMM_TIMEOUT) for_peers.code = COMM_ABORTED;
        mpi.call([&] { meeting.say(for_peers); });
        if (verdict.code != COMM_OK) return verdict;
        // From here on this rank must go on if the others do; an abort waits until there are windows. It may still give
        // up at its deadline, for then a rank has not said that it goes on: unless that is merely stopped for so long,
        // none will.
        return wait_for_all("to agree on the windows", false, meeting,
                            [&](int rank) { return meeting.has_verdict_of(rank); });
    }

    Reason gather(Meeting &meeting, uint64_t *oldest) {
        const Reason refusal = wait_for_all("for all ranks to ask for windows", true, meeting,
                                            [&](int rank) { return meeting.has_settings_of(rank); });
        if (refusal.code != COMM_OK) return refusal;
        const Settings &of_0 = meeting.settings_of(0);
        for (int rank = 0; rank < nranks_; rank++) {
            const Settings &settings = meeting.settings_of(rank);
            if (settings.window_bytes != of_0.window_bytes) {
                return differ(rank, "a window size (in whole pages)", std::to_string(settings.window_bytes),
                              std::to_string(of_0.window_bytes));
            }
            if (std::strcmp(settings.path, of_0.path) != 0) {
                return differ(rank, "rootinfo_path", settings.path, of_0.path);
            }
            *oldest = std::min(*oldest, settings.oldest);
        }
        return rank_ == 0 ? find_room(of_0.window_bytes) : Reason{};
    }

    // MPICH takes memory that is not there, and the first touch ends the process; of Open MPI one rank fails and the
    // others wait for it. So rank 0 looks where both of them put it.
    Reason find_room(uint64_t window_bytes) const {
        const char *folder = std::getenv("OMPI_MCA_osc_sm_backing_directory");
        if (folder == nullptr) folder = "/dev/shm";
        const uint64_t needed = kHeaderBytes + static_cast<uint64_t>(nranks_) * (window_bytes + kPageBytes);
        struct statvfs room {};
        if (statvfs(folder, &room) != 0 || needed <= uint64_t{room.f_bavail} * room.f_frsize) return Reason{};
        return Reason::of(COMM_OUT_OF_MEMORY, 0,
                          "the windows of " + std::to_string(nranks_) + " ranks need " + std::to_string(needed) +
                              " bytes of shared memory, and " + folder + " has " +
                              std::to_string(uint64_t{room.f_bavail} * room.f_frsize) +
                              " left. Ask for smaller windows, or give the container more (--shm-size)");
    }

    Reason wait_for_all(const char *what, bool may_abort, Meeting &meeting,
                        const std::function<bool(int)> &has_answered) {
        const Deadline deadline{milliseconds(timeout_ms_.load(std::memory_order_relaxed))};
        for (Pause pause;; pause.next()) {
            if (const std::optional<Reason> abort = may_abort ? early_abort() : std::nullopt) return *abort;
            const std::optional<Reason> answer = Mpi::of_process().call([&]() -> std::optional<Reason> {
                const std::vector<int> missing =
                    ranks_where(nranks_, [&](int rank) { return rank != rank_ && !has_answered(rank); });
                // Afterwards: what has arrived while we looked may be a refusal.
                if (const Reason *refusal = meeting.refusal()) return *refusal;
                if (missing.empty()) return Reason{};
                if (!deadline.passed()) return std::nullopt;
                return Reason::of(COMM_TIMEOUT, missing.front(),
                                  name(rank_) + " waited " + std::to_string(deadline.waited_ms()) + " ms " + what +
                                      "; " + list(missing) + " had not done so");
            });
            if (answer.has_value()) return *answer;
        }
    }

    std::optional<Reason> early_abort() {
        const std::lock_guard<std::mutex> lock(abort_mutex_);
        return early_abort_;
    }

    static Reason differ(int rank, const std::string &what, const std::string &value, const std::string &of_rank_0) {
        return Reason::of(
            COMM_MISMATCH, rank,
            name(rank) + " was started with " + what + " = " + value + ", rank 0 with " + what + " = " + of_rank_0);
    }

    [[noreturn]] void fail(Node &node, int code, const Reason &for_peers) {
        {
            const std::lock_guard<std::mutex> lock(abort_mutex_);
            node.abort(for_peers);
        }
        throw Failure(code, for_peers.text);
    }

    void fill_context(const Node &node) {
        context_.rankId = static_cast<uint32_t>(rank_);
        context_.rankNum = static_cast<uint32_t>(nranks_);
        context_.winSize = node.window_bytes();
        for (int rank = 0; rank < nranks_; rank++) {
            context_.windowsIn[rank] = node.window(rank);
            context_.windowsOut[rank] = node.window(rank);
        }
    }

    const int rank_;
    const int nranks_;
    const std::string path_;
    std::atomic<int64_t> timeout_ms_{120'000};
    std::atomic<bool> busy_{false};
    bool asked_ = false;
    CommContext context_{};

    std::mutex abort_mutex_;  // guards node_, early_abort_ and this rank's part of an abort
    Node *node_ = nullptr;
    std::optional<Reason> early_abort_;
};

}  // namespace

struct CommHandle_ {
    Communicator communicator;
};

namespace {

thread_local ErrorText last_error;

template <typename Body>
int guarded(Body body) noexcept {
    return rankunit::guarded(last_error, COMM_OUT_OF_MEMORY, COMM_SYSTEM, body);
}

Communicator &require(CommHandle h) {
    if (h == nullptr) throw Failure(COMM_INVALID_ARGUMENT, "the communicator's handle is NULL");
    return h->communicator;
}

void require_target(const void *pointer, const char *what) {
    if (pointer == nullptr) throw Failure(COMM_INVALID_ARGUMENT, std::string(what) + " is NULL");
}

}  // namespace

CommHandle comm_init(int rank, int nranks, void * /*stream*/, const char *rootinfo_path) {
    CommHandle made = nullptr;
    guarded([&] {
        require_target(rootinfo_path, "rootinfo_path");
        made = new CommHandle_{{rank, nranks, rootinfo_path}};
    });
    return made;
}

int comm_alloc_windows(CommHandle h, size_t win_size, uint64_t *device_ctx_out) {
    return guarded([&] {
        require_target(device_ctx_out, "device_ctx_out");
        *device_ctx_out = require(h).allocate_windows(win_size);
    });
}

int comm_get_local_window_base(CommHandle h, uint64_t *base_out) {
    return guarded([&] {
        require_target(base_out, "base_out");
        *base_out = require(h).local_window_base();
    });
}

int comm_get_window_size(CommHandle h, size_t *size_out) {
    return guarded([&] {
        require_target(size_out, "size_out");
        *size_out = require(h).window_bytes();
    });
}

int comm_barrier(CommHandle h) {
    return guarded([&] { require(h).barrier(); });
}

int comm_destroy(CommHandle h) {
    return guarded([&] {
        require(h);
        delete h;
    });
}

int comm_root_info(CommHandle h, char *text_out, size_t capacity) {
    return guarded([&] {
        require_target(text_out, "text_out");
        const std::string text = require(h).root_info();
        if (text.size() >= capacity) {
            throw Failure(COMM_INVALID_ARGUMENT, "capacity = " + std::to_string(capacity) + ": the root info has " +
                                                     std::to_string(text.size() + 1) + " bytes");
        }
        std::memcpy(text_out, text.c_str(), text.size() + 1);
    });
}

int comm_join(CommHandle h, const char *root_info) {
    return guarded([&] {
        require_target(root_info, "root_info");
        require(h).join(root_info);
    });
}

int comm_abort(CommHandle h, int failed_rank, const char *reason) {
    return guarded([&] { require(h).abort(failed_rank, reason); });
}

int comm_set_timeout(CommHandle h, int64_t milliseconds) {
    return guarded([&] { require(h).set_timeout(milliseconds); });
}

int comm_aborted_by(CommHandle h) {
    int rank = -1;
    guarded([&] { rank = require(h).aborted_by(); });
    return rank;
}

const char *comm_last_error() {
    return last_error.get();
}

uint32_t comm_abi_version() {
    return COMM_ABI_VERSION;
}
