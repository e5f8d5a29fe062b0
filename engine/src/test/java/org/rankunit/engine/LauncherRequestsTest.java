package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestPlan;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** The requests that IntelliJ IDEA and Gradle send to run one test or some, played again; {@link EclipseTest} has a real client. */
@Tag("ranks")
@Timeout(120)
class LauncherRequestsTest {

    private static final String NAME = Cases.class.getName();
    private static final String ID = "[engine:rankunit]/[class:" + NAME + "]";

    @TempDir
    Path folder;

    static class Cases {

        @Test
        void ordinary() {}

        @Test
        @DeviceCount(1)
        @Platforms("a2a3sim")
        void one() {}

        @ParameterizedTest
        @ValueSource(ints = {10, 20, 30})
        @DeviceCount(1)
        @Platforms("a2a3sim")
        void values(int value) {}

        @Nested
        @DeviceCount(1)
        @Platforms("a2a3sim")
        class Inner {

            @Test
            void inner() {}
        }
    }

    @Test
    void intellijRunsAClass() {
        assertThat(discovered(selectClass(NAME)))
                .containsExactlyInAnyOrder(
                        "junit-jupiter ordinary()", "rankunit one()", "rankunit values(int)", "rankunit inner()");
    }

    @Test
    void intellijRunsAMethod() {
        assertThat(discovered(selectMethod(NAME + "#one()"))).containsExactly("rankunit one()");
        assertThat(discovered(selectMethod(NAME + "#values(int)"))).containsExactly("rankunit values(int)");
        assertThat(discovered(selectMethod(Cases.Inner.class.getName() + "#inner()")))
                .containsExactly("rankunit inner()");
    }

    @Test
    void intellijRunsAMethodWhoseParametersItDoesNotKnow() {
        assertThat(discovered(List.of(selectClass(NAME)), methodNamed("values")))
                .containsExactly("rankunit values(int)");
    }

    @Test
    void intellijRunsAPackage() {
        assertThat(discovered(
                        List.of(selectPackage("org.rankunit.engine")),
                        ClassNameFilter.includeClassNamePatterns(".*LauncherRequestsTest\\$Cases")))
                .containsExactlyInAnyOrder(
                        "junit-jupiter ordinary()", "rankunit one()", "rankunit values(int)", "rankunit inner()");
    }

    @Test
    void intellijRunsWhatFailedByItsId() {
        assertThat(discovered(selectUniqueId(ID + "/[method:one()]"))).containsExactly("rankunit one()");
    }

    @Test
    void intellijRunsOneRowOfAParameterizedTest() {
        EngineRun run =
                EngineRun.of(folder, Map.of(), List.of(selectIteration(selectMethod(NAME + "#values(int)"), 1)));

        assertThat(run.results(Cases.class)).containsExactly("SUCCESSFUL values(int)[2]");
        assertThat(run.imbalance()).isEmpty();
    }

    @Platforms("a2a3sim")
    static class Factory {

        @TestFactory
        @DeviceCount(1)
        Stream<DynamicTest> makes() {
            return Stream.of("a", "b", "c").map(name -> DynamicTest.dynamicTest(name, () -> {}));
        }
    }

    @Test
    void intellijRunsOneTestOfAFactory() {
        EngineRun run =
                EngineRun.of(folder, Map.of(), List.of(selectIteration(selectMethod(Factory.class, "makes"), 1)));

        assertThat(run.results(Factory.class)).containsExactly("SUCCESSFUL makes()[2]");
    }

    @Test
    void gradleFiltersMethodsOfClasses() {
        assertThat(discovered(List.of(selectClass(NAME)), gradlePattern("one"))).containsExactly("rankunit one()");
        assertThat(discovered(List.of(selectClass(NAME)), gradlePattern("ordinary")))
                .containsExactly("junit-jupiter ordinary()");
    }

    @Test
    void aClassPathRootHasItsDeviceTests() throws URISyntaxException {
        Path root = Path.of(
                Cases.class.getProtectionDomain().getCodeSource().getLocation().toURI());

        assertThat(discovered(
                        new ArrayList<>(selectClasspathRoots(Set.of(root))),
                        ClassNameFilter.includeClassNamePatterns(".*LauncherRequestsTest\\$Cases")))
                .contains("rankunit one()", "junit-jupiter ordinary()");
    }

