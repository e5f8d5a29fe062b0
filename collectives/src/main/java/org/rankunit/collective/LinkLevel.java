package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Where a {@link Link} leads.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum LinkLevel {
    INSIDE_SERVER,
    BETWEEN_SERVERS
}
