#include "record/work.h"

namespace rankunit::record {

void RecordedWork::begin(Here who, WorkKind kind, const std::string *kernel) noexcept {
    kind_ = kind;
    number_ = who.work;
    text_ = kernel == nullptr ? 0 : text(*kernel);
    span_.emplace();
    as_.emplace(who);
    now(kWorkBegin, number_, kind_, text_, place());
}

void RecordedWork::end() noexcept {
    span_->end(kWorkEnd, number_, kind_, text_, failed_);
}

}  // namespace rankunit::record
