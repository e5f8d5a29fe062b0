package org.rankunit.pool;

import org.apiguardian.api.API;

/**
 * State whether a device can be leased.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum DeviceState {
    /** No process held the device at the moment of the query. */
    FREE,
    /** A process, possibly this one, held the device. */
    HELD
}
