package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Fail a device test on hardware whose collectives are too slow.
 *
 * <pre>{@code
 * @Test
 * @DeviceCount(8)
 * @MinBusBandwidth(40)
 * void theRingIsFast(RankContext rank) {
 *     try (MeasuredCollective ring = new MeasuredCollective(rank.communicator(), new RingAllReduce(), call)) {
 *         ring.run(5);
 *         ring.time(20);
 *     }
 * }
 * }</pre>
 *
 * <p>Every algorithm that the test measures by {@code MeasuredCollective.time} must reach the bandwidth with at least one of its
 * calls. So the largest size decides where a test goes through several, and a second algorithm does not hide that the first one is
 * slow. The bus bandwidth of a call is that of {@code BusBandwidth.bus}, with the mean of the times of all ranks; where a call is
 * timed several times, the shortest time of each rank counts. Barriers, which have no data, are not judged.
 *
 * <p>On a simulated platform nothing is judged, since its bandwidths say nothing of hardware, and the report says so. A test that
 * measures nothing fails on every platform.
 *
 * <p>The annotation of a method replaces that of its class, and the annotation of an inner class replaces that of its enclosing
 * class. On a test that is not a device test it has no effect. A number that is not allowed makes the test fail, with the place,
 * before anything is started.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface MinBusBandwidth {

    /** The bus bandwidth to reach, in GB/s (10^9 bytes a second): a finite number above 0. */
    double value();
}
