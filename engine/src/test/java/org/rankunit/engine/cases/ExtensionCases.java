package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Extensions, conditions, and what Jupiter hands to a test. */
public final class ExtensionCases {

    private ExtensionCases() {}

    @DeviceCount(2)
    @ExtendWith(Words.class)
    public static class Extended {

        @RegisterExtension
        static final BeforeEachCallback OF_CLASS =
                context -> Notes.add("ext: static field before " + context.getDisplayName());

        @RegisterExtension
        final BeforeEachCallback ofInstance = context -> Notes.add("ext: field before " + context.getDisplayName());

        @TempDir
        Path folder = Path.of("");

        @Test
        void parameter(String word, RankContext rank) {
            Notes.add("ext: " + word + " on rank " + rank.rank());
        }

        @Test
        void temporaryFolder(@TempDir Path other) {
            Notes.add("folder: " + folder);
            Notes.add("folder: " + other);
        }

        /** The input of a rank is its parent's, who says nothing to tests. */
        @Test
        void readsItsInputToTheEnd() throws IOException {
            assertEquals(-1, System.in.read());
        }

        @Test
        void reports(TestReporter reporter, RankContext rank) {
            reporter.publishEntry("loss", "0." + rank.rank());
            reporter.publishEntry("the plain text of rank " + rank.rank());
        }
    }

    /** Resolves parameters of type String. */
    static final class Words implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            Type type = parameter.getParameter().getType();
            return type == String.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return "a word";
        }
    }

    /** Registered by {@code META-INF/services} where auto-detection is on. */
    public static final class Detected implements BeforeEachCallback {

        @Override
        public void beforeEach(ExtensionContext context) {
            Notes.add("detected: before " + context.getDisplayName());
        }
    }

    @DeviceCount(2)
    public static class Conditions {

        @Test
        @EnabledOnOs(OS.LINUX)
        void enabled() {
            Notes.add("condition: enabled");
        }

        @Test
        @DisabledIf("onRanks")
        void disabledOnRanks() {
            Notes.add("condition: disabled");
        }

        @Test
        @EnabledIfSystemProperty(named = "cases.no-such-property", matches = "x")
        void disabledByAProperty() {
            Notes.add("condition: disabled");
        }

        static boolean onRanks() {
            return Notes.isRank(0) || Notes.isRank(1);
        }
    }

    /** Fails in its first test, so that all others run on later groups. */
    @DeviceCount(2)
    @ExtendWith(Watcher.class)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Watched {

        @Order(1)
        @RepeatedTest(value = 4, failureThreshold = 2)
        void repeated(RankContext rank) {
            Notes.add("threshold: " + rank.worldSize());
            fail("always");
        }

        @Test
        @Order(2)
        void thenPasses(RankContext rank) {
            rank.barrier();
        }

        @Order(3)
        @ParameterizedTest(name = "value {0}")
        @ValueSource(ints = {1, 2})
        void values(int value) {}

        @TestFactory
        @Order(4)
        DynamicTest made(RankContext rank) {
            return DynamicTest.dynamicTest("made", rank::barrier);
        }

        @Test
        @Order(5)
        @Disabled("for good")
        void disabled() {}
    }

    /** Notes everything that Jupiter says of tests. */
    static final class Watcher implements TestWatcher {

        @Override
        public void testDisabled(ExtensionContext context, Optional<String> reason) {
            Notes.add("watch: " + context.getDisplayName() + " disabled " + reason.orElse(""));
        }

        @Override
        public void testSuccessful(ExtensionContext context) {
            Notes.add("watch: " + context.getDisplayName() + " successful");
        }

        @Override
        public void testAborted(ExtensionContext context, Throwable cause) {
            Notes.add("watch: " + context.getDisplayName() + " aborted");
        }

        @Override
        public void testFailed(ExtensionContext context, Throwable cause) {
            Notes.add("watch: " + context.getDisplayName() + " failed");
        }
    }

    @DeviceCount(2)
    @Disabled("not this year")
    public static class DisabledClass {

        @Test
        void one() {}

        @Test
        void two() {}
    }

    @DeviceCount(2)
    public static class Failing {

        @Test
        void severalAssertions(RankContext rank) {
            assertAll(
                    "sums",
                    () -> assertEquals(0, rank.rank(), "first"),
                    () -> assertEquals(2, rank.worldSize(), "second"),
                    () -> assertEquals(0, rank.rank(), "third"));
        }

        @Test
        @Timeout(value = 300, unit = TimeUnit.MILLISECONDS)
        void takesTooLongOnRank1(RankContext rank) throws InterruptedException {
            if (rank.rank() == 1) {
                new CountDownLatch(1).await();
            }
        }
    }
}
