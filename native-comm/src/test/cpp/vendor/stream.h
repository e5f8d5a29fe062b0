// A stream: work that runs in order, on a thread of its own.
#ifndef RANKUNIT_VENDOR_STREAM_H
#define RANKUNIT_VENDOR_STREAM_H

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "vendor/machine.h"

namespace rankunit::emulator {

// Returns a code. Long work ends when `stop` becomes true.
using Work = std::function<int(const std::atomic<bool> &stop)>;

class Stream {
public:
    explicit Stream(Context *context);
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    // Work in progress is told to stop, and left to itself if it does not.
    ~Stream();

    Context *context() const { return context_; }
    void enqueue(Work work);
    bool idle() const;
    // Ends the work in progress and forgets the rest.
    void abort();
    // -1 ms is forever.
    int synchronize(int timeout_ms);

private:
    struct State;
    static void run(const std::shared_ptr<State> &state);

    Context *context_;
    std::shared_ptr<State> state_;
};

void destroy_stream(Stream *stream);

// The stream if it is one, and of the current context; otherwise null, and the code of the refusal.
RANKUNIT_EMULATOR_INTERNAL Stream *checked_stream(void *stream, int *refusal);

// Enqueues what `function` is to do on the device, unless it is to hang.
RANKUNIT_EMULATOR_INTERNAL void enqueue_on(Stream *stream, const char *function, Work work);

}  // namespace rankunit::emulator

#endif  // RANKUNIT_VENDOR_STREAM_H
