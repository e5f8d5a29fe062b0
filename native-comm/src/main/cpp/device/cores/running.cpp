#include "device/cores/running.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <utility>

#include "rankunit/device.h"
#include "support/failure.h"
#include "support/unique_fd.h"

namespace rankunit::device {
namespace {

struct RunningFile {
    RunningHeader header;
    RunningSlot slots[kRunningSlots];
};

// Stays mapped until the process ends: other threads may be about to use it.
std::atomic<RunningFile *> current_running{nullptr};

thread_local uint32_t next_slot = UINT32_MAX;
thread_local const std::string *within_of_this_thread = nullptr;

uint32_t this_thread_number() {
    return static_cast<uint32_t>(syscall(SYS_gettid));
}

int64_t monotonic_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void copy_name(const std::string &from, char *to, size_t capacity) {
    const size_t bytes = std::min(from.size(), capacity - 1);
    std::memcpy(to, from.data(), bytes);
    to[bytes] = 0;
}

// A thread mostly finds the slot free that it had the last time. If all are taken, the kernel is not noted.
RunningSlot *take_slot(uint32_t thread) {
    RunningFile *const file = current_running.load(std::memory_order_acquire);
    if (file == nullptr) return nullptr;
    if (next_slot == UINT32_MAX) next_slot = thread % kRunningSlots;
    for (uint32_t i = 0; i < kRunningSlots; i++) {
        RunningSlot &slot = file->slots[next_slot];
        uint32_t free = 0;
        if (slot.thread.load(std::memory_order_relaxed) == 0 &&
            slot.thread.compare_exchange_strong(free, kFilling, std::memory_order_acquire)) {
            return &slot;
        }
        next_slot = (next_slot + 1) % kRunningSlots;
    }
    return nullptr;
}

RunningSlot *fill_slot(const std::string &name, const RunningBlock &block, const RunningTask *task) {
    if (current_running.load(std::memory_order_relaxed) == nullptr) return nullptr;
    // a call of the system for each block would cost as much as all the rest
    thread_local const uint32_t thread = this_thread_number();
    RunningSlot *const slot = take_slot(thread);
    if (slot == nullptr) return nullptr;
    slot->waits.store(0, std::memory_order_relaxed);
    slot->began.store(monotonic_ns(), std::memory_order_relaxed);
    slot->polled.store(0, std::memory_order_relaxed);
    slot->of_task = task == nullptr ? 0 : 1;
    slot->task = task == nullptr ? 0 : task->id;
    slot->what = static_cast<uint32_t>(block.kind);
    slot->core = block.core;
    slot->block = block.block;
    slot->blocks = block.blocks;
    copy_name(name, slot->name, sizeof(slot->name));
    copy_name(task == nullptr || task->name == nullptr ? "" : *task->name, slot->task_name, sizeof(slot->task_name));
    copy_name(within_of_this_thread == nullptr ? "" : *within_of_this_thread, slot->within, sizeof(slot->within));
    slot->thread.store(thread, std::memory_order_release);
    return slot;
}

// A child that was forked shares the file, but its end is not that of the process.
pid_t noting_process = 0;

RunningFile *file_of_this_process() {
    return getpid() == noting_process ? current_running.load(std::memory_order_relaxed) : nullptr;
}

// The process then ends by this signal, as it would have without a handler.
void note_abort(int signal) {
    if (RunningFile *const file = file_of_this_process()) {
        file->header.fatal_thread.store(this_thread_number(), std::memory_order_relaxed);
    }
    std::signal(signal, SIG_DFL);
    syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

void note_exit() {
    if (RunningFile *const file = file_of_this_process()) {
        file->header.exit_thread.store(this_thread_number(), std::memory_order_relaxed);
    }
}

constexpr std::array<int, 3> kEndingSignals{SIGTERM, SIGINT, SIGHUP};
std::array<struct sigaction, kEndingSignals.size()> handlers_before;

void note_signal(int signal, siginfo_t *info, void *context) {
    if (RunningFile *const file = file_of_this_process()) {
        file->header.ending_signal.store(static_cast<uint32_t>(signal), std::memory_order_relaxed);
    }
    for (size_t i = 0; i < kEndingSignals.size(); i++) {
        const struct sigaction &before = handlers_before[i];
        if (kEndingSignals[i] != signal) continue;
        if ((before.sa_flags & SA_SIGINFO) != 0) {
            before.sa_sigaction(signal, info, context);
        } else {
            before.sa_handler(signal);
        }
    }
}

bool is_handled(int signal, struct sigaction &action) {
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

// Handlers that others have installed still run.
void handle_ends() {
    std::atexit(note_exit);
    struct sigaction action{};
    for (size_t i = 0; i < kEndingSignals.size(); i++) {
        if (!is_handled(kEndingSignals[i], handlers_before[i])) continue;
        action = handlers_before[i];
        action.sa_sigaction = note_signal;
        action.sa_flags |= SA_SIGINFO;
        sigaction(kEndingSignals[i], &action, nullptr);
    }
    if (sigaction(SIGABRT, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
        action = {};
        action.sa_handler = note_abort;
        action.sa_flags = SA_ONSTACK;
        sigaction(SIGABRT, &action, nullptr);
    }
    for (const int signal : {SIGSEGV, SIGBUS}) {
        if (!is_handled(signal, action) || (action.sa_flags & SA_ONSTACK) != 0) continue;
        action.sa_flags |= SA_ONSTACK;
        sigaction(signal, &action, nullptr);
    }
}

}  // namespace

void note_running(const std::string &path) {
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    if (current_running.load() != nullptr) {
        throw Failure(DEVICE_BUSY, "the kernels that run are noted in another file already");
    }
    const UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!fd) throw Failure(DEVICE_SYSTEM, path + ": " + system_text("open"));
    // with room: on a full disk, a write to the mapping would end the process
    const int error = posix_fallocate(fd.get(), 0, sizeof(RunningFile));
    if (error != 0) throw Failure(DEVICE_SYSTEM, path + ": posix_fallocate: " + std::strerror(error));
    void *const mapped = mmap(nullptr, sizeof(RunningFile), PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    if (mapped == MAP_FAILED) throw Failure(DEVICE_SYSTEM, path + ": " + system_text("mmap"));
    auto *const file = static_cast<RunningFile *>(mapped);
    file->header.slots = kRunningSlots;
    file->header.slot_bytes = sizeof(RunningSlot);
    file->header.magic = kRunningMagic;
    noting_process = getpid();
    current_running.store(file, std::memory_order_release);
    handle_ends();
}

RunningKernel::RunningKernel(const std::string &name, const RunningBlock &block, const RunningTask *task) noexcept
    : slot_(fill_slot(name, block, task)) {}

RunningKernel::~RunningKernel() {
    if (slot_ != nullptr) slot_->thread.store(0, std::memory_order_release);
}

void RunningKernel::polled() noexcept {
    if (slot_ != nullptr) slot_->polled.store(monotonic_ns(), std::memory_order_relaxed);
}

RunningKernel::Wait::Wait(const RunningKernel &kernel) noexcept
    : slot_(kernel.slot_), began_(slot_ == nullptr ? 0 : monotonic_ns()) {
    if (slot_ != nullptr) slot_->waits.store(1, std::memory_order_relaxed);
}

RunningKernel::Wait::~Wait() {
    if (slot_ == nullptr) return;
    slot_->began.fetch_add(monotonic_ns() - began_, std::memory_order_relaxed);
    slot_->waits.store(0, std::memory_order_release);
}

RunsWithin::RunsWithin(const std::string *text) noexcept : before_(std::exchange(within_of_this_thread, text)) {}

RunsWithin::~RunsWithin() {
    within_of_this_thread = before_;
}

const std::string *RunsWithin::here() noexcept {
    return within_of_this_thread;
}

}  // namespace rankunit::device
