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
 * Name the runtime that a device test loads, so that the test never shares a process with a test of another runtime.
 *
 * <p>A device can run only one runtime per process. A rank therefore only runs tests that name the same runtime. Tests
 * without this annotation form a group of their own.
 *
 * <pre>{@code
 * @DeviceCount(2)
 * @DeviceRuntime("host_build_graph")
 * class TreduceOnHostGraphTest { ... }
 * }</pre>
 *
 * <p>The name is only compared; it does not load anything. The annotation of a method replaces that of its class, and
 * the annotation of an inner class replaces that of its enclosing class. On a test that is not a device test it has no
 * effect.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface DeviceRuntime {

    /** Name of the runtime, not blank. */
    String value();
}
