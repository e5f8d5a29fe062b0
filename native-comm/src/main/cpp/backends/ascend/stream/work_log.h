// What was put on a stream and is not known to have ended, for people.
#ifndef RANKUNIT_BACKENDS_ASCEND_STREAM_WORK_LOG_H
#define RANKUNIT_BACKENDS_ASCEND_STREAM_WORK_LOG_H

#include <cstdint>
#include <deque>
#include <string>

namespace rankunit::ascend {

// The runtime tells of a stream whether all has ended, and that something has failed, but not which piece of work. So
// the texts name those that may be meant. Keeps a few texts however much is put. Not thread-safe.
class WorkLog {
public:
    // Returns the number of the piece of work, from 1 on.
    uint64_t put(std::string text);
    // All pieces up to this one have ended.
    void end(uint64_t until);

    uint64_t ended() const { return ended_; }
    uint64_t last() const { return last_; }
    bool all_ended() const { return ended_ == last_; }

    // "work 2 (a copy)", "one of works 2 to 4 (a copy; b; c)"; "after work 4" if all have ended.
    std::string unended() const;
    // "work 2 of 2 is a copy", "works 2 to 4 of 4 have not all ended: a copy; b; c"
    std::string doing() const;

private:
    struct Entry {
        uint64_t number;
        std::string text;
    };

    std::string texts() const;

    uint64_t last_ = 0;
    uint64_t ended_ = 0;
    std::deque<Entry> entries_;  // the first ones that have not ended, and the last one
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_STREAM_WORK_LOG_H
