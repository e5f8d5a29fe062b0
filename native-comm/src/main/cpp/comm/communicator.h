// One rank's side of a communicator, for any kind of device.
#ifndef RANKUNIT_COMM_COMMUNICATOR_H
#define RANKUNIT_COMM_COMMUNICATOR_H

#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bootstrap/bootstrap.h"
#include "comm/device_side.h"

namespace rankunit::comm {

using bootstrap::Topic;

// What another room keeps with a communicator. It is destroyed before the windows are.
class Attachment {
public:
    Attachment() = default;
    Attachment(const Attachment &) = delete;
    Attachment &operator=(const Attachment &) = delete;
    virtual ~Attachment() = default;
};

// See rankunit/comm.h for the contract. Failures are thrown.
class Communicator {
public:
    Communicator(int rank, int nranks, void *stream, std::string rootinfo_path);
    Communicator(const Communicator &) = delete;
    Communicator &operator=(const Communicator &) = delete;
    ~Communicator();

    std::string root_info();
    void join(const std::string &root_info);
    uint64_t allocate_windows(size_t requested);
    uint64_t local_window_base();
    size_t window_bytes();
    void barrier();

    uint64_t derive(const uint32_t *ranks, size_t count, uint32_t place, size_t offset, size_t bytes);
    uint64_t allocate_domain(uint64_t id, const uint32_t *ranks, size_t count, uint32_t place, size_t bytes,
                             uint64_t *base_out);
    void release_domain(uint64_t id, size_t count, uint32_t place);
    void domain_barrier(uint64_t id);

    void run_vendor(const VendorRun &run);

    std::string describe();

    // These three may be called from any thread.
    void abort(int failed_rank, const char *reason) { bootstrap_.abort(failed_rank, reason); }
    void set_timeout(int64_t milliseconds) { bootstrap_.set_timeout(milliseconds); }
    int aborted_by() { return bootstrap_.aborted_by(); }

    // For rooms that add to what a communicator does. A function that adds something holds a OneCall.

    // Rejects a second thread inside one communicator: two would corrupt the order of its calls.
    class OneCall {
    public:
        explicit OneCall(Communicator &communicator);
        OneCall(const OneCall &) = delete;
        OneCall &operator=(const OneCall &) = delete;
        ~OneCall() { busy_.store(false, std::memory_order_release); }

    private:
        std::atomic<bool> &busy_;
    };

    Bootstrap &bootstrap() { return bootstrap_; }
    bool spans_machines() const { return bootstrap_.spans_machines(); }
    // Those of all ranks. Throws if there are none.
    const Windows &windows() { return *base().windows; }
    // The argument of comm_init.
    void *stream() const { return stream_; }

    // Memory of its own on each rank, zero-filled, which all ranks map; null for 0 bytes. All ranks call this with the
    // same size, which they know to be the same. `text`, as in Topic, is for errors. If this rank fails, its peers are
    // told.
    std::unique_ptr<Windows> allocate_shared(size_t bytes, const std::string &text);

    // Gives up what the call with this number, from 1 on, has made. Waits for no rank: where a rank's memory may only
    // be freed after all views of it, it is freed by a later call of allocate_shared, when all ranks have given it up,
    // or with the communicator.
    void give_up_shared(uint64_t number, std::unique_ptr<Windows> windows);
    // How often allocate_shared was called; the same on all ranks.
    uint64_t shared() const { return shared_; }

    // A rank that fails alone would leave its peers waiting. This tells them the reason, so that they fail too.
    template <typename Body>
    void telling_peers(Body body) {
        try {
            body();
        } catch (const std::exception &failure) {
            // If a wait failed, the peers already know about it: the first reason is kept.
            bootstrap_.tell_failure(failure.what());
            throw;
        }
    }

    // Attachments have numbers, from 1 on, that are not given out again.
    uint32_t attach(std::unique_ptr<Attachment> attachment);
    Attachment *attached(uint32_t number);  // null if there is none
    void detach(uint32_t number) { attachments_.erase(number); }
    // What attachments have in common, made by the first one that needs it; null before. It ends after all of them.
    std::unique_ptr<Attachment> &shared_attachment() { return shared_attachment_; }

private:
    // Windows of some ranks, and the context with which kernels find them.
    struct Domain {
        Members members;
        std::unique_ptr<Windows> windows;
        uint64_t context;
        uint64_t barriers = 0;  // so far
    };

    Domain allocate(const Members &members, size_t bytes, uint64_t id, const Topic &topic);
    void compare(const Members &members, size_t bytes, const Topic &topic);
    uint64_t publish(const Members &members, size_t bytes, const std::vector<uint64_t> &addresses);
    void free(Domain &domain) noexcept;
    Domain &base();
    Domain &domain(uint64_t id);
    template <typename Body>
    void record_barrier(uint64_t domain, Domain &of, Body body);
    void record_windows(uint64_t domain, const Members &members, const Windows &windows) const;
    void free_given_up(const std::vector<std::string> &said);

    const int rank_;
    const int nranks_;
    void *const stream_;
    const uint64_t number_;  // among those of this process, in the log of events
    Bootstrap bootstrap_;
    std::unique_ptr<DeviceSide> device_;
    std::atomic<bool> busy_{false};
    bool asked_ = false;  // whether comm_alloc_windows was called
    std::unique_ptr<Domain> base_;
    std::map<uint64_t, Domain> domains_;
    std::vector<uint64_t> derived_;
    std::unique_ptr<Attachment> shared_attachment_;
    std::map<uint32_t, std::unique_ptr<Attachment>> attachments_;
    uint32_t last_attachment_ = 0;
    uint64_t shared_ = 0;                                    // how often allocate_shared was called
    std::map<uint64_t, std::unique_ptr<Windows>> given_up_;  // by number; others may still have views of them
};

}  // namespace rankunit::comm

#endif  // RANKUNIT_COMM_COMMUNICATOR_H
