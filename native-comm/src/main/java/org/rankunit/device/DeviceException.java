package org.rankunit.device;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Says that a call on a device or a kernel has failed, on which device, and why.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public class DeviceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DeviceException(String message) {
        this(message, null);
    }

    public DeviceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
