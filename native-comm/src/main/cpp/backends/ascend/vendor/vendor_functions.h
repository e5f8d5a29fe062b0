// The vendor's public functions that are called, as lists to be expanded: FUNCTION(name, result, (parameters)).
//
// Required: in every CANN since 8.1. Optional: missing in some, so each caller asks first.
#ifndef RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_FUNCTIONS_H
#define RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_FUNCTIONS_H

#include "backends/ascend/vendor/vendor_types.h"

#define RANKUNIT_ACL_REQUIRED(FUNCTION)                                                                                \
    FUNCTION(aclInit, aclError, (const char *config_path))                                                             \
    FUNCTION(aclFinalize, aclError, ())                                                                                \
    FUNCTION(aclrtGetVersion, aclError, (int32_t *major, int32_t *minor, int32_t *patch))                              \
    FUNCTION(aclrtGetSocName, const char *, ())                                                                        \
    FUNCTION(aclrtSetDevice, aclError, (int32_t device))                                                               \
    FUNCTION(aclrtResetDevice, aclError, (int32_t device))                                                             \
    FUNCTION(aclrtGetDevice, aclError, (int32_t *device))                                                              \
    FUNCTION(aclrtGetDeviceCount, aclError, (uint32_t *count))                                                         \
    FUNCTION(aclrtSetCurrentContext, aclError, (aclrtContext context))                                                 \
    FUNCTION(aclrtGetCurrentContext, aclError, (aclrtContext * context))                                               \
    FUNCTION(aclrtCreateStream, aclError, (aclrtStream * stream))                                                      \
    FUNCTION(aclrtDestroyStream, aclError, (aclrtStream stream))                                                       \
    FUNCTION(aclrtStreamQuery, aclError, (aclrtStream stream, aclrtStreamStatus * status))                             \
    FUNCTION(aclrtSynchronizeStream, aclError, (aclrtStream stream))                                                   \
    FUNCTION(aclrtSynchronizeStreamWithTimeout, aclError, (aclrtStream stream, int32_t timeout_ms))                    \
    FUNCTION(aclrtMalloc, aclError, (void **address, size_t size, aclrtMemMallocPolicy policy))                        \
    FUNCTION(aclrtFree, aclError, (void *address))                                                                     \
    FUNCTION(aclrtMemcpy, aclError,                                                                                    \
             (void *target, size_t target_size, const void *source, size_t size, aclrtMemcpyKind kind))                \
    FUNCTION(                                                                                                          \
        aclrtMemcpyAsync, aclError,                                                                                    \
        (void *target, size_t target_size, const void *source, size_t size, aclrtMemcpyKind kind, aclrtStream stream)) \
    FUNCTION(aclrtMemset, aclError, (void *address, size_t max_size, int32_t value, size_t size))                      \
    FUNCTION(aclrtMemsetAsync, aclError,                                                                               \
             (void *address, size_t max_size, int32_t value, size_t size, aclrtStream stream))                         \
    FUNCTION(aclrtMallocHost, aclError, (void **address, size_t size))                                                 \
    FUNCTION(aclrtFreeHost, aclError, (void *address))                                                                 \
    FUNCTION(aclrtCreateEvent, aclError, (aclrtEvent * event))                                                         \
    FUNCTION(aclrtDestroyEvent, aclError, (aclrtEvent event))                                                          \
    FUNCTION(aclrtRecordEvent, aclError, (aclrtEvent event, aclrtStream stream))                                       \
    FUNCTION(aclrtStreamWaitEvent, aclError, (aclrtStream stream, aclrtEvent event))                                   \
    FUNCTION(aclrtQueryEventStatus, aclError, (aclrtEvent event, aclrtEventRecordedStatus * status))                   \
    FUNCTION(aclrtSynchronizeEvent, aclError, (aclrtEvent event))

