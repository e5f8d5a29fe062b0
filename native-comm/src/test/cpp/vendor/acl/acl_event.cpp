// Events: a record is a point of a stream, and what waits for an event waits for the record before the wait.
#include <unistd.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "vendor/declarations.h"
#include "vendor/machine.h"
#include "vendor/stream.h"

using namespace rankunit::emulator;

namespace {

// One record, which work on streams refers to.
struct Point {
    std::atomic<bool> reached{false};
};

struct Event {
    Context *context;
    std::shared_ptr<Point> latest;                                                   // none until it is recorded
    std::shared_ptr<std::atomic<int>> uses = std::make_shared<std::atomic<int>>(0);  // by work that has not ended
};

using Lock = std::lock_guard<std::recursive_mutex>;

// The event if it is one of the current context; otherwise null, and the code of the refusal.
Event *checked_event(aclrtEvent event, int *refusal) {
    const Lock lock(machine_mutex());
    Context *context = current_context();
    *refusal = kOk;
    if (context->device->events.count(event) == 0) {
        *refusal = kStreamContext;
        return nullptr;
    }
    auto *checked = static_cast<Event *>(event);
    if (checked->context == context) return checked;
    *refusal = kStreamContext;
    return nullptr;
}

// A use of the event by work, which ends with the work at the latest, also if that is dropped.
class Use {
public:
    explicit Use(const Event &event) : uses_(event.uses) { uses_->fetch_add(1); }
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;
    ~Use() { end(); }
    void end() {
        if (!ended_.exchange(true)) uses_->fetch_sub(1);
    }

private:
    const std::shared_ptr<std::atomic<int>> uses_;
    std::atomic<bool> ended_{false};
};

int query(aclrtEvent event, bool *reached) {
    const Lock lock(machine_mutex());
    int refusal = kOk;
    const Event *checked = checked_event(event, &refusal);
    if (checked == nullptr) return refusal;
    *reached = checked->latest == nullptr || checked->latest->reached;
    return kOk;
}

}  // namespace

aclError aclrtCreateEvent(aclrtEvent *event) {
    return acl_call("aclrtCreateEvent", "", kContext, [&] {
        const Lock lock(machine_mutex());
        auto *made = new Event{current_context(), nullptr};
        made->context->device->events.insert(made);
        *event = made;
        return kOk;
    });
}

aclError aclrtDestroyEvent(aclrtEvent event) {
    return acl_call("aclrtDestroyEvent", "", kContextOnly, [&] {
        const Lock lock(machine_mutex());
        int refusal = kOk;
        Event *checked = checked_event(event, &refusal);
        if (checked == nullptr) return refusal;
        if (*checked->uses != 0) write_trace("DESTROYED an event that a stream uses");
        checked->context->device->events.erase(checked);
        delete checked;
        return int{kOk};
    });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
    return acl_call("aclrtRecordEvent", "", kContext | kEnqueues, [&] {
        const Lock lock(machine_mutex());
        int refusal = kOk;
        Stream *on = checked_stream(stream, &refusal);
        Event *checked = on == nullptr ? nullptr : checked_event(event, &refusal);
        if (checked == nullptr) return refusal;
        checked->latest = std::make_shared<Point>();
        const auto use = std::make_shared<Use>(*checked);
        enqueue_on(on, "aclrtRecordEvent", [use, point = checked->latest](const std::atomic<bool> &) {
            use->end();  // whoever sees that it is reached may destroy the event
            point->reached = true;
            return int{kOk};
        });
        return int{kOk};
    });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
    return acl_call("aclrtStreamWaitEvent", "", kContext | kEnqueues, [&] {
        const Lock lock(machine_mutex());
        int refusal = kOk;
        Stream *on = checked_stream(stream, &refusal);
        const Event *checked = on == nullptr ? nullptr : checked_event(event, &refusal);
        if (checked == nullptr) return refusal;
        if (checked->latest == nullptr) return int{kOk};
        const auto use = std::make_shared<Use>(*checked);
        enqueue_on(on, "aclrtStreamWaitEvent", [use, point = checked->latest](const std::atomic<bool> &stop) {
            while (!stop && !point->reached) usleep(200);
            return int{kOk};
        });
        return int{kOk};
    });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status) {
    return acl_call("aclrtQueryEventStatus", "", kContextOnly, [&] {
        bool reached = false;
        const int result = query(event, &reached);
        *status = reached ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
        return result;
    });
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
    return acl_call("aclrtSynchronizeEvent", "", kContextOnly, [&] {
        bool reached = false;
        int result = kOk;
        while ((result = query(event, &reached)) == kOk && !reached) usleep(200);
        return result;
    });
}
