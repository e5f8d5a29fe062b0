#include "vendor/stream.h"

#include <unistd.h>

#include <thread>
#include <utility>

namespace rankunit::emulator {

struct Stream::State {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Work> work;
    bool working = false;
    bool ended = false;
    int error = kOk;
    int aborts = 0;
    std::atomic<bool> stop{false};  // what runs now
    bool quit = false;
    DeviceState *device;
};

Stream::Stream(Context *context) : context_(context), state_(std::make_shared<State>()) {
    state_->device = context->device;
    std::thread([state = state_] { run(state); }).detach();
}

Stream::~Stream() {
    std::unique_lock<std::mutex> lock(state_->mutex);
    state_->work.clear();
    state_->stop = true;
    state_->quit = true;
    state_->changed.notify_all();
    state_->changed.wait_for(lock, std::chrono::milliseconds(200), [this] { return state_->ended; });
}

void Stream::run(const std::shared_ptr<State> &state) {
    std::unique_lock<std::mutex> lock(state->mutex);
    for (;;) {
        state->changed.wait(lock, [&] { return state->quit || !state->work.empty(); });
        if (state->quit) break;
        const Work work = std::move(state->work.front());
        state->work.pop_front();
        state->working = true;
        lock.unlock();
        // a device that has failed does nothing more
        const int result = state->device->broken ? int{kOk} : work(state->stop);
        lock.lock();
        state->working = false;
        if (result != kOk) {
            state->error = result;
            state->device->broken = true;
            state->work.clear();
            write_trace("BROKEN a device by work that failed with " + std::to_string(result));
        }
        state->changed.notify_all();
    }
    state->work.clear();
    state->ended = true;
    state->changed.notify_all();
}

void Stream::enqueue(Work work) {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->work.push_back(std::move(work));
    state_->changed.notify_all();
}

bool Stream::idle() const {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    return state_->work.empty() && !state_->working;
}

void Stream::abort() {
    std::unique_lock<std::mutex> lock(state_->mutex);
    state_->work.clear();
    state_->stop = true;
    state_->aborts++;
    state_->changed.notify_all();
    state_->changed.wait_for(lock, std::chrono::milliseconds(200), [this] { return !state_->working; });
    state_->stop = false;
}

int Stream::synchronize(int timeout_ms) {
    std::unique_lock<std::mutex> lock(state_->mutex);
    const int aborts = state_->aborts;
    const auto done = [&] { return (state_->work.empty() && !state_->working) || state_->aborts != aborts; };
    if (timeout_ms < 0) {
        state_->changed.wait(lock, done);
    } else if (!state_->changed.wait_for(lock, std::chrono::milliseconds(timeout_ms), done)) {
        write_trace("LEFT a task on a stream by a synchronisation that timed out");
        return kSyncTimeout;
    }
    if (state_->aborts != aborts) return kStreamAbort;
    // The cause is said once; what comes later is told of a broken device only.
    if (state_->error != kOk) return std::exchange(state_->error, kOk);
    return state_->device->broken ? kDriverInternal : kOk;
}

void destroy_stream(Stream *stream) {
    stream->context()->device->streams.erase(stream);
    delete stream;
}

Stream *checked_stream(void *stream, int *refusal) {
    const std::lock_guard<std::recursive_mutex> lock(machine_mutex());
    Context *context = current_context();
    *refusal = context == nullptr ? kContextNull : stream == nullptr ? kParameter : kOk;
    if (*refusal != kOk) return nullptr;
    auto *checked = static_cast<Stream *>(stream);
    if (context->device->streams.count(checked) != 0 && checked->context() == context) return checked;
    *refusal = kStreamContext;
    return nullptr;
}

void enqueue_on(Stream *stream, const char *function, Work work) {
    if (is_to_hang(function, stream->context()->device->logical)) {
        work = [](const std::atomic<bool> &stop) {
            while (!stop) usleep(1000);
            return int{kOk};
        };
    }
    stream->enqueue(std::move(work));
}

}  // namespace rankunit::emulator
