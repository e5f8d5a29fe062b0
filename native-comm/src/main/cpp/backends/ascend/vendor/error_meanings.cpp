// Codes and names are those of the vendor's public headers; meanings are from its documents and from what others have
// met. None was seen by us on a real device.
#include <algorithm>

#include "backends/ascend/vendor/vendor_error.h"

namespace rankunit::ascend {
namespace {

constexpr char kSetDevice[] = "This is a mistake in RankUnit or in a library that has changed the thread's context";
constexpr char kKernel[] =
    "Look at the kernel that ran last: addresses, sizes, and alignment; the plog of the device has the address";
constexpr char kHardware[] = "The device needs attention: see npu-smi info -t health, and the driver's log";
constexpr char kOtherUser[] = "Another process may use the device (npu-smi info), or it may be absent or in a reset";
constexpr char kTwoIds[] = "Ids count from 0 within ASCEND_RT_VISIBLE_DEVICES, if that is set";
constexpr char kNetwork[] = "Look at the links of the devices (hccn_tool -i <n> -link -g) and at HCCL_SOCKET_IFNAME";

constexpr ErrorMeaning kAcl[] = {
    {100000, "INVALID_PARAM", "an argument is not allowed", ""},
    {100001, "UNINITIALIZE", "aclInit has not been called", kSetDevice},
    {100002, "REPEAT_INITIALIZE", "aclInit was called before", ""},
    {100037, "REPEAT_FINALIZE", "aclFinalize was called before", ""},
    {107000, "PARAM_INVALID", "the runtime does not accept an argument", ""},
    {107001, "INVALID_DEVICEID", "there is no device of this id", kTwoIds},
    {107002, "CONTEXT_NULL", "the thread has no context", kSetDevice},
    {107003, "STREAM_CONTEXT", "the stream belongs to another context than the thread's", kSetDevice},
    {107017, "INVALID_HANDLE", "what the handle stands for does not exist, or not any more",
     "Where memory of a peer is imported, the peer may have ended"},
    {107019, "WAIT_TIMEOUT", "a wait has taken too long", ""},
    {107020, "TASK_TIMEOUT", "a task has taken too long", kKernel},
    {107022, "DEVICE_TASK_ABORT", "tasks of the device were aborted", "", true},
    {107023, "STREAM_ABORT", "the stream was aborted", "", true},
    {200000, "BAD_ALLOC", "there is no host memory left for this", ""},
    {200001, "API_NOT_SUPPORT", "this CANN has the function, but not for this machine", ""},
    {200002, "INVALID_DEVICE", "the device is not allowed here", kTwoIds},
    {200006, "FEATURE_UNSUPPORTED", "this machine does not have the feature", ""},
    {207000, "FEATURE_NOT_SUPPORT", "this machine or its driver does not have the feature", ""},
    {207001, "MEMORY_ALLOCATION", "there is no memory left on the device for this",
     "npu-smi info shows what other processes hold; HCCL takes 2 * HCCL_BUFFSIZE (400 MB) for each communicator"},
    {207004, "NO_DEVICE", "there is no device", kOtherUser},
    {207006, "NO_PERMISSION", "this process may not do that",
     "The user must be in the driver's group (HwHiAiUser); memory of a peer must be shared with this process's id"},
    {207009, "NO_NOTIFY_RESOURCE", "there are no notifies left", ""},
    {207018, "DEVICE_OOM", "the device is out of memory", "npu-smi info shows what other processes hold"},
    {500000, "INTERNAL_ERROR", "an error inside the vendor's library", ""},
    {507000, "INTERNAL", "an error inside the runtime", "On A5 also the time-out of an operation"},
    {507010, "LOST_HEARTBEAT", "the device does not answer", kHardware},
    {507014, "AICORE_TIMEOUT", "a kernel has run for too long", kKernel},
    {507015, "AICORE_EXCEPTION", "a kernel has failed on the device", kKernel},
    {507017, "AICPU_TIMEOUT", "a task of the device's processor has taken too long", ""},
    {507018, "AICPU_EXCEPTION", "a task of the device's processor has failed",
     "The runtime says this of many things, also of operations that time out: conclude nothing from it alone"},
    {507022, "IPC_ERROR", "sharing with another process has failed", ""},
    {507033, "DEV_SETUP_ERROR", "the device could not be set up", kOtherUser},
    {507034, "VECTOR_CORE_TIMEOUT", "a vector core has taken too long", kKernel},
    {507046, "STREAM_SYNC_TIMEOUT", "what was enqueued on the stream has not ended in time", kKernel},
    {507053, "DEVICE_MEM_ERROR", "memory of the device is faulty", kHardware},
    {507054, "HBM_MULTI_BIT_ECC", "memory of the device is faulty beyond repair", kHardware},
    {507056, "LINK_ERROR", "a link between devices is faulty", kHardware},
    {507057, "SUSPECT_REMOTE_ERROR", "another device is suspected to be faulty", kHardware},
    {507899, "DRV_INTERNAL_ERROR", "the driver refuses",
     "As a rule an earlier failure has left the device unusable for this process until it is reset; it is also said of "
     "an id of the wrong kind, and of memory that the machine cannot share",
     true},
    {507900, "AICPU_INTERNAL", "an error inside the device's processor", ""},
    {507901, "SOCKET_CLOSE", "the connection to the device is closed",
     "Also said where a stream is destroyed on which work is pending", true},
    {507904, "COMM_OP_RETRY_FAIL", "a communication was tried again and has failed again", kNetwork},
};

constexpr ErrorMeaning kHccl[] = {
    {1, "HCCL_E_PARA", "an argument is not allowed", ""},
    {2, "HCCL_E_PTR", "a pointer is NULL", ""},
    {3, "HCCL_E_MEMORY", "there is no memory left for this", "HCCL takes 2 * HCCL_BUFFSIZE for each communicator"},
    {4, "HCCL_E_INTERNAL", "an error inside HCCL", ""},
    {5, "HCCL_E_NOT_SUPPORT", "HCCL does not have this for this machine",
     "In CANN 9 also where libhccl does not find libhcomm of the same version"},
    {6, "HCCL_E_NOT_FOUND", "HCCL does not find what was named", ""},
    {7, "HCCL_E_UNAVAIL", "HCCL's resources are not available", ""},
    {8, "HCCL_E_SYSCALL", "a call of the operating system has failed", ""},
    {9, "HCCL_E_TIMEOUT", "HCCL has waited for too long",
     "A rank has not come, or cannot be reached: HCCL_CONNECT_TIMEOUT (120 s) is how long it waits to connect"},
    {10, "HCCL_E_OPEN_FILE_FAILURE", "a file could not be opened", ""},
    {11, "HCCL_E_TCP_CONNECT", "a rank could not be connected to",
     "Ports 60000-60031 must be free (HCCL_IF_BASE_PORT), and HCCL_SOCKET_IFNAME or HCCL_IF_IP right"},
    {12, "HCCL_E_ROCE_CONNECT", "a device could not be connected to", kNetwork},
    {13, "HCCL_E_TCP_TRANSFER", "a connection between hosts has failed", kNetwork},
    {14, "HCCL_E_ROCE_TRANSFER", "a connection between devices has failed", kNetwork},
    {15, "HCCL_E_RUNTIME", "the runtime has refused a call of HCCL", "The plog has which one"},
    {16, "HCCL_E_DRV", "the driver has refused a call of HCCL", "The plog has which one"},
    {17, "HCCL_E_PROFILING", "profiling has failed", ""},
    {18, "HCCL_E_CCE", "a call of CCE has failed", ""},
    {19, "HCCL_E_NETWORK", "the network of the devices has failed", kNetwork},
    {20, "HCCL_E_AGAIN", "HCCL is busy with this communicator", "Another thread is using it"},
    {21, "HCCL_E_REMOTE", "another rank has failed", "Its own error is the one to look at", true},
    {22, "HCCL_E_SUSPENDING", "the communicator is suspended", ""},
    {23, "HCCL_E_OPRETRY_FAIL", "a communication was tried again and has failed again", kNetwork},
    {24, "HCCL_E_OOM", "the device is out of memory", "npu-smi info shows what other processes hold"},
    {1041, "HCCL_E_IN_STATUS", "the communicator is in a state of failure", "", true},
};

template <size_t kCount>
const ErrorMeaning *find(const ErrorMeaning (&all)[kCount], int code) {
    const auto *found = std::find_if(all, all + kCount, [code](const ErrorMeaning &one) { return one.code == code; });
    return found == all + kCount ? nullptr : found;
}

}  // namespace

const ErrorMeaning *acl_meaning(int code) {
    return find(kAcl, code);
}

const ErrorMeaning *hccl_meaning(int code) {
    return find(kHccl, code);
}

}  // namespace rankunit::ascend
