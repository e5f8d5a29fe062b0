#include "graph/schedule/seat.h"

namespace rankunit::graph {

using device::CoreKind;

bool Seat::sit(CoreKind kind) {
    if (core_.has_value() && kind_ == kind) return true;
    const std::optional<uint32_t> core = lanes_.try_take(kind);
    if (!core.has_value()) return false;
    leave();
    kind_ = kind;
    core_ = core;
    return true;
}

bool Seat::sit_mixed() {
    leave();  // it may be one of those that are needed
    const std::optional<device::Lanes::Mixed> cores = lanes_.try_take_mixed();
    if (!cores.has_value()) return false;
    kind_ = CoreKind::kCube;
    core_ = cores->cube;
    mates_ = cores->vector;
    return true;
}

void Seat::leave() {
    if (core_.has_value()) lanes_.give_back(kind_, *core_);
    core_.reset();
}

void Seat::begin(Task &task, uint32_t block, uint32_t sub_block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    task_ = &task;
    block_ = block;
    sub_block_ = sub_block;
}

void Seat::end() {
    const std::lock_guard<std::mutex> lock(mutex_);
    task_ = nullptr;
}

device::BlockPlace Seat::place() const {
    device::BlockPlace place;
    place.block = block_;
    place.blocks = task_->blocks;
    place.sub_block = sub_block_;
    place.kind = kind_;
    place.core = *core_;
    return place;
}

std::optional<std::array<uint32_t, 2>> Seat::take_mates() {
    const std::optional<std::array<uint32_t, 2>> mates = mates_;
    mates_.reset();
    return mates;
}

std::string Seat::text() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (task_ == nullptr) return "";
    return task_->text() + " on " + (kind_ == CoreKind::kVector ? "vector" : "cube") + " core " +
           std::to_string(*core_);
}

}  // namespace rankunit::graph
