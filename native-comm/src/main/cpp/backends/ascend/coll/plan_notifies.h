// The notifies of a plan. Each is made by the rank that waits for it; who posts it opens it by its key.
#ifndef RANKUNIT_BACKENDS_ASCEND_COLL_PLAN_NOTIFIES_H
#define RANKUNIT_BACKENDS_ASCEND_COLL_PLAN_NOTIFIES_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/ascend/device_use.h"
#include "backends/ascend/stream/ascend_notify.h"
#include "bootstrap/bootstrap.h"
#include "coll/runner.h"
#include "coll/task.h"

namespace rankunit::ascend {

class PlanNotifies {
public:
    // All ranks call this, and wait until all have opened what they post. Aborts the communicator and throws
    // COMM_MISMATCH if a rank posts what its peer never waits for. The context of `home` must be current, also at the
    // end.
    PlanNotifies(bootstrap::Bootstrap &bootstrap, const StreamHome &home, const coll::Prepared &prepared);
    PlanNotifies(const PlanNotifies &) = delete;
    PlanNotifies &operator=(const PlanNotifies &) = delete;
    // First those of other ranks.
    ~PlanNotifies() { opened_.clear(); }

    // That of a post or a wait.
    const AscendNotify &of(const coll::Task &task) const;

private:
    using Place = std::pair<int, uint32_t>;  // peer or kNoPeer, and number
    using Notifies = std::map<Place, std::shared_ptr<AscendNotify>>;

    struct Key;
    struct Page;
    std::vector<Key> keys() const;
    // Of the notifies of all ranks, the keys of those that this rank posts.
    std::map<Place, std::string> exchange_keys() const;
    uint64_t say_page(const std::vector<Key> &own, size_t first, std::map<Place, std::string> *keys) const;
    void open(const coll::Prepared &prepared);

    bootstrap::Bootstrap &bootstrap_;
    const StreamHome home_;
    Notifies own_;     // for which this rank waits
    Notifies opened_;  // of other ranks
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_COLL_PLAN_NOTIFIES_H
