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
 * Declare the arguments of the kernel or the task graph that a device test runs.
 *
 * <pre>{@code
 * @DeviceCount(4)
 * @Buffer(name = "input", type = FLOAT32, count = 256, placement = WINDOW)
 * @Buffer(name = "output", type = FLOAT32, count = 256)
 * @KernelArguments(
 *         value = {"input", "output", "nranks", "root", "deviceCtx"},
 *         inputs = "input",
 *         outputs = "output")
 * class TreduceTest { ... }
 * }</pre>
 *
 * <p>{@code RankContext.arguments()} gives each rank their values:
 *
 * <table>
 * <caption>Arguments</caption>
 * <tr><td>the name of a buffer</td><td>its address</td></tr>
 * <tr><td>{@code nranks}</td><td>the number of ranks</td></tr>
 * <tr><td>{@code root}</td><td>the parameter {@code rankunit.param.root}, or 0</td></tr>
 * <tr><td>{@code deviceCtx}</td><td>the address of the communicator's device context</td></tr>
 * </table>
 *
 * <p>The annotation of a method replaces that of its class, and the annotation of an inner class replaces that of its
 * enclosing class. A name that is neither a buffer of the test nor one of these words, and a buffer that has such a word
 * as its name, make the test fail, with the place, before anything is started.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface KernelArguments {

    /** The arguments in the order that the kernel expects; at least one. */
    String[] value();

    /** Those of the buffers that are read. A buffer that is in neither list, or in both, is read and written. */
    String[] inputs() default {};

    /** Those of the buffers that are written. */
    String[] outputs() default {};
}