    @Test
    void otherNumbersOfRanksReplaceThoseOfTestsThatAllowIt() {
        EngineRun run = EngineRun.of(folder, Map.of("rankunit.world-size", "3"), Adjustable.class);

        assertThat(run.results(Adjustable.class))
                .containsExactly("FAILED twoAlone()", "SUCCESSFUL anyNumber() [3 ranks]");
        assertThat(run.message(Adjustable.class, "twoAlone()"))
                .isEqualTo(
                        "rankunit.world-size = 3: " + Adjustable.class.getName() + ".twoAlone is written for 2 ranks.\n"
                                + "Leave it out of this run, or allow other numbers: @DeviceCount(value = ..., adjustable ="
                                + " true).");
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void contradictingChoicesOfRanksAreRefused() {
        EngineRun run = EngineRun.of(
                folder, Map.of("rankunit.world-size", "3", "rankunit.only-world-sizes", "2,4"), Adjustable.class);

        assertThat(run.message(Adjustable.class, "anyNumber() [3 ranks]"))
                .isEqualTo(
                        "rankunit.only-world-sizes = \"2,4\" and rankunit.world-size = \"3\" contradict each other: the first"
                                + " selects among the numbers that tests declare, the second replaces them. Set only one of the two.");
        assertThat(run.results(Adjustable.class)).hasSize(2);
    }

    @Test
    void aNumberOfRanksThatIsNoneIsRefusedOncePerTest() {
        EngineRun run = EngineRun.of(folder, Map.of("rankunit.world-size", "many"), Adjustable.class);

        assertThat(run.results(Adjustable.class))
                .containsExactly("FAILED anyNumber() [1 rank]", "FAILED anyNumber() [2 ranks]", "FAILED twoAlone()");
        assertThat(run.message(Adjustable.class, "twoAlone()"))
                .isEqualTo("rankunit.world-size = \"many\": 'many' is not a whole number from 1 to 64.");
    }

    @Test
    void parametersOfTestsReachTheirRanks() {
        System.setProperty("rankunit.param.name", "from a system property");
        try {
            EngineRun run = EngineRun.of(folder, Map.of("rankunit.param.root", "3"), Parameters.class);

            assertThat(run.results(Parameters.class)).containsExactly("SUCCESSFUL areRead(RankContext)");
        } finally {
            System.clearProperty("rankunit.param.name");
        }
    }

    @Test
    void aParameterThatIsNoNumberIsNamed() {
        EngineRun run = EngineRun.of(folder, Map.of("rankunit.param.root", "first"), Parameters.class);

        assertThat(run.message(Parameters.class, "areRead(RankContext)"))
                .contains("rankunit.param.root = \"first\" is not a whole number.");
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    static class Parameters {

        @Test
        void areRead(RankContext rank) {
            assertThat(rank.intParameter("root", 0)).isEqualTo(3);
            assertThat(rank.parameter("name")).contains("from a system property");
            assertThat(rank.intParameter("count", 256)).isEqualTo(256);
            assertThat(rank.parameter("count")).isEmpty();
        }
    }

    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class Adjustable {

        @Test
        @DeviceCount(
                value = {1, 2},
                adjustable = true)
        void anyNumber() {}

        @Test
        @DeviceCount(2)
        void twoAlone() {}
    }

    /** Engine and legacy name of every test that discovery finds. */
    private static List<String> discovered(DiscoverySelector selector) {
        return discovered(List.of(selector));
    }

    private static List<String> discovered(List<DiscoverySelector> selectors, Filter<?>... filters) {
        TestPlan plan = EngineRun.discover(selectors, filters);
        List<String> tests = new ArrayList<>();
        for (String engine : List.of("junit-jupiter", "rankunit")) {
            EngineRun.of(plan, engine)
                    .filter(test -> test.getSource().orElse(null) instanceof MethodSource)
                    .forEach(test -> tests.add(engine + " " + test.getLegacyReportingName()));
        }
        return tests;
    }

    private static PostDiscoveryFilter methodNamed(String name) {
        return descriptor -> FilterResult.includedIf(descriptor
                .getSource()
                .filter(source -> source instanceof MethodSource method
                        && !method.getMethodName().equals(name))
                .isEmpty());
    }

    /** Gradle's: by the method where there is one, else by the class of an ancestor. */
    private static PostDiscoveryFilter gradlePattern(String name) {
        return descriptor -> {
            if (descriptor.getSource().orElse(null) instanceof MethodSource method) {
                return FilterResult.includedIf(method.getMethodName().equals(name));
            }
            for (TestDescriptor d = descriptor; d != null; d = d.getParent().orElse(null)) {
                if (d.getSource().orElse(null) instanceof ClassSource source
                        && source.getClassName().startsWith(NAME)) {
                    return FilterResult.included("class");
                }
            }
            return FilterResult.excluded("neither");
        };
    }
}
