// Objects that a device knows by numbers.
#ifndef RANKUNIT_DEVICE_STREAM_OBJECT_TABLE_H
#define RANKUNIT_DEVICE_STREAM_OBJECT_TABLE_H

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rankunit/device.h"
#include "support/failure.h"

namespace rankunit::device {

// Gives out numbers from 1 on, and none twice, so that a number that is no longer valid never names another object.
// Thread-safe; an object stays alive while a thread that got it here uses it.
template <typename Object>
class ObjectTable {
public:
    // `kind` names the objects in error texts: "stream".
    explicit ObjectTable(const char *kind) : kind_(kind) {}

    // `make` is called with the number and returns the object.
    template <typename Make>
    uint32_t add(Make make) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const uint32_t number = last_ + 1;
        objects_.emplace(number, make(number));
        last_ = number;
        return number;
    }

    // Throws DEVICE_INVALID_ARGUMENT if there is no such object.
    std::shared_ptr<Object> get(uint32_t number) const {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = objects_.find(number);
        if (found == objects_.end()) refuse(number);
        return found->second;
    }

    void remove(uint32_t number) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (objects_.erase(number) == 0) refuse(number);
    }

    std::vector<std::shared_ptr<Object>> all() const {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::vector<std::shared_ptr<Object>> objects;
        for (const auto &[number, object] : objects_) objects.push_back(object);
        return objects;
    }

private:
    [[noreturn]] void refuse(uint32_t number) const {
        const std::string name = std::string(kind_) + " " + std::to_string(number);
        const bool destroyed = number >= 1 && number <= last_;
        throw Failure(DEVICE_INVALID_ARGUMENT, destroyed ? name + " has been destroyed" : "this device has no " + name);
    }

    const char *const kind_;
    mutable std::mutex mutex_;
    std::map<uint32_t, std::shared_ptr<Object>> objects_;
    uint32_t last_ = 0;
};

}  // namespace rankunit::device

#endif  // RANKUNIT_DEVICE_STREAM_OBJECT_TABLE_H
