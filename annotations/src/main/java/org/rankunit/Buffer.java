package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;

/**
 * Give each rank of a device test a named buffer.
 *
 * <pre>{@code
 * @DeviceCount(4)
 * @Buffer(name = "input", type = FLOAT32, count = 256, placement = WINDOW)
 * @Buffer(name = "output", type = FLOAT32, count = 256)
 * class TreduceTest {
 *
 *     @Test
 *     void sums(RankContext rank) {
 *         rank.buffer("input").write(new float[256]);
 *         ...
 *     }
 * }
 * }</pre>
 *
 * <p>A buffer belongs to one test (one invocation of a parameterized or repeated test). It is filled with zeros before
 * the test's {@code @BeforeEach} methods, and no longer exists after its {@code @AfterEach} methods. Buffers in the
 * window are placed in the order of their declaration, those of superclasses and enclosing classes first, those of the
 * method last. Each starts at a multiple of 64 bytes, after the prefix that {@link Window#syncPrefix()} reserves.
 *
 * <p>A name used twice, a count below 1, or buffers that do not fit into the window make the test fail, with the place
 * and the numbers, before anything is started.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Repeatable(Buffer.List.class)
public @interface Buffer {

    /** Name for {@link RankContext#buffer}; not blank, unique within the test. */
    String name();

    /** Type of the elements. */
    DType type();

    /** Number of elements, at least 1. */
    int count();

    /** Where the buffer is; by default in device memory, which other ranks cannot access. */
    Placement placement() default Placement.DEVICE;

    /** Container for several {@link Buffer} annotations, added by the compiler. */
    @Documented
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface List {

        /** The buffers, in the order of their declaration. */
        Buffer[] value();
    }
}
