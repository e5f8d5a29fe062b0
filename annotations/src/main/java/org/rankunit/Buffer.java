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
 * <p>A buffer belongs to one test (one invocation of a parameterized or repeated one): it is filled with zeros before
 * the test's {@code @BeforeEach} methods and gone after its {@code @AfterEach} methods. Buffers in the window lie there
 * in the order of their declaration, those of superclasses and enclosing classes first, those of the method last, each
 * at a multiple of 64 bytes, behind the prefix that {@link Window#syncPrefix()} reserves.
 *
 * <p>Names used twice, a count below 1, and buffers that do not fit the window fail the test with the place and the
 * numbers, before anything is started.
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

    /** Name by which {@link RankContext#buffer} finds it; not blank, unique within the test. */
    String name();

    /** Type of its elements. */
    DType type();

    /** Number of elements, at least 1. */
    int count();

    /** Where it lives; by default in device memory, out of reach of the other ranks. */
    Placement placement() default Placement.DEVICE;

    /** Hold several {@link Buffer} annotations; written by the compiler. */
    @Documented
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface List {

        /** The buffers, in the order of their declaration. */
        Buffer[] value();
    }
}
