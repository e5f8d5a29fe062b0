package org.rankunit.engine.merge;

import java.util.Optional;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.support.descriptor.MethodSource;

/**
 * How many repetitions of a test may fail before the rest are skipped. Jupiter counts within one JVM; here each failure moves the
 * remaining repetitions to new ranks, so only the parent sees all of them.
 */
final class FailureThreshold {

    private FailureThreshold() {}

    /** Explain why the repetitions that have no result yet are skipped, in Jupiter's words; empty if they must run. */
    static Optional<String> exceeded(TestNode template) {
        int failed = template.failedChildren();
        return failed == 0 || !(template.descriptor.getSource().orElse(null) instanceof MethodSource method)
                ? Optional.empty()
                : AnnotationSupport.findAnnotation(method.getJavaMethod(), RepeatedTest.class)
                        .map(RepeatedTest::failureThreshold)
                        .filter(threshold -> failed >= threshold)
                        .map(threshold -> "Failure threshold [" + threshold + "] exceeded");
    }
}
