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
 * Run a device test once with each of these runtimes.
 *
 * <p>Several names run the test once for each, in the order in which they are given:
 *
 * <pre>{@code
 * @DeviceCount({2, 4})
 * @DeviceRuntime({"host_build_graph", "aicpu_build_graph", "tensormap_and_ringbuffer"})
 * class TreduceTest { ... }
 * }</pre>
 *
 * <p>{@link RankContext#runtime()} is the runtime of the running test, and {@link RankContext#createGraph} makes a task
 * graph for it. The configuration key {@code rankunit.runtime} selects among the runtimes; the others are skipped.
 *
 * <p>A device can run only one runtime per process. A rank therefore only runs tests that name the same runtime. Tests
 * without this annotation form a group of their own. Names other than those of
 * {@link org.rankunit.graph.GraphRuntime} are allowed; they are only compared, and load nothing.
 *
 * <p>The annotation of a method replaces that of its class, and the annotation of an inner class replaces that of its
 * enclosing class. On a test that is not a device test it has no effect. No name, a blank one, or one that is given
 * twice makes the test fail, with the place, before anything is started.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface DeviceRuntime {

    /** Names of the runtimes, not blank, without duplicates. */
    String[] value();
}
