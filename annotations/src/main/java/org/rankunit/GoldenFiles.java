package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.rankunit.golden.model.OutputCheck;

/**
 * Take the inputs and the expected outputs of a device test from files, and verify its outputs on every rank.
 *
 * <pre>{@code
 * @DeviceCount(2)
 * @Buffer(name = "input", type = FLOAT16, count = 256, role = INPUT)
 * @Buffer(name = "output", type = FLOAT32, count = 256, role = OUTPUT)
 * @GoldenFiles("src/test/goldens/reduce")
 * class ReduceTest { ... }
 *
 * src/test/goldens/reduce/rank_0/input.npy     float16, 256 elements
 * src/test/goldens/reduce/rank_0/output.npy    float32, 256 elements
 * src/test/goldens/reduce/rank_1/input.bin     512 bytes
 * src/test/goldens/reduce/rank_1/output.npz    holds the array "output"
 * }</pre>
 *
 * <p>{@code <folder>/rank_<r>/<buffer>} with the ending {@code .npy}, {@code .npz} or {@code .bin} is the input of a buffer with the role INPUT or
 * INOUT, and the expected content of one with the role OUTPUT. What is expected of an INOUT is in {@code <buffer>.expected} with such an
 * ending. All ranks of a test need all their files; buffers with another role have none, and an OUTPUT with {@code unverified = true} may do
 * without. A file that is missing, or whose type or number of elements is not the buffer's, fails the test before devices are
 * leased for it. {@link org.rankunit.golden.files.ValueFiles} describes the formats.
 *
 * <p>With {@code rankunit.golden = update}, a test that ends without a failure writes its outputs into that folder as {@code .npy}
 * files, instead of comparing them. Everything else is as with {@link GoldenModel}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface GoldenFiles {

    /** The folder, relative to the base folder of the module; if there is none, to the class path. */
    String value();

    /** How strictly outputs are compared; by default with the default tolerance of their type. */
    Class<? extends OutputCheck> check() default OutputCheck.class;
}
