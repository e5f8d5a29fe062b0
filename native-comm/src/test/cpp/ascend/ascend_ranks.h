// Ranks on devices of the emulated machine.
#ifndef RANKUNIT_TEST_ASCEND_ASCEND_RANKS_H
#define RANKUNIT_TEST_ASCEND_ASCEND_RANKS_H

#include <chrono>
#include <memory>

#include "ascend/ascend_support.h"
#include "rankunit/comm.h"

namespace rankunit::test {

// A way of sharing windows, and what makes it the one that is taken.
struct Way {
    std::string name;
    std::string soc;
    std::string faults;
};

// Those that the libraries of this run have.
std::vector<Way> ways();

// What the emulator is to be for one way, and nothing else.
class Machine {
public:
    explicit Machine(const Way &way, const std::string &more_faults = "");

private:
    Setting soc_;
    Setting faults_;
    Setting buffers_;
};

// A rank with its device and its communicator. Checks nothing by itself but what `up` is for.
class AscendRank {
public:
    AscendRank(int rank, int nranks, const std::string &path, int device, int64_t timeout_ms = 30'000);
    AscendRank(int rank, int nranks, const std::string &path) : AscendRank(rank, nranks, path, rank) {}
    AscendRank(const AscendRank &) = delete;
    AscendRank &operator=(const AscendRank &) = delete;
    ~AscendRank();

    int allocate(size_t bytes = 4096);
    // Fails the test if there are no windows then.
    void up(size_t bytes = 4096);
    void barrier();
    void destroy();

    CommHandle comm() const { return comm_; }
    const OpenDevice &device() const { return *device_; }
    uint64_t context_address() const { return context_address_; }
    CommContext context() const { return context_at(context_address_); }
    CommContext context_at(uint64_t address) const;

private:
    int rank_;
    std::unique_ptr<OpenDevice> device_;
    CommHandle comm_;
    uint64_t context_address_ = 0;
};

}  // namespace rankunit::test

#endif  // RANKUNIT_TEST_ASCEND_ASCEND_RANKS_H
