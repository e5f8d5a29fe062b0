// Notifies of the vendor's runtime, which CANN 8.1 lacks.
#ifndef RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_NOTIFY_H
#define RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_NOTIFY_H

#include <cstdint>
#include <memory>
#include <string>

#include "backends/ascend/stream/ascend_stream.h"

namespace rankunit::ascend {

// The context must be current in every call and at the end. Thread-safe.
class AscendNotify {
public:
    // Whether this CANN has them, and keys of them.
    static bool can_be_created();
    static bool can_be_shared();

    // Throw DEVICE_NOT_SUPPORTED if this CANN lacks the functions.
    static std::shared_ptr<AscendNotify> create(uint32_t number, int device);
    // Throws DEVICE_INVALID_ARGUMENT if it is no key.
    static std::shared_ptr<AscendNotify> import(uint32_t number, int device, const std::string &key);

    AscendNotify(const AscendNotify &) = delete;
    AscendNotify &operator=(const AscendNotify &) = delete;
    ~AscendNotify();

    // `self` is this one, to be kept by the stream until the work has ended.
    static void post(const std::shared_ptr<AscendNotify> &self, AscendStream &stream);
    static void wait(const std::shared_ptr<AscendNotify> &self, AscendStream &stream, milliseconds timeout);

    // On a stream of the vendor's, whose owner keeps this one until the work has ended. A wait of 0 s is forever.
    void record_on(aclrtStream stream) const;
    void wait_and_reset_on(aclrtStream stream, uint32_t seconds) const;

    std::string export_key() const;

private:
    AscendNotify(uint32_t number, int device, bool owned)
        : name_("notify " + std::to_string(number)), device_(device), owned_(owned) {}

    void require_owned(const char *what) const;

    const std::string name_;
    const int device_;
    const bool owned_;
    aclrtNotify vendors_ = nullptr;
};

}  // namespace rankunit::ascend

#endif  // RANKUNIT_BACKENDS_ASCEND_STREAM_ASCEND_NOTIFY_H
