// What a backend has to define; this one has no devices, so that its ranks only meet.
#include "comm/device_side.h"
#include "device/device.h"
#include "rankunit/comm.h"
#include "rankunit/device.h"
#include "support/failure.h"

std::unique_ptr<rankunit::comm::DeviceSide> rankunit::comm::make_device_side(int /*rank*/, int /*nranks*/,
                                                                             void * /*stream*/) {
    throw Failure(COMM_NOT_SUPPORTED, "there are no windows");
}

std::unique_ptr<rankunit::device::Device> rankunit::device::make_device(int /*id*/) {
    throw Failure(DEVICE_NOT_SUPPORTED, "there are no devices");
}
