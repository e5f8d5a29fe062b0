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
 * Name the platforms a test can run on.
 *
 * <pre>{@code
 * @DeviceCount(4)
 * @Platforms({"a2a3sim", "a2a3"})
 * class TreduceTest { ... }
 * }</pre>
 *
 * <p>Known platforms are the hardware {@code a2a3} and {@code a5}, and their simulators {@code a2a3sim} and
 * {@code a5sim}. {@code @Platforms("a2a3")} means only the hardware. The test runs once, on the first of its platforms
 * that this machine can provide, hardware before simulators. The configuration key {@code rankunit.platform} fixes one
 * platform for the whole run. If the machine can provide none of them, the test is <em>skipped</em>, with the reason
 * and what to change. Without this annotation a device test runs on any platform.
 *
 * <p>The annotation of a method replaces that of its class. Like {@link DeviceCount}, it applies only to tests of JUnit
 * Jupiter.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RankExtension.class)
public @interface Platforms {

    /** Names of platforms, at least one, without duplicates. */
    String[] value();
}
