package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Run a test once on each of {@code value} devices, one JVM per device.
 *
 * <p>Several counts run the test once per count, smallest first:
 *
 * <pre>{@code
 * @DeviceCount({2, 4, 8})
 * class AllReduceTest { ... }
 * }</pre>
 *
 * <p>The annotation of a method replaces that of its class, and the annotation of an inner class replaces that of its
 * enclosing class. A test that has only {@link Platforms} runs on one device. If the platform can never provide the
 * count, the test is <em>skipped</em>, with the number of devices it needs and the number there are. A count that is
 * outside [1, 64] or given twice makes the test fail, with the place and the value, before anything is started.
 *
 * <p>This annotation applies only to tests of JUnit Jupiter. On another method, such as a lifecycle method, or on a
 * test of another engine, such as JUnit 4, it makes the build fail, with the place and what to do.
 *
 * <p>If a method overrides one with this annotation and does not repeat it, the annotation of its class applies, if
 * any.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RankExtension.class)
public @interface DeviceCount {

    /** The largest number of ranks of one test, which is the most that a communication context can hold. */
    int MAX = 64;

    /** Numbers of ranks, each in [1, {@value #MAX}], without duplicates. */
    int[] value();

    /**
     * Whether the test also works with other numbers of ranks, so that the configuration key {@code rankunit.world-size}
     * may replace its own. A test that is not adjustable fails if that key is set, and says so.
     */
    boolean adjustable() default false;

    /**
     * Whether the ranks get a communicator; by default they do. Without one, each rank has its device and nothing connects
     * it to the others: there are no windows, no barrier and no {@link RankContext#peers() peers}.
     *
     * <pre>{@code
     * @Test
     * @DeviceCount(value = 4, communicator = false)
     * void eachDeviceScales(RankContext rank) {
     *     rank.kernel("scale").launch(rank.buffer("x").address());
     * }
     * }</pre>
     *
     * <p>The methods of {@link RankContext} that need a communicator then throw an {@link IllegalStateException}. A test
     * that declares buffers in the window, a {@link Window#syncPrefix()} or the kernel argument {@code deviceCtx} as well
     * fails, with the place and what to do, before anything is started. Ranks still enter each test together, and their
     * results are merged.
     */
    boolean communicator() default true;
}
