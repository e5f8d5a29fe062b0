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
 * Declare how a device test uses the windows of its communicator.
 *
 * <p>Without this annotation the first {@link Buffer} in the window starts at the window's base.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
@Documented
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface Window {

    /**
     * Number of bytes, zero or more, at the start of every rank's window that contain no buffers. They are for the
     * semaphores and counters that kernels synchronise with, and are filled with zeros before each test, like the
     * buffers.
     */
    int syncPrefix() default 0;
}
