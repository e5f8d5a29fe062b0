// What the vendor's codes become.
#include <cstring>

#include "ascend/ascend_support.h"

using namespace rankunit::test;

namespace {

struct Known {
    int code;
    const char *name;
};

constexpr Known kKnown[] = {
    {100000, "INVALID_PARAM"},
    {100001, "UNINITIALIZE"},
    {100002, "REPEAT_INITIALIZE"},
    {100037, "REPEAT_FINALIZE"},
    {107000, "PARAM_INVALID"},
    {107001, "INVALID_DEVICEID"},
    {107002, "CONTEXT_NULL"},
    {107003, "STREAM_CONTEXT"},
    {107017, "INVALID_HANDLE"},
    {107019, "WAIT_TIMEOUT"},
    {107020, "TASK_TIMEOUT"},
    {107022, "DEVICE_TASK_ABORT"},
    {107023, "STREAM_ABORT"},
    {200000, "BAD_ALLOC"},
    {200001, "API_NOT_SUPPORT"},
    {200002, "INVALID_DEVICE"},
    {200006, "FEATURE_UNSUPPORTED"},
    {207000, "FEATURE_NOT_SUPPORT"},
    {207001, "MEMORY_ALLOCATION"},
    {207004, "NO_DEVICE"},
    {207006, "NO_PERMISSION"},
    {207009, "NO_NOTIFY_RESOURCE"},
    {207018, "DEVICE_OOM"},
    {500000, "INTERNAL_ERROR"},
    {507000, "INTERNAL"},
    {507010, "LOST_HEARTBEAT"},
    {507014, "AICORE_TIMEOUT"},
    {507015, "AICORE_EXCEPTION"},
    {507017, "AICPU_TIMEOUT"},
    {507018, "AICPU_EXCEPTION"},
    {507022, "IPC_ERROR"},
    {507033, "DEV_SETUP_ERROR"},
    {507046, "STREAM_SYNC_TIMEOUT"},
    {507053, "DEVICE_MEM_ERROR"},
    {507054, "HBM_MULTI_BIT_ECC"},
    {507056, "LINK_ERROR"},
    {507057, "SUSPECT_REMOTE_ERROR"},
    {507899, "DRV_INTERNAL_ERROR"},
    {507900, "AICPU_INTERNAL"},
    {507901, "SOCKET_CLOSE"},
    {507904, "COMM_OP_RETRY_FAIL"},
};

std::string text_of(const OpenDevice &device, int code) {
    const Setting faults("RANKUNIT_EMULATOR_FAULTS", "aclrtMalloc=" + std::to_string(code));
    uint64_t address = 0;
    CHECK_EQUAL(device_malloc(device.get(), 16, &address), code);
    return device_last_error();
}

}  // namespace

TEST(every_code_is_passed_on_and_named) {
    in_process([] {
        const OpenDevice device;
        for (const Known &known : kKnown) {
            const std::string start = "device 0: aclrtMalloc of 16 bytes failed with " + std::to_string(known.code) +
                                      " (" + known.name + "): ";
            CHECK_CONTAINS(text_of(device, known.code), start);
        }
        CHECK_CONTAINS(text_of(device, 424242), "424242, which this version of RankUnit does not know");
    });
}

TEST(the_vendors_own_words_are_added) {
    in_process([] {
        const OpenDevice device;
        CHECK_CONTAINS(text_of(device, 207001), "\nThe vendor's library says: EZ9999: aclrtMalloc says 207001");
    });
}

TEST(only_a_consequence_points_to_the_first_failure) {
    in_process([] {
        const OpenDevice device;
        const OpenDevice sound(1);
        CHECK_CONTAINS(text_of(device, 507899), "Nothing was seen to fail on this device before");
        CHECK_CONTAINS(text_of(sound, 507014), "AICORE_TIMEOUT");
        CHECK(text_of(sound, 207001).find("The first failure") == std::string::npos);
        for (const int fallout : {507899, 107022, 107023, 507901}) {
            CHECK_CONTAINS(text_of(sound, fallout),
                           "The first failure on this device was: device 1: aclrtMalloc of 16 "
                           "bytes failed with 507014");
        }
    });
}

TEST(a_failure_is_forgotten_when_the_device_is_opened_anew) {
    in_process([] {
        {
            const OpenDevice device;
            text_of(device, 507014);
        }
        const OpenDevice anew;
        CHECK_CONTAINS(text_of(anew, 507899), "Nothing was seen to fail on this device before");
    });
}

TEST(a_busy_device_is_told_as_one) {
    in_process([] {
        const Setting faults("RANKUNIT_EMULATOR_FAULTS", "aclrtSetDevice=507033");
        DeviceHandle none = nullptr;
        CHECK_EQUAL(device_open(3, &none), 507033);
        CHECK_CONTAINS(device_last_error(), "device 3: aclrtSetDevice failed with 507033 (DEV_SETUP_ERROR)");
        CHECK_CONTAINS(device_last_error(), "Another process may use the device (npu-smi info)");
    });
}
