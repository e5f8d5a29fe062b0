#include "backends/ascend/coll/plan_notifies.h"

#include <algorithm>
#include <cstring>

#include "backends/ascend/memory/window_exchange.h"
#include "bootstrap/segment/bootstrap_layout.h"
#include "rankunit/comm.h"
#include "rankunit/stream.h"
#include "support/failure.h"

namespace rankunit::ascend {

using coll::kNoPeer;
using coll::Prepared;
using coll::Task;

// What a rank says of one of its notifies.
struct PlanNotifies::Key {
    int32_t peer;  // who posts it
    uint32_t notify;
    char text[STREAM_NOTIFY_KEY_BYTES];
};

// A part of what a rank has to say, since a message has a limit.
struct PlanNotifies::Page {
    static constexpr size_t kMost = (bootstrap::kMaxMessage - 16) / sizeof(Key);

    uint64_t total;  // keys of all pages of the rank
    uint64_t count;  // of this page
    Key keys[kMost];
};

PlanNotifies::PlanNotifies(bootstrap::Bootstrap &bootstrap, const StreamHome &home, const Prepared &prepared)
    : bootstrap_(bootstrap), home_(home) {
    for (const Task &task : prepared.tasks) {
        if (task.moves_data() || (task.kind == COLL_POST && task.peer != kNoPeer)) continue;
        std::shared_ptr<AscendNotify> &own = own_[Place{task.peer, task.notify}];
        if (own == nullptr) own = AscendNotify::create(task.notify, home.device);
    }
    open(prepared);
}

const AscendNotify &PlanNotifies::of(const Task &task) const {
    const bool others = task.kind == COLL_POST && task.peer != kNoPeer;
    return *(others ? opened_ : own_).at(Place{task.peer, task.notify});
}

std::vector<PlanNotifies::Key> PlanNotifies::keys() const {
    std::vector<Key> all;
    for (const auto &[place, notify] : own_) {
        if (place.first == kNoPeer) continue;
        Key key{place.first, place.second, {}};
        copy_text(notify->export_key(), key.text, sizeof(key.text));
        all.push_back(key);
    }
    return all;
}

std::map<PlanNotifies::Place, std::string> PlanNotifies::exchange_keys() const {
    const std::vector<Key> own = keys();
    std::map<Place, std::string> said;
    uint64_t most = 1;  // keys of any rank, once that is known
    for (size_t first = 0; first < most; first += Page::kMost) most = say_page(own, first, &said);
    return said;
}

// Returns how many keys the rank with most of them has.
uint64_t PlanNotifies::say_page(const std::vector<Key> &own, size_t first, std::map<Place, std::string> *said) const {
    Page page{};
    page.total = own.size();
    page.count = first >= own.size() ? 0 : std::min(own.size() - first, Page::kMost);
    std::copy_n(own.begin() + static_cast<std::ptrdiff_t>(std::min(first, own.size())), page.count, page.keys);
    const Members everybody = Members::all(bootstrap_.nranks(), bootstrap_.rank());
    const Exchange exchange{bootstrap_, everybody, 0, home_};
    const std::vector<Page> pages =
        say_all(exchange, kPlanKeys, "for all ranks to send the keys of their notifies", page);
    uint64_t most = 0;
    for (size_t rank = 0; rank < pages.size(); rank++) {
        most = std::max(most, pages[rank].total);
        for (size_t i = 0; i < std::min(pages[rank].count, Page::kMost); i++) {
            const Key &key = pages[rank].keys[i];
            if (key.peer != bootstrap_.rank()) continue;
            (*said)[Place{static_cast<int>(rank), key.notify}] =
                std::string(key.text, strnlen(key.text, sizeof(key.text)));
        }
    }
    return most;
}

void PlanNotifies::open(const Prepared &prepared) {
    const std::map<Place, std::string> keys = exchange_keys();
    for (const Task &task : prepared.tasks) {
        if (task.kind != COLL_POST || task.peer == kNoPeer) continue;
        const auto key = keys.find(Place{task.peer, task.notify});
        if (key == keys.end()) {
            bootstrap_.fail(COMM_MISMATCH, "rank " + std::to_string(bootstrap_.rank()) + " posts " +
                                               coll::notify_text(task.notify, bootstrap_.rank(), task.peer) +
                                               coll::line_text(prepared.lines, task.line) +
                                               ", which never waits for it; in " + prepared.call);
        }
        std::shared_ptr<AscendNotify> &opened = opened_[key->first];
        if (opened == nullptr) opened = AscendNotify::import(task.notify, home_.device, key->second);
    }
    const Members everybody = Members::all(bootstrap_.nranks(), bootstrap_.rank());
    say(Exchange{bootstrap_, everybody, 0, home_}, kPlanReady, "for all ranks to open the notifies of the others", "");
}

}  // namespace rankunit::ascend
