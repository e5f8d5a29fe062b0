// The two buffers CCL_IN and CCL_OUT of a communicator, which all of its plans use.
#ifndef RANKUNIT_COLL_CCL_BUFFERS_H
#define RANKUNIT_COLL_CCL_BUFFERS_H

#include <cstdint>
#include <memory>

#include "coll/task.h"
#include "comm/communicator.h"

namespace rankunit::coll {

class CclBuffers : public comm::Attachment {
public:
    // Those of the communicator. Made by the first call, for which all ranks wait; all ranks call this alike.
    static const CclBuffers &of(comm::Communicator &communicator);

    // The size of each: HCCL_BUFFSIZE in MiB, 200 if it is not set. Throws COMM_INVALID_ARGUMENT if it is no size.
    static uint64_t bytes_of_each();

    explicit CclBuffers(comm::Communicator &communicator);
    ~CclBuffers() override;

    uint64_t address(int rank, CollBuffer buffer) const {
        return windows_->addresses()[static_cast<size_t>(rank)] + (buffer == COLL_CCL_IN ? 0 : bytes_);
    }

private:
    comm::Communicator &communicator_;
    const uint64_t bytes_;
    std::unique_ptr<comm::Windows> windows_;
    uint64_t number_;
};

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_CCL_BUFFERS_H
