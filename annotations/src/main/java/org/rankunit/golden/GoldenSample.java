package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.io.Serializable;
import org.apiguardian.api.API;

/**
 * Show one element that differs.
 *
 * @param index where it is
 * @param expected the expected element, as messages write it; a text, since no number type holds every element type
 * @param actual what was found there, written the same way
 * @param difference how far they are apart, in the unit of the elements; possibly infinite, NaN if either side is NaN
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record GoldenSample(int index, String expected, String actual, double difference) implements Serializable {}
