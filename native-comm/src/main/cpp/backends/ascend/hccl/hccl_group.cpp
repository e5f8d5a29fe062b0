#include "backends/ascend/hccl/hccl_group.h"

#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "backends/ascend/vendor/vendor_error.h"
#include "backends/ascend/vendor/vendor_library.h"
#include "rankunit/comm.h"

namespace rankunit::ascend {
namespace {

using bootstrap::Bootstrap;
using bootstrap::Members;
using bootstrap::Topic;

constexpr milliseconds kLook{20};             // how long a wait takes before it looks at the other ranks
constexpr milliseconds kDestroyWait{10'000};  // for a communicator to end

// A call on a thread of its own. What both threads use is shared, as either may be the last.
class Call {
public:
    Call(const StreamHome &home, const std::function<void()> &call) : state_(std::make_shared<State>()) {
        auto in_progress = std::make_unique<CallInProgress>(home.device);
        std::thread([state = state_, home, call, in_progress = std::move(in_progress)]() mutable {
            std::exception_ptr failure;
            try {
                const ContextScope scope(home);
                call();
            } catch (...) {
                failure = std::current_exception();
            }
            in_progress.reset();
            const std::lock_guard<std::mutex> lock(state->mutex);
            state->done = true;
            state->failure = std::move(failure);
            state->changed.notify_all();
        }).detach();
    }

    // Whether it has returned within that time. Throws what it has thrown.
    bool returned(milliseconds within) {
        std::unique_lock<std::mutex> lock(state_->mutex);
        if (!state_->changed.wait_for(lock, within, [this] { return state_->done; })) return false;
        // taken along: the other thread may be the last to let go of the state
        if (state_->failure != nullptr) std::rethrow_exception(std::move(state_->failure));
        return true;
    }

    bool is_done() const {
        const std::lock_guard<std::mutex> lock(state_->mutex);
        return state_->done;
    }

private:
    struct State {
        std::mutex mutex;
        std::condition_variable changed;
        bool done = false;
        std::exception_ptr failure;
    };
    std::shared_ptr<State> state_;
};

// Until the call has returned. Whether it was left behind is stored in that case.
void wait_leaving(Bootstrap &bootstrap, Call &running, const std::string &what, bool *left) {
    try {
        bootstrap.wait_slowly("for " + what, "returned from it", [&] { return running.returned(kLook); });
    } catch (...) {
        *left = !running.is_done();
        throw;
    }
}

HcclRootInfo exchange_root_info(Bootstrap &bootstrap, const StreamHome &home, uint32_t topic) {
    HcclRootInfo info{};
    std::string saying;
    if (bootstrap.rank() == 0) {
        check_hccl(hccl().HcclGetRootInfo(&info), "HcclGetRootInfo", home.device);
        saying.assign(info.internal, sizeof(info.internal));
    }
    const Members everybody = Members::all(bootstrap.nranks(), bootstrap.rank());
    const std::string said =
        bootstrap.gather(everybody, Topic{topic, 0, "for the root info of HCCL, from rank 0"}, saying).front();
    if (said.size() != sizeof(info.internal)) throw Failure(COMM_MISMATCH, "rank 0 sent a malformed root info of HCCL");
    std::memcpy(info.internal, said.data(), said.size());
    return info;
}

}  // namespace

HcclGroup::HcclGroup(Bootstrap &bootstrap, const StreamHome &home, uint32_t topic) : home_(home) {
    hccl();  // so that a missing library is told by itself
    const HcclRootInfo info = exchange_root_info(bootstrap, home, topic);
    const auto nranks = static_cast<uint32_t>(bootstrap.nranks());
    const auto rank = static_cast<uint32_t>(bootstrap.rank());
    const auto made = std::make_shared<HcclComm>(nullptr);
    Call running(home, [info, nranks, rank, made, device = home.device] {
        check_hccl(hccl().HcclCommInitRootInfo(nranks, &info, rank, made.get()),
                   "HcclCommInitRootInfo as rank " + std::to_string(rank) + " of " + std::to_string(nranks), device);
    });
    bool left = false;
    wait_leaving(bootstrap, running, "HcclCommInitRootInfo", &left);
    comm_ = *made;
}

void HcclGroup::call_leaving(Bootstrap &bootstrap, const std::string &what, const std::function<void(HcclComm)> &call) {
    Call running(home_, [comm = comm_, call] { call(comm); });
    bool left = false;
    try {
        wait_leaving(bootstrap, running, what, &left);
    } catch (...) {
        if (left) comm_ = nullptr;
        throw;
    }
}

HcclGroup::~HcclGroup() {
    if (comm_ == nullptr) return;
    try {
        Call(home_, [comm = comm_] { hccl().HcclCommDestroy(comm); }).returned(kDestroyWait);
    } catch (const std::exception &) {
        // The context is gone with the device, and the communicator with it.
    }
}

}  // namespace rankunit::ascend
