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
 * Run a device test once for each of some seeds, each of which makes the simulator run streams, blocks and tasks in another
 * order.
 *
 * <pre>{@code
 * @Test
 * @DeviceCount(2)
 * @ShakeSchedule(seeds = 20)
 * void exchangesHalos(RankContext rank) { ... }
 * }</pre>
 *
 * <p>A program that lacks an event, a signal or an edge may pass for a long time, because what has to come first usually
 * does. With a seed, the simulator holds up some of the work, and others overtake it. Each seed is a variant of the test,
 * {@code [seed 7]}, and the variants multiply with those of {@link org.rankunit.DeviceCount} and
 * {@link org.rankunit.DeviceRuntime}. The failure of a shaken test names its seed. The configuration key
 * {@code rankunit.sim.shake}, for example {@code random:7}, runs it again: all tests run with that one seed, annotated or
 * not. What is decided depends on the seed alone, not on time.
 *
 * <p>Only simulators can be shaken. On hardware the test runs once, as its first variant, and the other seeds are skipped.
 *
 * <p>The annotation of a method replaces that of its class, and the annotation of an inner class replaces that of its
 * enclosing class. On a test that is not a device test it has no effect. A number of seeds that is not allowed makes the
 * test fail, with the place, before anything is started.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface ShakeSchedule {

    /** The most seeds of one test. */
    int MAX = 1000;

    /** Number of seeds, in [1, {@value #MAX}]: the test runs with 1, 2, and so on. */
    int seeds() default 10;

    /** How points of the schedule are chosen. */
    ShakeStrategy strategy() default ShakeStrategy.RANDOM;
}
