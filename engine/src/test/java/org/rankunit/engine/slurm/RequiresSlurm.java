package org.rankunit.engine.slurm;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Disables a test where {@link MiniSlurm} cannot start a cluster, and says why. The tests that it enables are run by
 * {@code ./test.sh --slurm} and {@code ./test.sh --full}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("slurm")
@ExtendWith(SlurmCondition.class)
public @interface RequiresSlurm {

    /** Whether the test needs {@link MiniSlurm#startInNamespaces}. */
    boolean inNamespaces() default false;
}
