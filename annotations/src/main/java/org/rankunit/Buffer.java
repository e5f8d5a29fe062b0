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
 * <p>A buffer belongs to one test (one invocation of a parameterized or repeated test). It is filled with zeros, or as its
 * {@link #role()} says, before the test's {@code @BeforeEach} methods, and no longer exists after its {@code @AfterEach} methods. Buffers in the
 * window are placed in the order of their declaration, those of superclasses and enclosing classes first, those of the
 * method last. Each starts at a multiple of 64 bytes, after the prefix that {@link Window#syncPrefix()} reserves.
 *
 * <p>A name used twice, a count below 1, a shape that is not of that many elements, or buffers that do not fit into the window make the test fail, with the place
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

    /** Number of elements, at least 1. It may be left out if there is a {@link #shape()}, and else equals its product. */
    int count() default 0;

    /** Extents, the outermost first, each at least 1; none for a buffer without a shape. */
    int[] shape() default {};

    /** What it is for; what the roles change is described in {@link Role}. */
    Role role() default Role.PLAIN;

    /**
     * Let a test pass although no rank has compared this {@link Role#OUTPUT} with a golden, by
     * {@link org.rankunit.golden.Golden#verify(RankBuffer)}, for example because the test checks it in another way.
     */
    boolean unverified() default false;

    /** Where the buffer is; by default in device memory, which other ranks cannot access. */
    Placement placement() default Placement.DEVICE;

    /**
     * Say what a buffer is for.
     *
     * <p>Behind each buffer lie guard bytes, at least 64 up to a multiple of 64. If they have changed when the test has ended on
     * a rank, the test fails and says which bytes behind which buffer of which rank.
     */
    enum Role {

        /** Nothing is said: the buffer is filled with zeros, and only its guard is checked. */
        PLAIN,

        /** The test fills it and only reads it after that. It is filled with zeros before. */
        INPUT,

        /**
         * What the test produces. It is filled with a pattern before the test: NaN in floating types, 0xAB in each byte of the
         * others. If elements still have it when they are compared with a {@link org.rankunit.golden.Golden}, the message says that
         * they were never written. A test whose output no rank has verified fails, see {@link Buffer#unverified()}.
         */
        OUTPUT,

        /** The test fills it and changes it. It is filled with zeros before. */
        INOUT,

        /** Memory for intermediate results. It is filled with zeros before. */
        SCRATCH
    }

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