#define RANKUNIT_ACL_OPTIONAL(FUNCTION)                                                                                \
    FUNCTION(aclFinalizeReference, aclError, (uint64_t *references))                                                   \
    FUNCTION(aclGetRecentErrMsg, const char *, ())                                                                     \
    FUNCTION(aclrtDestroyStreamForce, aclError, (aclrtStream stream))                                                  \
    FUNCTION(aclrtStreamAbort, aclError, (aclrtStream stream))                                                         \
    FUNCTION(aclrtGetLogicDevIdByUserDevId, aclError, (int32_t user_id, int32_t *logic_id))                            \
    /* kernels; signatures as documented for CANN 8.5 and 9, their first release is not known */                       \
    FUNCTION(aclrtBinaryLoadFromFile, aclError, (const char *path, void *options, aclrtBinHandle *binary))             \
    FUNCTION(aclrtBinaryLoadFromData, aclError,                                                                        \
             (const void *data, size_t size, const aclrtBinaryLoadOptions *options, aclrtBinHandle *binary))           \
    FUNCTION(aclrtBinaryUnLoad, aclError, (aclrtBinHandle binary))                                                     \
    FUNCTION(aclrtBinaryGetFunction, aclError,                                                                         \
             (const aclrtBinHandle binary, const char *name, aclrtFuncHandle *function))                               \
    FUNCTION(aclrtKernelArgsInit, aclError, (aclrtFuncHandle function, aclrtArgsHandle * args))                        \
    FUNCTION(aclrtKernelArgsAppend, aclError,                                                                          \
             (aclrtArgsHandle args, void *value, size_t size, aclrtParamHandle *parameter))                            \
    FUNCTION(aclrtKernelArgsFinalize, aclError, (aclrtArgsHandle args))                                                \
    FUNCTION(aclrtLaunchKernelWithConfig, aclError,                                                                    \
             (aclrtFuncHandle function, uint32_t blocks, aclrtStream stream, void *config, aclrtArgsHandle args,       \
              void *reserved))                                                                                         \
    /* peers */                                                                                                        \
    FUNCTION(aclrtDeviceCanAccessPeer, aclError, (int32_t *can_access, int32_t device, int32_t peer))                  \
    FUNCTION(aclrtDeviceEnablePeerAccess, aclError, (int32_t peer, uint32_t flags))                                    \
    FUNCTION(aclrtDeviceDisablePeerAccess, aclError, (int32_t peer))                                                   \
    FUNCTION(aclrtDeviceGetBareTgid, aclError, (int32_t *pid))                                                         \
    /* virtual memory; the last three not in 8.1 */                                                                    \
    FUNCTION(aclrtReserveMemAddress, aclError,                                                                         \
             (void **address, size_t size, size_t alignment, void *expected, uint64_t flags))                          \
    FUNCTION(aclrtReleaseMemAddress, aclError, (void *address))                                                        \
    FUNCTION(aclrtMallocPhysical, aclError,                                                                            \
             (aclrtDrvMemHandle * handle, size_t size, const aclrtPhysicalMemProp *properties, uint64_t flags))        \
    FUNCTION(aclrtFreePhysical, aclError, (aclrtDrvMemHandle handle))                                                  \
    FUNCTION(aclrtMapMem, aclError,                                                                                    \
             (void *address, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags))                    \
    FUNCTION(aclrtUnmapMem, aclError, (void *address))                                                                 \
    FUNCTION(aclrtMemGetAllocationGranularity, aclError,                                                               \
             (aclrtPhysicalMemProp * properties, aclrtMemGranularityOptions option, size_t *granularity))              \
    FUNCTION(aclrtMemExportToShareableHandle, aclError,                                                                \
             (aclrtDrvMemHandle handle, aclrtMemHandleType type, uint64_t flags, uint64_t *shareable))                 \
    FUNCTION(aclrtMemImportFromShareableHandle, aclError,                                                              \
             (uint64_t shareable, int32_t device, aclrtDrvMemHandle *handle))                                          \
    FUNCTION(aclrtMemSetPidToShareableHandle, aclError, (uint64_t shareable, int32_t *pids, size_t count))             \
    FUNCTION(aclrtMemSetAccess, aclError, (void *address, size_t size, aclrtMemAccessDesc *descriptors, size_t count)) \
    FUNCTION(aclrtMemExportToShareableHandleV2, aclError,                                                              \
             (aclrtDrvMemHandle handle, uint64_t flags, aclrtMemSharedHandleType type, void *shareable))               \
    FUNCTION(aclrtMemImportFromShareableHandleV2, aclError,                                                            \
             (void *shareable, aclrtMemSharedHandleType type, uint64_t flags, aclrtDrvMemHandle *handle))              \
    /* memory by key; not in 8.1 */                                                                                    \
    FUNCTION(aclrtIpcMemGetExportKey, aclError,                                                                        \
             (void *address, size_t size, char *key, size_t key_size, uint64_t flags))                                 \
    FUNCTION(aclrtIpcMemSetImportPid, aclError, (const char *key, int32_t *pids, size_t count))                        \
    FUNCTION(aclrtIpcMemImportByKey, aclError, (void **address, const char *key, uint64_t flags))                      \
    FUNCTION(aclrtIpcMemClose, aclError, (const char *key))                                                            \
    /* notifies; not in 8.1 */                                                                                         \
    FUNCTION(aclrtCreateNotify, aclError, (aclrtNotify * notify, uint64_t flags))                                      \
    FUNCTION(aclrtDestroyNotify, aclError, (aclrtNotify notify))                                                       \
    FUNCTION(aclrtRecordNotify, aclError, (aclrtNotify notify, aclrtStream stream))                                    \
    FUNCTION(aclrtWaitAndResetNotify, aclError, (aclrtNotify notify, aclrtStream stream, uint32_t timeout_s))          \
    FUNCTION(aclrtNotifyGetExportKey, aclError, (aclrtNotify notify, char *key, size_t key_size, uint64_t flags))      \
    FUNCTION(aclrtNotifyImportByKey, aclError, (aclrtNotify * notify, const char *key, uint64_t flags))                \
    /* reductions; documented from 8.2 on */                                                                           \
    FUNCTION(aclrtReduceAsync, aclError,                                                                               \
             (void *target, const void *source, uint64_t bytes, aclrtReduceKind kind, aclDataType type,                \
              aclrtStream stream, void *reserved))

