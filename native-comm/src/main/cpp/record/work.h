// Recording a piece of work: of a stream, or a launch by the host.
#ifndef RANKUNIT_RECORD_WORK_H
#define RANKUNIT_RECORD_WORK_H

#include <cstdint>
#include <optional>
#include <string>

#include "record/record.h"

namespace rankunit::record {

// While it lives, this thread does the work.
class RecordedWork {
public:
    // `who`: the stream, with the number of the work that its enqueue was recorded with; 0 if that was not recorded.
    RecordedWork(Here who, WorkKind kind, const std::string *kernel) noexcept {
        if (who.work != 0) begin(who, kind, kernel);
    }
    // A launch by who acts on this thread.
    explicit RecordedWork(const std::string &kernel) noexcept {
        if (log() != nullptr) begin({here().actor, new_number()}, kLaunchWork, &kernel);
    }
    RecordedWork(const RecordedWork &) = delete;
    RecordedWork &operator=(const RecordedWork &) = delete;
    ~RecordedWork() {
        if (as_.has_value()) end();
    }

    void succeeded() noexcept { failed_ = 0; }

private:
    void begin(Here who, WorkKind kind, const std::string *kernel) noexcept;
    void end() noexcept;

    std::optional<As> as_;
    std::optional<Span> span_;
    WorkKind kind_ = kLaunchWork;
    uint32_t text_ = 0;
    uint64_t number_ = 0;
    uint64_t failed_ = 1;
};

}  // namespace rankunit::record

#endif  // RANKUNIT_RECORD_WORK_H
