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
 * Run a device test on ranks of its own: their JVMs have run no test before and run none after.
 *
 * <p>Ranks are otherwise kept and serve class after class, as the one JVM of an ordinary build does. On a class all its
 * device tests share one such group of ranks, for each number of ranks; on a method that test alone has one, and the
 * class's lifecycle methods run there once more.
 *
 * <pre>{@code
 * @Test
 * @DeviceCount(2)
 * @FreshRanks
 * void loadsTheRuntimeForTheFirstTime(RankContext rank) { ... }
 * }</pre>
 *
 * <p>It costs the start of a group, some tenths of a second. On a test that is no device test it has no effect.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface FreshRanks {}
