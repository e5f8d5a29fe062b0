#include "comm/communicator.h"

#include <cstring>
#include <utility>

#include "rankunit/kernel.h"
#include "record/record.h"
#include "support/failure.h"

namespace rankunit::comm {
namespace {

enum TopicKind : uint32_t { kBase, kDomain, kUp, kRelease, kDomainBarrier, kLeave, kSharedUp };

// Callers of comm_alloc_domain_windows choose any number; one that is equal would do no harm, since no allocation of
// the same ranks runs at the same time.
constexpr uint64_t kFirstSharedId = uint64_t{1} << 63;

std::atomic<uint64_t> communicators{0};

constexpr size_t kDefaultWindowBytes = size_t{200} << 20;
// Half of the address space of a process on the smallest supported machine; beyond that, sums could overflow.
constexpr size_t kMaxBytes = size_t{1} << 46;

void require_addressable(size_t bytes, size_t count) {
    if (bytes > kMaxBytes / count - bootstrap::kPageBytes) {
        throw Failure(COMM_INVALID_ARGUMENT, "win_size = " + std::to_string(bytes) + ": " + std::to_string(count) +
                                                 " windows of this size cannot be addressed");
    }
}

std::string in_domain(const char *what, const Members &members) {
    return std::string(what) + " of the domain of ranks " + members.text();
}

// What each rank of an allocation requests, exchanged so that all ranks can check that they agree.
struct Wish {
    uint64_t bytes;
    uint64_t count;
    uint32_t ranks[COMM_MAX_RANK_NUM];
};

Wish wish_of(const Members &members, size_t bytes) {
    Wish wish{};
    wish.bytes = bytes;
    wish.count = members.count();
    for (size_t i = 0; i < members.count(); i++) wish.ranks[i] = static_cast<uint32_t>(members.rank(i));
    return wish;
}

std::string ranks_of(const Wish &wish) {
    std::string text;
    for (size_t i = 0; i < wish.count && i < COMM_MAX_RANK_NUM; i++) {
        text += (i == 0 ? "" : ", ") + std::to_string(wish.ranks[i]);
    }
    return text;
}

// A text that says what the two ranks disagree on; empty if they agree.
std::string difference(int first, const Wish &a, int other, const Wish &b) {
    const std::string one = "rank " + std::to_string(other) + " asked for ";
    const std::string two = ", rank " + std::to_string(first) + " for ";
    if (a.bytes != b.bytes) {
        return one + "windows of " + std::to_string(b.bytes) + " bytes" + two + std::to_string(a.bytes);
    }
    if (a.count != b.count || std::memcmp(a.ranks, b.ranks, sizeof(a.ranks)) != 0) {
        return one + "windows of ranks " + ranks_of(b) + two + ranks_of(a);
    }
    return "";
}

}  // namespace

Communicator::OneCall::OneCall(Communicator &communicator) : busy_(communicator.busy_) {
    if (busy_.exchange(true, std::memory_order_acquire)) {
        throw Failure(COMM_INVALID_STATE, "another thread is inside a call on this communicator");
    }
}

Communicator::Communicator(int rank, int nranks, void *stream, std::string rootinfo_path)
    : rank_(rank),
      nranks_(nranks),
      stream_(stream),
      number_(communicators.fetch_add(1, std::memory_order_relaxed) + 1),
      bootstrap_(rank, nranks, std::move(rootinfo_path)),
      device_(make_device_side(rank, nranks, stream)) {
    if (const char *why = device_->bound_to_one_machine()) bootstrap_.require_one_machine(why);
}

Communicator::~Communicator() {
    attachments_.clear();
    shared_attachment_.reset();
    const bool wait = base_ != nullptr && device_->frees_after_views() && bootstrap_.aborted_by() < 0;
    if (base_ != nullptr) record::now(record::kWindowsFreed, number_, 0);
    for (auto &[id, domain] : domains_) domain.windows->detach();
    if (base_ != nullptr) base_->windows->detach();
    if (wait) {
        try {
            bootstrap_.gather(base_->members, Topic{kLeave, 0, "for all ranks to give up their views of the windows"},
                              "");
        } catch (const std::exception &) {
            // A peer that is gone or late does not stop this rank: it frees its windows anyway.
        }
    }
    for (const uint64_t context : derived_) device_->withdraw(context);
    for (auto &[id, domain] : domains_) free(domain);
    if (base_ != nullptr) free(*base_);
    given_up_.clear();
}

std::string Communicator::root_info() {
    const OneCall call(*this);
    return bootstrap_.make_root_info();
}

void Communicator::join(const std::string &root_info) {
    const OneCall call(*this);
    bootstrap_.join(root_info);
}

uint64_t Communicator::allocate_windows(size_t requested) {
    const OneCall call(*this);
    if (asked_) throw Failure(COMM_INVALID_STATE, "comm_alloc_windows was called before on this communicator");
    asked_ = true;
    bootstrap_.open();
    telling_peers([&] {
        const Members everybody = Members::all(nranks_, rank_);
        const Topic topic{kBase, 0, "for all ranks to map the windows"};
        base_ =
            std::make_unique<Domain>(allocate(everybody, requested == 0 ? kDefaultWindowBytes : requested, 0, topic));
    });
    record_windows(0, base_->members, *base_->windows);
    return base_->context;
}

// In the log of events, the communicator as a whole is domain 0, and a domain has its id + 1.
void Communicator::record_windows(uint64_t domain, const Members &members, const Windows &windows) const {
    const std::vector<uint64_t> &addresses = windows.addresses();
    for (size_t i = 0; i < addresses.size(); i++) {
        const auto rank = static_cast<uint64_t>(members.rank(i));
        record::now(record::kWindow, number_, domain, record::halves(rank, i), addresses[i], windows.bytes());
    }
}

template <typename Body>
void Communicator::record_barrier(uint64_t domain, Domain &of, Body body) {
    const uint64_t number = ++of.barriers;
    record::now(record::kBarrierBegin, number_, domain, number);
    const record::Span span;
    body();
    span.end(record::kBarrierEnd, number_, domain, number);
}

Communicator::Domain Communicator::allocate(const Members &members, size_t bytes, uint64_t id, const Topic &topic) {
    require_addressable(bytes, members.count());
    compare(members, bytes, topic);
    if (topic.kind == kBase) {
        bootstrap_.settle();
        device_->join(bootstrap_);
    }
    std::unique_ptr<Windows> windows = device_->allocate(bootstrap_, members, bytes, id);
    const uint64_t context = publish(members, windows->bytes(), windows->addresses());
    try {
        bootstrap_.gather(members, Topic{kUp, topic.kind == kBase ? 0 : id + 1, topic.text}, "");
    } catch (...) {
        device_->withdraw(context);
        throw;
    }
    return Domain{members, std::move(windows), context, 0};
}

void Communicator::compare(const Members &members, size_t bytes, const Topic &topic) {
    const Wish own = wish_of(members, bytes);
    const std::vector<std::string> said =
        bootstrap_.gather(members, topic, std::string(reinterpret_cast<const char *>(&own), sizeof(own)));
    Wish first{};
    for (size_t i = 0; i < said.size(); i++) {
        Wish wish{};
        if (said[i].size() != sizeof(wish)) throw Failure(COMM_MISMATCH, "a rank sent a malformed message");
        std::memcpy(&wish, said[i].data(), sizeof(wish));
        if (i == 0) first = wish;
        const std::string text = difference(members.rank(0), first, members.rank(i), wish);
        if (!text.empty()) bootstrap_.fail(COMM_MISMATCH, text);
    }
}

std::unique_ptr<Windows> Communicator::allocate_shared(size_t bytes, const std::string &text) {
    const uint64_t id = kFirstSharedId + ++shared_;
    std::unique_ptr<Windows> made;
    if (bytes == 0) return made;
    telling_peers([&] {
        require_addressable(bytes, static_cast<size_t>(nranks_));
        const Members &everybody = base().members;
        made = device_->allocate(bootstrap_, everybody, bytes, id);
        std::string given_up;
        for (const auto &[number, windows] : given_up_) {
            if (given_up.size() + sizeof(number) > bootstrap::kMaxMessage) break;
            given_up.append(reinterpret_cast<const char *>(&number), sizeof(number));
        }
        free_given_up(bootstrap_.gather(everybody, Topic{kSharedUp, id, text}, given_up));
        record_windows(id + 1, everybody, *made);
    });
    return made;
}

void Communicator::give_up_shared(uint64_t number, std::unique_ptr<Windows> windows) {
    record::now(record::kWindowsFreed, number_, kFirstSharedId + number + 1);
    if (!device_->frees_after_views()) return;
    windows->detach();
    given_up_.emplace(number, std::move(windows));
}

// What each rank says that it has given up: those of all of them have no views any more.
void Communicator::free_given_up(const std::vector<std::string> &said) {
    std::map<uint64_t, size_t> ranks;
    for (const std::string &numbers : said) {
        for (size_t at = 0; at + sizeof(uint64_t) <= numbers.size(); at += sizeof(uint64_t)) {
            uint64_t number = 0;
            std::memcpy(&number, numbers.data() + at, sizeof(number));
            ranks[number]++;
        }
    }
    for (const auto &[number, count] : ranks) {
        if (count == said.size()) given_up_.erase(number);
    }
}

uint32_t Communicator::attach(std::unique_ptr<Attachment> attachment) {
    attachments_.emplace(last_attachment_ + 1, std::move(attachment));
    return ++last_attachment_;
}

Attachment *Communicator::attached(uint32_t number) {
    const auto found = attachments_.find(number);
    return found == attachments_.end() ? nullptr : found->second.get();
}

uint64_t Communicator::publish(const Members &members, size_t bytes, const std::vector<uint64_t> &addresses) {
    CommContext context{};
    context.rankId = static_cast<uint32_t>(members.place());
    context.rankNum = static_cast<uint32_t>(members.count());
    context.winSize = bytes;
    for (size_t i = 0; i < addresses.size(); i++) {
        context.windowsIn[i] = addresses[i];
        context.windowsOut[i] = addresses[i];
    }
    return device_->publish(context);
}

void Communicator::free(Domain &domain) noexcept {
    device_->withdraw(domain.context);
    domain.windows.reset();
}

Communicator::Domain &Communicator::base() {
    bootstrap_.require_sound();
    if (base_ == nullptr) {
        throw Failure(COMM_INVALID_STATE, "comm_alloc_windows has not succeeded on this communicator");
    }
    return *base_;
}

uint64_t Communicator::local_window_base() {
    const OneCall call(*this);
    return base().windows->addresses()[static_cast<size_t>(rank_)];
}

size_t Communicator::window_bytes() {
    const OneCall call(*this);
    return base().windows->bytes();
}

std::string Communicator::describe() {
    const OneCall call(*this);
    base();
    return device_->describe();
}

void Communicator::barrier() {
    const OneCall call(*this);
    record_barrier(0, base(), [&] {
        telling_peers([&] { device_->finish(Deadline{bootstrap_.timeout()}); });
        bootstrap_.barrier();
    });
}

uint64_t Communicator::derive(const uint32_t *ranks, size_t count, uint32_t place, size_t offset, size_t bytes) {
    const OneCall call(*this);
    const Windows &windows = *base().windows;
    const Members members = Members::of(ranks, count, place, nranks_, rank_);
    if (bytes == 0 || offset > windows.bytes() || bytes > windows.bytes() - offset) {
        throw Failure(COMM_INVALID_ARGUMENT,
                      "window_offset = " + std::to_string(offset) + ", window_size = " + std::to_string(bytes) +
                          ": not a part of a window, which has " + std::to_string(windows.bytes()) + " bytes");
    }
    std::vector<uint64_t> addresses;
    for (size_t i = 0; i < members.count(); i++) {
        addresses.push_back(windows.addresses()[static_cast<size_t>(members.rank(i))] + offset);
    }
    derived_.reserve(derived_.size() + 1);
    derived_.push_back(publish(members, bytes, addresses));
    return derived_.back();
}

uint64_t Communicator::allocate_domain(uint64_t id, const uint32_t *ranks, size_t count, uint32_t place, size_t bytes,
                                       uint64_t *base_out) {
    const OneCall call(*this);
    base();
    const Members members = Members::of(ranks, count, place, nranks_, rank_);
    if (bytes == 0) throw Failure(COMM_INVALID_ARGUMENT, "window_size is 0");
    if (domains_.count(id) != 0) {
        throw Failure(COMM_INVALID_STATE, "allocation_id = " + std::to_string(id) + " is in use on this rank");
    }
    telling_peers([&] {
        const Topic topic{kDomain, id, in_domain("for the windows", members)};
        domains_.emplace(id, allocate(members, bytes, id, topic));
    });
    const Domain &made = domain(id);
    record_windows(id + 1, made.members, *made.windows);
    *base_out = made.windows->addresses()[place];
    return made.context;
}

Communicator::Domain &Communicator::domain(uint64_t id) {
    const auto found = domains_.find(id);
    if (found == domains_.end()) {
        throw Failure(COMM_INVALID_ARGUMENT,
                      "allocation_id = " + std::to_string(id) + ": this rank has no such windows");
    }
    return found->second;
}

void Communicator::release_domain(uint64_t id, size_t count, uint32_t place) {
    const OneCall call(*this);
    base();
    Domain &gone = domain(id);
    if (count != gone.members.count() || place != gone.members.place()) {
        throw Failure(COMM_INVALID_ARGUMENT, "rank_count = " + std::to_string(count) +
                                                 ", domain_rank = " + std::to_string(place) +
                                                 ": the windows were made for " + std::to_string(gone.members.count()) +
                                                 " and " + std::to_string(gone.members.place()));
    }
    record::now(record::kWindowsFreed, number_, id + 1);
    gone.windows->detach();
    bootstrap_.gather(gone.members, Topic{kRelease, id, in_domain("for the release", gone.members)}, "");
    free(gone);
    domains_.erase(id);
}

void Communicator::domain_barrier(uint64_t id) {
    const OneCall call(*this);
    base();
    Domain &of = domain(id);
    record_barrier(id + 1, of, [&] {
        telling_peers([&] { device_->finish(Deadline{bootstrap_.timeout()}); });
        bootstrap_.gather(of.members, Topic{kDomainBarrier, id, in_domain("in a barrier", of.members)}, "");
    });
}

void Communicator::run_vendor(const VendorRun &run) {
    const OneCall call(*this);
    base();
    device_->run_vendor(run);
}

}  // namespace rankunit::comm
