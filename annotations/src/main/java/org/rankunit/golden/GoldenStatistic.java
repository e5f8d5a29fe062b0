package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.io.Serializable;
import org.apiguardian.api.API;

/**
 * Show a statistic that a {@link Criterion} limits.
 *
 * @param name the statistic, such as {@code MERE}
 * @param value what it is for this output; NaN if it has no value
 * @param limit what it has to be, such as {@code "below 9.765625E-4"}
 * @param met whether it is
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record GoldenStatistic(String name, double value, String limit, boolean met) implements Serializable {}
