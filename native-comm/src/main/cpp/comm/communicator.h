// One rank's side of a communicator, for any kind of device.
#ifndef RANKUNIT_COMM_COMMUNICATOR_H
#define RANKUNIT_COMM_COMMUNICATOR_H

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "comm/device_side.h"
#include "meet/bootstrap.h"

namespace rankunit::comm {

using meet::Topic;

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

    std::string describe();

    // These three may be called from any thread.
    void abort(int failed_rank, const char *reason) { bootstrap_.abort(failed_rank, reason); }
    void set_timeout(int64_t milliseconds) { bootstrap_.set_timeout(milliseconds); }
    int aborted_by() { return bootstrap_.aborted_by(); }

private:
    class OneCall;

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
    void telling_peers(Body body);
    template <typename Body>
    void record_barrier(uint64_t domain, Domain &of, Body body);
    void record_windows(uint64_t domain, const Domain &of) const;

    const int rank_;
    const int nranks_;
    const uint64_t number_;  // among those of this process, in the log of events
    Bootstrap bootstrap_;
    std::unique_ptr<DeviceSide> device_;
    std::atomic<bool> busy_{false};
    bool asked_ = false;  // whether comm_alloc_windows was called
    std::unique_ptr<Domain> base_;
    std::map<uint64_t, Domain> domains_;
    std::vector<uint64_t> derived_;
};

}  // namespace rankunit::comm

#endif  // RANKUNIT_COMM_COMMUNICATOR_H
