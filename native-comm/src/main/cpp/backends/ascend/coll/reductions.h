// Reductions on a stream, as far as the vendor's runtime has them.
#ifndef RANKUNIT_BACKENDS_ASCEND_COLL_REDUCTIONS_H
#define RANKUNIT_BACKENDS_ASCEND_COLL_REDUCTIONS_H

#include <cstdint>
#include <string>

#include "backends/ascend/vendor/vendor_api.h"
#include "rankunit/coll.h"

namespace rankunit::ascend {

// Why these devices do not reduce such elements; empty if they do.
std::string reason_against_reduction(CollType type, CollReduction reduction);

// Puts target[i] = target[i] op source[i] on a stream. Returns the vendor's code. Only for what there is no reason
// against.
aclError reduce_on(aclrtStream stream, uint64_t target, uint64_t source, uint64_t bytes, CollType type,
                   CollReduction reduction);

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_COLL_REDUCTIONS_H
