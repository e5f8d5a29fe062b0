package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What an algorithm costs by its formula, if nothing contends.
 *
 * @param steps the largest number of transfers between ranks that must come one after the other
 * @param bytesSent the largest number of bytes that one rank sends, reads by others included
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Cost(int steps, long bytesSent) {}
