// Reducing elements, as fast as memory allows. rankunit/coll.h says what the results are.
#ifndef RANKUNIT_COLL_REDUCE_REDUCE_H
#define RANKUNIT_COLL_REDUCE_REDUCE_H

#include <cstddef>

#include "rankunit/coll.h"

namespace rankunit::coll {

// to[i] = one[i] op other[i] for `count` elements at any addresses. `to` may be `one` or `other`, but not overlap them
// otherwise.
using Combine = void (*)(void *to, const void *one, const void *other, size_t count);

// The functions for one kind of processor; null for COLL_BYTES. Both arguments are in range.
using Reductions = Combine (*)(CollType type, CollReduction reduction);

// For every processor of the architecture.
Combine baseline_reduction(CollType type, CollReduction reduction);
#ifdef __x86_64__
// For those with AVX2 and F16C.
Combine avx2_reduction(CollType type, CollReduction reduction);
#endif

// The fastest one that runs on this machine.
Combine best_reduction(CollType type, CollReduction reduction);

}  // namespace rankunit::coll

#endif  // RANKUNIT_COLL_REDUCE_REDUCE_H
