#include "record/block.h"

namespace rankunit::record {

void Block::begin(const std::string &kernel, const Place &place) noexcept {
    const Here parent = here();
    if (place.tells && parent.watch != nullptr) parent.watch->see();
    if (parent.watch != nullptr && parent.actor == kHostActor) {
        as_.emplace(Here{kUnrecordedActor, parent.work, parent.watch});
        return;
    }
    span_.emplace();
    as_.emplace(Here{new_actor(), parent.work, parent.watch});
    now(kBlockBegin, halves(parent.actor, text(kernel)), parent.work, halves(place.block, place.blocks),
        halves(place.core, place.tells ? 1 : 0), halves(place.kind, place.sub_block));
}

void Block::end() noexcept {
    if (span_.has_value()) span_->end(kBlockEnd, failed_);
}

}  // namespace rankunit::record