#define RANKUNIT_HCCL_REQUIRED(FUNCTION)                                                 \
    FUNCTION(HcclGetRootInfo, HcclResult, (HcclRootInfo * info))                         \
    FUNCTION(HcclCommInitRootInfo, HcclResult,                                           \
             (uint32_t nranks, const HcclRootInfo *info, uint32_t rank, HcclComm *comm)) \
    FUNCTION(HcclCommDestroy, HcclResult, (HcclComm comm))

#define RANKUNIT_HCCL_OPTIONAL(FUNCTION)                                                                             \
    FUNCTION(HcclGetErrorString, const char *, (HcclResult result))                                                  \
    FUNCTION(HcclGetCommName, HcclResult, (HcclComm comm, char *name))                                               \
    FUNCTION(HcomGetL0TopoTypeEx, HcclResult, (const char *group, CommTopo *topology, uint32_t flag))                \
    FUNCTION(HcclAllocComResourceByTiling, HcclResult, (HcclComm comm, void *stream, void *tiling, void **context))  \
    FUNCTION(HcclAllReduce, HcclResult,                                                                              \
             (void *send, void *recv, uint64_t count, HcclDataType type, HcclReduceOp reduction, HcclComm comm,      \
              aclrtStream stream))                                                                                   \
    FUNCTION(HcclAllGather, HcclResult,                                                                              \
             (void *send, void *recv, uint64_t send_count, HcclDataType type, HcclComm comm, aclrtStream stream))    \
    FUNCTION(HcclReduceScatter, HcclResult,                                                                          \
             (void *send, void *recv, uint64_t recv_count, HcclDataType type, HcclReduceOp reduction, HcclComm comm, \
              aclrtStream stream))                                                                                   \
    FUNCTION(HcclBroadcast, HcclResult,                                                                              \
             (void *buffer, uint64_t count, HcclDataType type, uint32_t root, HcclComm comm, aclrtStream stream))    \
    FUNCTION(HcclSend, HcclResult,                                                                                   \
             (void *send, uint64_t count, HcclDataType type, uint32_t to, HcclComm comm, aclrtStream stream))        \
    FUNCTION(HcclRecv, HcclResult,                                                                                   \
             (void *recv, uint64_t count, HcclDataType type, uint32_t from, HcclComm comm, aclrtStream stream))

#endif  // RANKUNIT_BACKENDS_ASCEND_VENDOR_VENDOR_FUNCTIONS_H
