// Reductions on streams; since 8.2.
#include <optional>

#include "coll/reduce/reduce.h"
#include "vendor/declarations.h"
#include "vendor/machine.h"
#include "vendor/shared_memory.h"
#include "vendor/stream.h"

using namespace rankunit::emulator;
using rankunit::coll::baseline_reduction;
using rankunit::coll::Combine;

namespace {

struct Type {
    size_t bytes;
    CollType reduced;
};

// As the vendor's documents have it of each kind of device.
std::optional<Type> type_of(aclDataType type) {
    switch (type) {
        case ACL_FLOAT:
            return Type{4, COLL_FLOAT32};
        case ACL_FLOAT16:
            return Type{2, COLL_FLOAT16};
        case ACL_BF16:
            return Type{2, COLL_BFLOAT16};
        case ACL_INT8:
            return Type{1, COLL_INT8};
        case ACL_INT16:
            return Type{2, COLL_INT16};
        case ACL_INT32:
            return Type{4, COLL_INT32};
        case ACL_UINT32:
            return soc_is_a5() ? std::optional<Type>(Type{4, COLL_UINT32}) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<CollReduction> reduction_of(aclrtReduceKind kind) {
    switch (kind) {
        case ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM:
            return COLL_SUM;
        case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX:
            return COLL_MAX;
        case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN:
            return COLL_MIN;
    }
    return std::nullopt;
}

}  // namespace

// The documents want both ends on the device of the stream; the vendor's own library gives it memory of peers that is
// mapped there, so that is taken here.
aclError aclrtReduceAsync(void *target, const void *source, uint64_t bytes, aclrtReduceKind kind, aclDataType type,
                          aclrtStream stream, void *reserved) {
    return acl_call("aclrtReduceAsync", text(bytes, kind, type), kContext | kEnqueues, [&] {
        int refusal = kOk;
        Stream *checked = checked_stream(stream, &refusal);
        if (checked == nullptr) return refusal;
        const std::optional<Type> element = type_of(type);
        const std::optional<CollReduction> reduction = reduction_of(kind);
        if (!element.has_value() || !reduction.has_value()) return int{kNotSupported};
        const bool devices = device_of_range(target, bytes) >= 0 && device_of_range(source, bytes) >= 0;
        if (bytes == 0 || bytes % element->bytes != 0 || !devices || reserved != nullptr) return int{kParameter};
        const Combine combine = baseline_reduction(element->reduced, *reduction);
        enqueue_on(checked, "aclrtReduceAsync", [=, count = bytes / element->bytes](const std::atomic<bool> &) {
            combine(target, target, source, count);
            return int{kOk};
        });
        return int{kOk};
    });
}
