package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.rankunit.golden.model.RankModel;

/**
 * Let a model give the inputs of a device test, and verify its outputs on every rank.
 *
 * <pre>{@code
 * @DeviceCount({2, 4})
 * @Buffer(name = "input", type = FLOAT32, count = 256, placement = WINDOW, role = INPUT)
 * @Buffer(name = "output", type = FLOAT32, count = 256, role = OUTPUT)
 * @GoldenModel(AllReduceModel.class)
 * class AllReduceTest {
 *
 *     @Test
 *     void addsUp(RankContext rank) {
 *         rank.kernel("allreduce").launch(TaskArgument.words(rank.arguments()));
 *         rank.device().synchronize();
 *     }
 * }
 * }</pre>
 *
 * <p>The model is computed once for each test, number of ranks, platform and runtime, before devices are leased for it, in a JVM of its own, and
 * its results are kept for later runs. The inputs are in the buffers before the {@code @BeforeEach} methods. When the test method has ended on all
 * ranks, each rank compares all its outputs, as {@link org.rankunit.golden.Golden#perRank} does, and reports all that are wrong. A test
 * method that fails is not verified. The {@code @AfterEach} methods run after that.
 *
 * <p>Each invocation of a repeated or parameterized test gets the same inputs and must produce the same outputs, unless the model is computed
 * {@link #perInvocation() per invocation}. A {@code @TestFactory} is refused, since its dynamic tests share their buffers.
 *
 * <p>The annotation of a method replaces that of its class, and that of an inner class that of its enclosing class. A test has a
 * {@code GoldenModel} or {@link GoldenFiles}, not both.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface GoldenModel {

    /** The model: a class with a constructor without arguments, which is not an inner class. */
    Class<? extends RankModel> value();

    /**
     * Whether the model depends on the arguments of a parameterized test. Then each rank computes it for each invocation, as a part of the
     * test: after the {@code @BeforeEach} methods, which do not see the inputs, and within the limit of the test. Nothing is kept.
     */
    boolean perInvocation() default false;
}
