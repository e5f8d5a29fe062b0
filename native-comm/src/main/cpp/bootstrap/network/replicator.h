// What the replication of rank 0 and that of the other ranks have in common.
#ifndef RANKUNIT_BOOTSTRAP_NETWORK_REPLICATOR_H
#define RANKUNIT_BOOTSTRAP_NETWORK_REPLICATOR_H

#include <atomic>
#include <cstdint>
#include <vector>

#include "bootstrap/network/frame.h"
#include "bootstrap/segment/bootstrap_layout.h"
#include "bootstrap/segment/replication.h"

namespace rankunit::bootstrap {

class Replicator : public Replication {
public:
    void changed_arrivals() override;
    void changed_message() override;
    void changed_taken(uint64_t owners) override;
    void changed_abort() override;
    void changed_state() override;
    bool is_dead(int rank) const override;

protected:
    Replicator(BootstrapHeader &header, int self, int nranks) : header_(header), self_(self), nranks_(nranks) {}

    // Sends changes of this rank to the others, on the caller's thread as far as that does not block.
    virtual void publish(const std::vector<Frame> &frames) = 0;

    // Makes the change of another rank in this replica and wakes who may wait for it, as that rank does in its own. For
    // one thread.
    void apply(const Frame &frame);

    BootstrapHeader &header_;
    const int self_;
    const int nranks_;

private:
    void apply_said(const Frame &frame);
    void apply_taken(const Frame &frame);

    std::atomic<uint64_t> dead_{0};  // a bit for each rank
};

}  // namespace rankunit::bootstrap

#endif  // RANKUNIT_BOOTSTRAP_NETWORK_REPLICATOR_H
