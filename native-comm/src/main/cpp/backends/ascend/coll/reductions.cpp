#include "backends/ascend/coll/reductions.h"

#include <optional>

#include "backends/ascend/vendor/vendor_library.h"

namespace rankunit::ascend {
namespace {

std::string soc() {
    const char *name = acl().aclrtGetSocName();
    return name == nullptr ? "this device" : name;
}

bool is_950() {
    return soc().rfind("Ascend950", 0) == 0;
}

// As the vendor's documents have it of each kind of device.
std::optional<aclDataType> reduced(CollType type) {
    switch (type) {
        case COLL_FLOAT32:
            return ACL_FLOAT;
        case COLL_FLOAT16:
            return ACL_FLOAT16;
        case COLL_BFLOAT16:
            return ACL_BF16;
        case COLL_INT8:
            return ACL_INT8;
        case COLL_INT16:
            return ACL_INT16;
        case COLL_INT32:
            return ACL_INT32;
        case COLL_UINT32:
            return is_950() ? std::optional<aclDataType>(ACL_UINT32) : std::nullopt;
        default:
            return std::nullopt;
    }
}

std::optional<aclrtReduceKind> kind_of(CollReduction reduction) {
    switch (reduction) {
        case COLL_SUM:
            return ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
        case COLL_MAX:
            return ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX;
        case COLL_MIN:
            return ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN;
        default:
            return std::nullopt;
    }
}

const char *name_of(CollType type) {
    static constexpr const char *kNames[] = {"float32", "float16", "bfloat16", "float64", "int8",   "int16", "int32",
                                             "int64",   "uint8",   "uint16",   "uint32",  "uint64", "bytes"};
    return kNames[type];
}

}  // namespace

std::string reason_against_reduction(CollType type, CollReduction reduction) {
    if (acl().aclrtReduceAsync == nullptr) {
        return "this CANN (" + acl_version() + ") has no aclrtReduceAsync, by which streams reduce; CANN 8.5 has it";
    }
    if (!kind_of(reduction).has_value()) {
        return "aclrtReduceAsync, by which streams reduce, has no products, but sums, maxima and minima";
    }
    if (reduced(type).has_value()) return "";
    return std::string("aclrtReduceAsync, by which streams reduce, does not take ") + name_of(type) + ": on " + soc() +
           " it takes float32, float16, bfloat16, int8, int16" + (is_950() ? ", int32 and uint32" : " and int32");
}

aclError reduce_on(aclrtStream stream, uint64_t target, uint64_t source, uint64_t bytes, CollType type,
                   CollReduction reduction) {
    return acl().aclrtReduceAsync(reinterpret_cast<void *>(target), reinterpret_cast<const void *>(source), bytes,
                                  *kind_of(reduction), *reduced(type), stream, nullptr);
}

}  // namespace rankunit::ascend
