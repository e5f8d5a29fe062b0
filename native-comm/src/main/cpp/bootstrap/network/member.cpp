#include "bootstrap/network/member.h"

#include <poll.h>

#include <utility>

#include "bootstrap/segment/wait.h"
#include "support/failure.h"

namespace rankunit::bootstrap {
namespace {

constexpr milliseconds kLeaving{1000};

}  // namespace

Member::Member(BootstrapHeader &header, int self, int nranks, Connection hub)
    : Replicator(header, self, nranks), hub_(std::move(hub)) {
    thread_ = start_poll_thread([this] { run(); });
}

Member::~Member() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopping_ = true;
        end_ = Clock::now() + kLeaving;
    }
    waker_.wake();
    thread_.join();
}

void Member::publish(const std::vector<Frame> &frames) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Frame &frame : frames) hub_.queue(frame.bytes());
    hub_.flush();
    if (hub_.unsent() > 0) waker_.wake();
}

void Member::run() {
    bool open = true;
    for (bool readable = false; open; open = open && wait(&readable)) {
        const std::lock_guard<std::mutex> lock(mutex_);
        hub_.flush();
        if (readable) open = hub_.receive();
        // Also at the end: what came before it counts. At the start, frames may have come with the answer.
        if (!take_frames()) open = false;
    }
    lose();
}

// Returns whether this goes on.
bool Member::wait(bool *readable) {
    pollfd found[2] = {{hub_.fd(), POLLIN, 0}, {waker_.fd(), POLLIN, 0}};
    int patience = -1;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (hub_.unsent() > 0) found[0].events = POLLIN | POLLOUT;
        if (stopping_) {
            const milliseconds left = std::chrono::duration_cast<milliseconds>(end_ - Clock::now());
            if (left <= milliseconds::zero()) return false;
            patience = static_cast<int>(left.count());
            if (!finished_ && hub_.unsent() == 0) {
                hub_.finish();
                finished_ = true;
            }
        }
    }
    poll(found, 2, patience);
    *readable = (found[0].revents & ~POLLOUT) != 0;
    if (found[1].revents != 0) waker_.clear();
    return true;
}

bool Member::take_frames() {
    try {
        while (const std::optional<Frame> frame = hub_.take_frame()) apply(*frame);
        return true;
    } catch (const Failure &) {
        return false;
    }
}

void Member::lose() {
    if (header_.slots[0].state.load(std::memory_order_seq_cst) != kSlotLeft) {
        apply(Frame::died(0));
        return;
    }
    // seq_cst: ordered before the check for sleepers
    cut_off_.store(true, std::memory_order_seq_cst);
    wake_sleepers(header_);
}

}  // namespace rankunit::bootstrap
