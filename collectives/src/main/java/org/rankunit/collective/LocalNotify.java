package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * A notify between the streams of one rank.
 *
 * @param number from 0 to the number that the {@link Resources} of the algorithm say
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record LocalNotify(int number) {}
