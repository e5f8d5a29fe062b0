#include "coll/host/shared_part.h"

#include "bootstrap/segment/bootstrap_layout.h"

namespace rankunit::coll {

using bootstrap::kCacheLine;

namespace {

uint64_t head_bytes(const Prepared &prepared) {
    return kCacheLine * (1 + static_cast<uint64_t>(prepared.setting.nranks) * prepared.all.link_notifies);
}

}  // namespace

static_assert(sizeof(PartHeader) <= kCacheLine);
static_assert(Notify::is_always_lock_free, "processes share these words, so a lock inside them would be useless");

SharedPart::SharedPart(const Prepared &prepared)
    : link_notifies_(prepared.all.link_notifies), memory_(prepared, head_bytes(prepared)) {}

Notify &SharedPart::notify(int rank, int peer, uint32_t number) const {
    const uint64_t place = 1 + static_cast<uint64_t>(peer) * link_notifies_ + number;
    return *reinterpret_cast<Notify *>(memory_.head(rank) + kCacheLine * place);
}

}  // namespace rankunit::coll
