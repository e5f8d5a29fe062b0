// In which order a rank runs the steps of its streams while its schedule is shaken.
#ifndef RANKUNIT_COLL_HOST_SHAKEN_ORDER_H
#define RANKUNIT_COLL_HOST_SHAKEN_ORDER_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shake/shake.h"

namespace rankunit::coll {

// Streams pause before steps, and meanwhile others overtake them. Each step is a point of the call that runs them.
class ShakenOrder {
public:
    ShakenOrder(const shake::Here &call, size_t streams);

    // Decides when a stream may run a step, which is the next one of it.
    void reached(size_t stream, size_t step);

    // Whether `stream` runs before `other`.
    bool is_before(size_t stream, size_t other) const;

    // Waits as it was decided: this holds up the whole rank, and the stream is the first of those that can go on.
    void rest(size_t stream);

private:
    struct Next {
        uint64_t due = 0;  // in steps of pauses, of which those of all streams pass at the same time
        shake::Decision decision;
    };

    const shake::Here call_;
    std::vector<Next> next_;
    uint64_t now_ = 0;
};

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_HOST_SHAKEN_ORDER_H
