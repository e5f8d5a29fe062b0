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
 * Run a device test on ranks of its own: their JVMs have not run a test before and run none after.
 *
 * <p>Without this annotation, ranks are kept and run class after class, as the one JVM of an ordinary build does. On a
 * class, all its device tests with the same number of ranks share one new group of ranks. On a method, only that test
 * uses the new group, and the class's lifecycle methods run there once more.
 *
 * <pre>{@code
 * @Test
 * @DeviceCount(2)
 * @FreshRanks
 * void loadsTheRuntimeForTheFirstTime(RankContext rank) { ... }
 * }</pre>
 *
 * <p>Starting the group costs some tenths of a second. On a test that is not a device test it has no effect.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface FreshRanks {}
