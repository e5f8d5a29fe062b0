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
 * Name the runtime that a device test loads into its process, so that it never shares one with a test of another runtime.
 *
 * <p>A device can run only one runtime per process. Ranks therefore serve only tests of equal name; tests without this
 * annotation form a kind of their own.
 *
 * <pre>{@code
 * @DeviceCount(2)
 * @DeviceRuntime("host_build_graph")
 * class TreduceOnHostGraphTest { ... }
 * }</pre>
 *
 * <p>The name is only compared; nothing is loaded by it. A method's annotation replaces its class's, an inner class's that
 * of its enclosing class. On a test that is no device test it has no effect.
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
