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
 * Run the body of a device test several times on the same ranks, and measure each time.
 *
 * <pre>{@code
 * @Test
 * @DeviceCount(4)
 * @Buffer(name = "output", type = FLOAT32, count = 1024, role = OUTPUT)
 * @Rounds(value = 100, warmUp = 5)
 * void reduces(RankContext rank) { ... }
 * }</pre>
 *
 * <p>Only the method itself is repeated, with the same arguments; the instance, {@code @BeforeEach} and {@code @AfterEach} are
 * those of one test. Before each round all ranks meet in a barrier, the buffers of the test are filled as before its first
 * round, and the start of the window that {@link org.rankunit.Window#syncPrefix()} keeps is filled with zeros. What the test
 * stored elsewhere stays: fields, memory it allocated itself, and buffers it filled in {@code @BeforeEach}, which are empty from
 * the second round on. Goldens are compared in every round, and the first round that fails ends the test; its failure names the
 * round.
 *
 * <p>The report has, for each rank and phase, the shortest, the median and the 99th percentile of the times of all rounds but
 * the first {@link #warmUp()}; and for each of these rounds the slowest and the fastest rank and how far apart the ranks started.
 * A round that did not end on every rank is left out, and counted. Times are those of the host: a test whose body returns before
 * its kernels have ended measures only what it waits for.
 *
 * <p>The configuration key {@code rankunit.rounds} runs every device test so often, whatever it declares. A time limit counts for
 * all rounds together. Test factories cannot have rounds: their tests run once.
 *
 * <p>The annotation of a method replaces that of its class, and the annotation of an inner class replaces that of its enclosing
 * class. On a test that is not a device test it has no effect. Numbers that are not allowed make the test fail, with the place,
 * before anything is started.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface Rounds {

    /** The most rounds of one test, with those to warm up. */
    int MAX = 10_000;

    /** Number of rounds that are measured, at least 1. */
    int value();

    /** Number of rounds before these, which are run and verified but not measured; 0 or more. */
    int warmUp() default 0;

    /**
     * Whether every round must leave the same bits in the buffers with the role OUTPUT or INOUT, of which the test needs at least
     * one: for programs that must be deterministic.
     */
    boolean sameBits() default false;
}
