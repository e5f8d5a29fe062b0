package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/**
 * Limit how long each device test may take on all its ranks together, instead of {@code rankunit.test-timeout}.
 *
 * <pre>{@code
 * @Test
 * @DeviceCount(4)
 * @RankTimeout(30)
 * void sums(RankContext rank) { ... }
 * }</pre>
 *
 * <p>The time starts when all ranks enter the test, separately for each invocation of a template. When it is over,
 * every rank is asked where it is, before the processes are ended; the failure says what they were waiting for. The
 * annotation of a method replaces that of its class, and the annotation of an inner class replaces that of its
 * enclosing class. While a rank is being debugged ({@code rankunit.debug}), no time-out applies. On a test that is not
 * a device test it has no effect.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface RankTimeout {

    /** The limit: more than zero and less than 20 days. */
    long value();

    /** The unit of {@link #value}. */
    TimeUnit unit() default TimeUnit.SECONDS;
}
