// A failure of which a caller still has to be told.
#ifndef RANKUNIT_SUPPORT_KEPT_FAILURE_H
#define RANKUNIT_SUPPORT_KEPT_FAILURE_H

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "support/failure.h"

namespace rankunit {

// What has ended something that works in the background. All who ask later are told of it; it knows whether any caller
// was. Thread-safe.
class KeptFailure {
public:
    KeptFailure(int code, std::string text) : record_(code, std::move(text)) {}

    const std::string &text() const { return record_.text; }
    bool is_told() const { return told_.load(); }
    // The caller passes the text on.
    void set_told() { told_.store(true); }
    [[noreturn]] void tell() {
        set_told();
        record_.raise();
    }

private:
    const FailureRecord record_;
    std::atomic<bool> told_{false};
};

}  // namespace rankunit

#endif  // RANKUNIT_SUPPORT_KEPT_FAILURE_H
