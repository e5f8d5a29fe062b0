package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Map;
import org.apiguardian.api.API;

/**
 * The errors with which the vendor's runtime reports that a device, rather than a call on it, is faulty.
 *
 * <p>Numbers and names are those of the public headers of CANN's runtime ({@code rt_error_codes.h}). Several of them
 * are caused as often by a kernel as by the device, and the runtime does not distinguish the two.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class VendorErrors {

    /** The lowest error number of the vendor; see {@code DEVICE_VENDOR_ERROR} in {@code device.h}. */
    static final int FIRST = 100_000;

    private static final int FIRST_OF_DEVICES = 507_000;
    private static final int LAST_OF_DEVICES = 507_999;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(507_000, "INTERNAL"),
            Map.entry(507_010, "LOST_HEARTBEAT"),
            Map.entry(507_014, "AICORE_TIMEOUT"),
            Map.entry(507_015, "AICORE_EXCEPTION"),
            Map.entry(507_017, "AICPU_TIMEOUT"),
            Map.entry(507_018, "AICPU_EXCEPTION"),
            Map.entry(507_022, "IPC_ERROR"),
            Map.entry(507_033, "DEV_SETUP_ERROR"),
            Map.entry(507_046, "STREAM_SYNC_TIMEOUT"),
            Map.entry(507_053, "DEVICE_MEM_ERROR"),
            Map.entry(507_054, "HBM_MULTI_BIT_ECC"),
            Map.entry(507_056, "LINK_ERROR"),
            Map.entry(507_057, "SUSPECT_REMOTE_ERROR"),
            Map.entry(507_899, "DRV_INTERNAL_ERROR"),
            Map.entry(507_900, "AICPU_INTERNAL"),
            Map.entry(507_901, "SOCKET_CLOSE"),
            Map.entry(507_904, "COMM_OP_RETRY_FAIL"));

    private VendorErrors() {}

    /** Whether this error leaves the device suspect. */
    public static boolean isOfDevice(int error) {
        return error >= FIRST_OF_DEVICES && error <= LAST_OF_DEVICES;
    }

    /** {@code 507015 (AICORE_EXCEPTION)}, or the number alone if its name is not known. */
    public static String describe(int error) {
        String name = NAMES.get(error);
        return name == null ? String.valueOf(error) : error + " (" + name + ")";
    }
}
