package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.OptionalInt;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a call on a device or a kernel failed, on which device, and why.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public class DeviceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** {@code DEVICE_ABORTED} of {@code device.h}. */
    private static final int ABORTED = 9;

    private final int vendorError;

    private final boolean aborted;

    public DeviceException(String message) {
        this(message, null);
    }

    public DeviceException(String message, @Nullable Throwable cause) {
        super(message, cause);
        vendorError = 0;
        aborted = false;
    }

    /** Creates the exception for a call that returned a status of {@code device.h}. */
    DeviceException(int status, String message) {
        super(message);
        vendorError = status >= VendorErrors.FIRST ? status : 0;
        aborted = status == ABORTED;
    }

    /** The error code of the vendor's library, such as 507015; empty if the error did not come from that library. */
    public final OptionalInt vendorError() {
        return vendorError == 0 ? OptionalInt.empty() : OptionalInt.of(vendorError);
    }

    /** Whether a wait was ended by {@link Device#abort}, or because the communicator of the rank was aborted. */
    public final boolean isAborted() {
        return aborted;
    }
}
