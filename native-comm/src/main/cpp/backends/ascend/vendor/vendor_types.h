// The vendor's public types as far as they are needed, declared anew so that no CANN is needed to build.
//
// Names, values and layouts are those of the public headers of CANN 8.1 and 9; where only one of them has something, it
// is said. They have never been tried on a real device.
#ifndef RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_TYPES_H
#define RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_TYPES_H

#include <cstddef>
#include <cstdint>

extern "C" {

using aclError = int;
using aclrtStream = void *;
using aclrtContext = void *;
using aclrtEvent = void *;
using aclrtNotify = void *;
using aclrtDrvMemHandle = void *;
using aclrtBinHandle = void *;
using aclrtFuncHandle = void *;
using aclrtArgsHandle = void *;
using aclrtParamHandle = void *;
using HcclComm = void *;
using HcclResult = int;

constexpr aclError ACL_SUCCESS = 0;
constexpr HcclResult HCCL_SUCCESS = 0;

enum aclrtStreamStatus : int { ACL_STREAM_STATUS_COMPLETE = 0, ACL_STREAM_STATUS_NOT_READY = 1 };

enum aclrtEventRecordedStatus : int {
    ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
    ACL_EVENT_RECORDED_STATUS_COMPLETE = 1,
};

enum aclrtMemcpyKind : int {
    ACL_MEMCPY_HOST_TO_HOST = 0,
    ACL_MEMCPY_HOST_TO_DEVICE = 1,
    ACL_MEMCPY_DEVICE_TO_HOST = 2,
    ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
};

enum aclrtMemMallocPolicy : int { ACL_MEM_MALLOC_HUGE_FIRST = 0 };

enum aclrtMemAttr : int { ACL_HBM_MEM = 1, ACL_HBM_MEM_HUGE = 4, ACL_HBM_MEM_NORMAL = 5 };
enum aclrtMemHandleType : int { ACL_MEM_HANDLE_TYPE_NONE = 0 };
enum aclrtMemAllocationType : int { ACL_MEM_ALLOCATION_TYPE_PINNED = 0 };
enum aclrtMemLocationType : int { ACL_MEM_LOCATION_TYPE_HOST = 0, ACL_MEM_LOCATION_TYPE_DEVICE = 1 };
enum aclrtMemGranularityOptions : int { ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0 };
enum aclrtMemSharedHandleType : int { ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2 };  // 9 only
enum aclrtMemAccessFlags : int { ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3 };      // 9 only
constexpr uint64_t ACL_RT_VMM_EXPORT_FLAG_DEFAULT = 0;                         // all that 8.1 takes
constexpr uint64_t ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION = 1;          // 9 only
constexpr uint64_t ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION = 1;      // 9 only
constexpr uint64_t ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS = 1;          // 9 only
constexpr size_t ACL_RT_IPC_KEY_BYTES = 65;
constexpr uint64_t ACL_NOTIFY_DEFAULT = 0;  // not in 8.1, as the next two
constexpr uint64_t ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION = 2;
constexpr uint64_t ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS = 2;
constexpr size_t ACL_RT_NOTIFY_KEY_BYTES = 65;
constexpr uint64_t ACL_RT_RESERVE_HUGE_PAGE = 1;

// Of reductions, as documented for CANN 8.2 on.
enum aclrtReduceKind : int {
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
    ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
};

enum aclDataType : int {
    ACL_FLOAT = 0,
    ACL_FLOAT16 = 1,
    ACL_INT8 = 2,
    ACL_INT32 = 3,
    ACL_INT16 = 6,
    ACL_UINT32 = 8,
    ACL_BF16 = 27,
};

// Of kernels, as documented for CANN 8.2 on.
enum aclrtBinaryLoadOptionType : int { ACL_RT_BINARY_LOAD_OPT_MAGIC = 2 };
constexpr uint32_t ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE = 0x41415246;
constexpr uint32_t ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE = 0x41494343;

union aclrtBinaryLoadOptionValue {
    uint32_t isLazyLoad;
    uint32_t magic;
    int32_t cpuKernelMode;
    uint32_t rsv[4];
};

struct aclrtBinaryLoadOption {
    aclrtBinaryLoadOptionType type;
    aclrtBinaryLoadOptionValue value;
};
static_assert(sizeof(aclrtBinaryLoadOption) == 20);

struct aclrtBinaryLoadOptions {
    aclrtBinaryLoadOption *options;
    size_t numOpt;
};
static_assert(sizeof(aclrtBinaryLoadOptions) == 16);

struct aclrtMemLocation {
    uint32_t id;
    aclrtMemLocationType type;
};

struct aclrtPhysicalMemProp {
    aclrtMemHandleType handleType;
    aclrtMemAllocationType allocationType;
    aclrtMemAttr memAttr;
    aclrtMemLocation location;
    uint64_t reserve;
};
static_assert(sizeof(aclrtPhysicalMemProp) == 32 && offsetof(aclrtPhysicalMemProp, location) == 12);

struct aclrtMemAccessDesc {
    aclrtMemAccessFlags flags;
    aclrtMemLocation location;
    uint8_t rsv[12];
};
static_assert(sizeof(aclrtMemAccessDesc) == 24 && offsetof(aclrtMemAccessDesc, location) == 4);

struct aclrtMemFabricHandle {
    uint8_t data[128];
};
static_assert(sizeof(aclrtMemFabricHandle) == 128);

struct HcclRootInfo {
    char internal[4108];
};
static_assert(sizeof(HcclRootInfo) == 4108);

// FP8 types have other numbers in HEAD than in 8.2, and are left out.
enum HcclDataType : int {
    HCCL_DATA_TYPE_INT8 = 0,
    HCCL_DATA_TYPE_INT16 = 1,
    HCCL_DATA_TYPE_INT32 = 2,
    HCCL_DATA_TYPE_FP16 = 3,
    HCCL_DATA_TYPE_FP32 = 4,
    HCCL_DATA_TYPE_INT64 = 5,
    HCCL_DATA_TYPE_UINT64 = 6,
    HCCL_DATA_TYPE_UINT8 = 7,
    HCCL_DATA_TYPE_UINT16 = 8,
    HCCL_DATA_TYPE_UINT32 = 9,
    HCCL_DATA_TYPE_FP64 = 10,
    HCCL_DATA_TYPE_BFP16 = 11,
};

enum HcclReduceOp : int {
    HCCL_REDUCE_SUM = 0,
    HCCL_REDUCE_PROD = 1,
    HCCL_REDUCE_MAX = 2,
    HCCL_REDUCE_MIN = 3,
};

enum CommTopo : uint32_t { COMM_TOPO_CLOS = 0, COMM_TOPO_1DMESH = 1, COMM_TOPO_910_93 = 2 };

}  // extern "C"

#endif  // RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_TYPES_H
