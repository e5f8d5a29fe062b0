#include "graph/schedule/waiting_tasks.h"

#include <algorithm>
#include <exception>

#include "device/cores/cells.h"
#include "record/record.h"
#include "support/failure.h"

namespace rankunit::graph {

bool WaitingTasks::satisfied(Task &task) {
    TaskConditions &conditions = *task.conditions;
    const std::vector<Condition> &waits = conditions.waits;
    if (!waits[conditions.first_to_check].holds()) return false;
    for (size_t i = 0; i < waits.size(); i++) {
        if (waits[i].holds()) continue;
        conditions.first_to_check = i;
        return false;
    }
    if (record::log() == nullptr) return true;
    const record::As as({task.actor, 0});
    return std::all_of(waits.begin(), waits.end(), [](const Condition &wait) {
        return device::cells_satisfy(wait.cells, wait.compare, wait.value, record::kTaskWaits);
    });
}

bool WaitingTasks::admit(Task &task) {
    if (satisfied(task)) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(&task);
    count_.store(tasks_.size(), std::memory_order_release);
    return true;
}

TaskList WaitingTasks::poll(const std::function<void(const Task &)> &failed) {
    TaskList ready;
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return ready;
    const auto no_longer_waits = [&](Task *task) {
        try {
            if (!satisfied(*task)) return false;
            ready.push(*task);
        } catch (const std::exception &) {
            failed(*task);
        }
        return true;
    };
    tasks_.erase(std::remove_if(tasks_.begin(), tasks_.end(), no_longer_waits), tasks_.end());
    count_.store(tasks_.size(), std::memory_order_release);
    return ready;
}

bool WaitingTasks::any_can_go_on() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return tasks_.empty() || std::any_of(tasks_.begin(), tasks_.end(), [](const Task *task) {
               const std::vector<Condition> &waits = task->conditions->waits;
               try {
                   return std::all_of(waits.begin(), waits.end(), [](const Condition &wait) { return wait.holds(); });
               } catch (const Failure &) {
                   return true;  // the poll fails the task
               }
           });
}

bool WaitingTasks::all_private() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::all_of(tasks_.begin(), tasks_.end(), [](const Task *task) {
        const std::vector<Condition> &waits = task->conditions->waits;
        return std::all_of(waits.begin(), waits.end(), [](const Condition &wait) { return wait.private_cells; });
    });
}

std::vector<std::string> WaitingTasks::texts() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::string> texts;
    for (const Task *task : tasks_) {
        const TaskConditions &conditions = *task->conditions;
        std::string what;
        try {
            what = conditions.waits[conditions.first_to_check].text();
        } catch (const std::exception &failure) {
            what = failure.what();
        }
        texts.push_back(task->text() + " waits for " + what);
    }
    return texts;
}

}  // namespace rankunit::graph
