// The end of what was put on streams.
#ifndef RANKUNIT_DEVICE_STREAM_SETTLE_H
#define RANKUNIT_DEVICE_STREAM_SETTLE_H

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "support/deadline.h"
#include "support/failure.h"

namespace rankunit::device {

// Waits for the end of all streams, also after one has failed. Throws one failure that has the texts of all.
template <typename Stream>
void settle(const std::vector<std::shared_ptr<Stream>> &streams, std::chrono::milliseconds timeout) {
    const Deadline deadline(timeout);
    int code = 0;
    std::string text;
    for (const std::shared_ptr<Stream> &stream : streams) {
        try {
            stream->settle(deadline, timeout);
        } catch (const Failure &failure) {
            code = code == 0 ? failure.code() : code;
            text += (text.empty() ? "" : "\n") + std::string(failure.what());
        }
    }
    if (code != 0) throw Failure(code, text);
}

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_STREAM_SETTLE_H
