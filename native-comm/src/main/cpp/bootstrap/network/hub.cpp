#include "bootstrap/network/hub.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "bootstrap/mismatch.h"
#include "rankunit/comm.h"
#include "support/failure.h"

namespace rankunit::bootstrap {
namespace {

constexpr milliseconds kLinger{2000};
constexpr milliseconds kHelloTime{10'000};
constexpr size_t kMaxGuests = 128;
// More than ranks that still run ever leave unread. A rank that was stopped must not take the memory of rank 0.
constexpr size_t kMaxUnsent = size_t{64} << 20;

}  // namespace

Hub::Hub(BootstrapHeader &header, int nranks, UniqueFd listener, const Secret &secret)
    : Replicator(header, 0, nranks), secret_(secret), listener_(std::move(listener)) {
    pids_[0] = getpid();
    journal_ = Frame::attached(0, pids_[0]).bytes();
    thread_ = start_poll_thread([this] { run(); });
}

Hub::~Hub() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stopping_ = true;
        end_ = Clock::now() + kLinger;
    }
    waker_.wake();
    thread_.join();
}

void Hub::settle() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        settled_ = true;
        journal_.clear();
        journal_.shrink_to_fit();
    }
    waker_.wake();
}

void Hub::publish(const std::vector<Frame> &frames) {
    std::vector<News> news;
    for (const Frame &frame : frames) news.push_back(News{self_, frame});
    const std::lock_guard<std::mutex> lock(mutex_);
    pass_on(news);
    const auto waits = [](const Connection &member) { return member.unsent() > 0; };
    if (std::any_of(members_.begin(), members_.end(), waits)) waker_.wake();
}

void Hub::run() {
    for (;;) {
        std::vector<pollfd> found;
        int patience = -1;
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (is_over()) return;
            found = watched();
            // Time-outs are of guests, and at the end.
            if (stopping_ || !guests_.empty()) patience = 100;
        }
        poll(found.data(), found.size(), patience);
        const std::lock_guard<std::mutex> lock(mutex_);
        waker_.clear();
        turn(found);
    }
}

bool Hub::is_over() const {
    if (!stopping_) return false;
    return Clock::now() >= end_ || std::none_of(members_.begin(), members_.end(),
                                                [](const Connection &each) { return static_cast<bool>(each); });
}

// First those of the ranks, by their numbers; those that are negative are ignored by poll.
std::vector<pollfd> Hub::watched() const {
    std::vector<pollfd> all;
    for (const Connection &member : members_) {
        const int events = POLLIN | (member.unsent() > 0 ? POLLOUT : 0);
        all.push_back(pollfd{member.fd(), static_cast<short>(events), 0});
    }
    all.push_back(pollfd{waker_.fd(), POLLIN, 0});
    all.push_back(pollfd{listener_.get(), POLLIN, 0});
    for (const Guest &guest : guests_) all.push_back(pollfd{guest.connection.fd(), POLLIN, 0});
    return all;
}

void Hub::turn(const std::vector<pollfd> &found) {
    if (settled_ || stopping_) {
        listener_.reset();
        guests_.clear();
    }
    std::vector<News> news;
    for (int rank = 0; rank < nranks_; rank++) {
        const auto place = static_cast<size_t>(rank);
        const bool heard = (found[place].revents & ~POLLOUT) != 0;
        if (heard || members_[place].unsent() > kMaxUnsent) hear(rank, &news);
    }
    accept_guests();
    guests_.erase(
        std::remove_if(guests_.begin(), guests_.end(), [&](Guest &guest) { return is_done_with(guest, &news); }),
        guests_.end());
    pass_on(news);
    for (const News &each : news) apply(each.frame);
}

void Hub::accept_guests() {
    for (size_t accepted = 0; listener_ && accepted < kMaxGuests; accepted++) {
        UniqueFd socket(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket) return;
        // A rank says hello at once, so that a silent guest is the one to go.
        if (guests_.size() == kMaxGuests) guests_.erase(guests_.begin());
        guests_.push_back(Guest{Connection(std::move(socket)), Clock::now() + kHelloTime});
    }
}

bool Hub::is_done_with(Guest &guest, std::vector<News> *news) {
    const bool open = guest.connection.receive();
    const std::optional<std::string> bytes = guest.connection.take(sizeof(Hello));
    if (!bytes.has_value()) return !open || Clock::now() >= guest.deadline;
    Hello hello{};
    bytes->copy(reinterpret_cast<char *>(&hello), sizeof(hello));
    if (hello.magic != kHelloMagic || !hello.secret.equals(secret_)) return true;
    if (hello.rank >= kMaxRanks || hello.rank >= hello.nranks) return true;
    const int rank = static_cast<int>(hello.rank);
    const std::string objection = objection_to(hello);
    if (objection.empty()) {
        pids_[hello.rank] = hello.pid;
        guest.connection.queue(answer_of(COMM_OK, "") + journal_);
        members_[hello.rank] = std::move(guest.connection);
        news->push_back(News{rank, Frame::attached(rank, hello.pid)});
        hear(rank, news);  // what has come with the hello
    } else {
        guest.connection.queue(answer_of(COMM_MISMATCH, objection));
        guest.connection.flush();
        // in the name of the rank, as it would do itself in a segment that is shared
        news->push_back(News{kNobody, Frame::aborted(rank, AbortReason{COMM_MISMATCH, rank, objection})});
    }
    return true;
}

std::string Hub::objection_to(const Hello &hello) const {
    const int rank = static_cast<int>(hello.rank);
    if (hello.version != COMM_ABI_VERSION) return differ(rank, "ABI version", hello.version, COMM_ABI_VERSION);
    const auto nranks = static_cast<uint32_t>(nranks_);
    if (hello.nranks != nranks) return differ(rank, "nranks", hello.nranks, nranks);
    if (pids_[hello.rank] != 0) return started_twice(rank, pids_[hello.rank], hello.pid);
    return "";
}

void Hub::hear(int rank, std::vector<News> *news) {
    Connection &member = members_[static_cast<size_t>(rank)];
    bool open = member.receive() && member.unsent() <= kMaxUnsent;
    try {
        while (std::optional<Frame> frame = member.take_frame()) {
            if (frame->rank() != rank) throw Failure(COMM_SYSTEM, "a rank sent a message in the name of another one");
            if (frame->kind() == FrameKind::kLeft) left_ |= uint64_t{1} << rank;
            news->push_back(News{rank, std::move(*frame)});
        }
    } catch (const Failure &) {
        open = false;
    }
    if (open) return;
    member = Connection();
    if ((left_ >> rank & 1) == 0) news->push_back(News{kNobody, Frame::died(rank)});
}

void Hub::pass_on(const std::vector<News> &news) {
    for (const News &each : news) {
        const Frame &frame = each.frame;
        if (!settled_) journal_ += frame.bytes();
        // Only its owner asks who has read a message.
        const bool for_one = frame.kind() == FrameKind::kTaken;
        const int only = for_one ? static_cast<int>(frame.body<TakenBody>().owner) : kNobody;
        for (int rank = 1; rank < nranks_; rank++) {
            Connection &member = members_[static_cast<size_t>(rank)];
            if (member && rank != each.from && (!for_one || rank == only)) member.queue(frame.bytes());
        }
    }
    for (Connection &member : members_) member.flush();
}

}  // namespace rankunit::bootstrap
