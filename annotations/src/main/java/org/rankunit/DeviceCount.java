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
 * <p>A method's annotation replaces its class's, an inner class's that of its enclosing class. A test that carries only
 * {@link Platforms} runs on one device. A count that the platform can never provide makes the test <em>skipped</em>,
 * with the number of devices it needs and the number there are; a count outside [1, 64] or given twice makes it fail
 * with the place and the value, before anything is started.
 *
 * <p>It holds for tests of JUnit Jupiter alone: on another method, as one that prepares tests, or on a test of another
 * engine, as of JUnit 4, it makes the build fail with the place and what to do.
 *
 * <p>A method that overrides one with this annotation and does not repeat it takes the annotation of its class, if any.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RankOnly.class)
public @interface DeviceCount {

    /** The largest number of ranks of one test: what a communication context can hold. */
    int MAX = 64;

    /** Numbers of ranks, each in [1, {@value #MAX}], without duplicates. */
    int[] value();

    /**
     * Whether the test holds for other numbers of ranks too, so that the configuration key {@code rankunit.nranks} may
     * replace its own. A test that is not adjustable fails where that key is given, and says so.
     */
    boolean adjustable() default false;
}
