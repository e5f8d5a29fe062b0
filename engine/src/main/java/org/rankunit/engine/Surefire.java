package org.rankunit.engine;

import java.util.Arrays;
import java.util.Optional;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;

/**
 * The Maven Surefire that runs the tests of this JVM.
 *
 * <p>Versions before 3.0 bring their own launcher, which is older than JUnit's engines: the engines fail in discovery, the
 * launcher logs that, and the build passes without running any test. With such a version each class therefore gets a test
 * that fails and explains why.
 *
 * @param version the version in its jar, for example {@code 3.5.6}
 */
record Surefire(String version) {

    private static final int[] OLDEST_THAT_RUNS = {3, 0, 0};
    private static final int[] OLDEST_TESTED = {3, 5, 6};
    private static final String WHAT_TO_DO =
            " Set the version of maven-surefire-plugin in the pom to 3.5.6, or a newer one.";

    /** Find the Surefire that is calling; empty if another tool is. */
    static Optional<Surefire> calling() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.map(StackWalker.StackFrame::getDeclaringClass)
                        .filter(type -> type.getName().startsWith("org.apache.maven.surefire."))
                        .findFirst())
                .map(type -> type.getPackage().getImplementationVersion())
                .map(Surefire::new);
    }

    /** Whether its launcher silently drops tests. */
    boolean isTooOld() {
        return isBefore(OLDEST_THAT_RUNS);
    }

    /** A warning about a version that RankUnit was never tested with; empty for other versions. */
    Optional<String> warning() {
        return isBefore(OLDEST_TESTED)
                ? Optional.of("rankunit: this build runs its tests with Surefire " + version
                        + ", and RankUnit is tested with 3.5.6 and newer." + WHAT_TO_DO)
                : Optional.empty();
    }

    private String mistake() {
        return "this build runs its tests with Surefire " + version
                + ", which is too old for RankUnit and runs tests of JUnit 5 incompletely or not at all." + WHAT_TO_DO;
    }

    private boolean isBefore(int[] other) {
        int[] own = Arrays.stream(version.split("[^0-9]+"))
                .filter(part -> !part.isEmpty())
                .limit(other.length)
                .mapToInt(Integer::parseInt)
                .toArray();
        return Arrays.compare(own, other) < 0;
    }

    /** Add a test to each selected class. */
    static void refuse(Iterable<ClassSelector> classes, TestDescriptor root) {
        for (ClassSelector selector : classes) {
            ClassSource source = ClassSource.from(selector.getClassName());
            UniqueId id = root.getUniqueId().append("class", selector.getClassName());
            TestDescriptor container = new Node(id, selector.getClassName(), source, TestDescriptor.Type.CONTAINER);
            container.addChild(
                    new Node(id.append("refused", "surefire"), "isTooOld()", source, TestDescriptor.Type.TEST));
            root.addChild(container);
        }
    }

    /** Fail the tests that {@link #refuse} has added. */
    void fail(TestDescriptor root, EngineExecutionListener listener) {
        listener.executionStarted(root);
        for (TestDescriptor container : root.getChildren()) {
            listener.executionStarted(container);
            for (TestDescriptor test : container.getChildren()) {
                listener.executionStarted(test);
                listener.executionFinished(test, TestExecutionResult.failed(new IllegalStateException(mistake())));
            }
            listener.executionFinished(container, TestExecutionResult.successful());
        }
        listener.executionFinished(root, TestExecutionResult.successful());
    }

    private static final class Node extends AbstractTestDescriptor {

        private final TestDescriptor.Type type;

        Node(UniqueId id, String displayName, TestSource source, TestDescriptor.Type type) {
            super(id, displayName, source);
            this.type = type;
        }

        @Override
        public TestDescriptor.Type getType() {
            return type;
        }
    }
}
