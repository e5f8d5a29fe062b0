package org.rankunit.pool;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * Say why a device may not be sound: the last lease that held it said so, and none that held it since has ended well.
 *
 * <p>It is told, and nothing else is made of it: the device is lent as any other.
 *
 * @param reason what happened, as the holder put it
 * @param since when it was said
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Suspicion(String reason, Instant since) {}
