package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestIdentifier;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Window;

/** What is a device test, what it is called, and how it is selected: through a real Launcher. */
@Tag("ranks")
class DiscoveryTest {

    private static final Map<String, String> NONE = Map.of();

    static class OnMethods {

        @Test
        void ordinary() {}

        @Test
        @DeviceCount(2)
        void counted() {}

        @Test
        @Platforms("a2a3sim")
        void placed() {}
    }

    @DeviceCount(2)
    static class OnClass {

        @Test
        void test() {}

        @Nested
        class Inner {

            @Test
            void inner() {}
        }
    }

    static class Unmarked {

        @Test
        void ordinary() {}

        @Test
        void asks(RankContext rank) {
            rank.barrier();
        }
    }

    @ExtendWith(Mocks.class)
    static class Mocked {

        @Test
        void hasItsOwn(RankContext rank) {
            assertThat(rank.worldSize()).isZero();
        }
    }

    /** As mocking libraries do it. */
    static final class Mocks implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == RankContext.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {RankContext.class}, (proxy, method, args) -> 0);
        }
    }

    static class OnNested {

        @Test
        void ordinary() {}

        @Nested
        @DeviceCount(2)
        class Inner {

            @Test
            void inner() {}
        }
    }

    @DeviceCount(2)
    abstract static class Base {

        @Test
        void inherited() {}
    }

    static class OnSuperclass extends Base {}

    interface Contract {

        @Test
        @DeviceCount(2)
        default void promised() {}
    }

    static class OnInterface implements Contract {}

    @DeviceCount(2)
    interface MarkedContract {}

    static class OnInterfaceType implements MarkedContract {

        @Test
        void test() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DeviceCount(2)
    @Platforms("a2a3sim")
    @interface OnTwoChips {}

    static class OnMeta {

        @Test
        @OnTwoChips
        void test() {}
    }

    static class Declares {

        @Test
        @DeviceCount(2)
        void test() {}
    }

    static class Overrides extends Declares {

        @Override
        @Test
        void test() {}
    }

    static class Variants {

        @Test
        @DeviceCount({4, 1})
        void sums() {}
    }

    @DeviceCount({2, 4})
    static class TemplateVariants {

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void p(int value) {}

        @TestFactory
        Stream<DynamicTest> f() {
            return Stream.empty();
        }
    }

    @Tag("slow")
    static class Tagged {

        @Test
        @Tag("device")
        @DeviceCount(2)
        void test() {}
    }

    static class StartsNothing {

        static {
            initialized = true;
        }

        @BeforeAll
        static void never() {
            initialized = true;
        }

        @Test
        @DeviceCount(2)
        void test() {}
    }

    private static boolean initialized;

    static class NoCount {

        @Test
        @DeviceCount({})
        void test() {}
    }

    @DeviceCount(65)
    static class TooMany {

        @Test
        void test() {}
    }

    static class Twice {

        @Test
        @DeviceCount({4, 2, 4})
        void test() {}
    }

    static class NoPlatform {

        @Test
        @Platforms({})
        void test() {}
    }

    static class UnknownPlatform {

        @Test
        @Platforms("cuda")
        void test() {}
    }

    static class PlatformTwice {

        @Test
        @Platforms({"a5", "a5"})
        void test() {}
    }

    @Window(syncPrefix = -1)
    static class NegativePrefix {

        @Test
        @DeviceCount(2)
        void test() {}
    }

    static class BlankName {

        @Test
        @DeviceCount(2)
        @Buffer(name = " ", type = DType.INT8, count = 1)
        void test() {}
    }

    static class EmptyBuffer {

        @Test
        @DeviceCount(2)
        @Buffer(name = "x", type = DType.INT8, count = 0)
        void test() {}
    }

    @Buffer(name = "x", type = DType.INT8, count = 1)
    static class NameTaken {

        @Test
        @DeviceCount(2)
        @Buffer(name = "x", type = DType.INT8, count = 1)
        void test() {}
    }

    @Test
    void aTestThatTakesARankContextAndIsNoDeviceTestIsToldWhatIsMissing(@TempDir Path folder) {
        EngineRun run = EngineRun.of(folder, NONE, Unmarked.class, Mocked.class);

        assertThat(run.results(Unmarked.class))
                .containsExactlyInAnyOrder("SUCCESSFUL ordinary()", "FAILED asks(RankContext)");
        assertThat(run.message(Unmarked.class, "asks(RankContext)"))
                .isEqualTo(Unmarked.class.getName() + ".asks takes a RankContext but is not a device test, so it"
                        + " gets none. Add @DeviceCount (or @Platforms) to the method or its class.");
        assertThat(run.results(Mocked.class)).containsExactly("SUCCESSFUL hasItsOwn(RankContext)");
    }

    @Test
    void anAnnotatedMethodIsADeviceTestAndItsNeighbourIsNot() {
        assertThat(deviceTests(OnMethods.class)).containsExactlyInAnyOrder("counted()", "placed()");
        assertThat(jupiterTests(OnMethods.class)).containsExactly("ordinary()");
    }

    @Test
    void everyTestOfAnAnnotatedClassIsADeviceTest() {
        assertThat(deviceTests(OnClass.class)).containsExactly("test()", "inner()");
    }

    @Test
    void aClassWithDeviceTestsAloneLeavesNothingToJupiter() {
        assertThat(jupiterTests(OnClass.class)).isEmpty();
    }

    @Test
    void anAnnotatedNestedClassMakesItsOwnTestsDeviceTests() {
        assertThat(deviceTests(OnNested.class)).containsExactly("inner()");
    }

    @Test
    void theAnnotationOfASuperclassHolds() {
        assertThat(deviceTests(OnSuperclass.class)).containsExactly("inherited()");
    }

    @Test
    void theAnnotationOfAnInterfacesDefaultMethodHolds() {
        assertThat(deviceTests(OnInterface.class)).containsExactly("promised()");
    }

    @Test
    void theAnnotationOfAnInterfaceHolds() {
        assertThat(deviceTests(OnInterfaceType.class)).containsExactly("test()");
    }

    @Test
    void aMetaAnnotationHolds() {
        assertThat(deviceTests(OnMeta.class)).containsExactly("test()");
    }

    @Test
    void aMethodOverriddenWithoutTheAnnotationIsAnOrdinaryTest() {
        assertThat(deviceTests(Overrides.class)).isEmpty();
        assertThat(jupiterTests(Overrides.class)).containsExactly("test()");
    }

    @Test
    void severalCountsAreVariantsInTheOrderOfTheirSize() {
        assertThat(device(Variants.class).map(TestIdentifier::getUniqueId))
                .containsExactly(
                        "[engine:rankunit]/[class:" + Variants.class.getName() + "]/[method:sums()]/[ranks:1]",
                        "[engine:rankunit]/[class:" + Variants.class.getName() + "]/[method:sums()]/[ranks:4]");
    }

    @Test
    void aVariantIsCalledByItsNumberOfRanks() {
        assertThat(device(Variants.class).map(TestIdentifier::getDisplayName))
                .containsExactly("sums() [1 rank]", "sums() [4 ranks]");
    }

    @Test
    void aVariantsLegacyNameTellsItApartToo() {
        assertThat(device(Variants.class).map(TestIdentifier::getLegacyReportingName))
                .containsExactly("sums() [1 rank]", "sums() [4 ranks]");
    }

    @Test
    void aTestWithOneCountIsCalledAsJupiterCallsIt() {
        assertThat(device(Declares.class).map(TestIdentifier::getUniqueId))
                .containsExactly("[engine:rankunit]/[class:" + Declares.class.getName() + "]/[method:test()]");
    }

    @Test
    void everyTestHasTheMethodThatDeclaresItAsItsSource() {
        assertThat(device(OnMethods.class).map(test -> test.getSource().orElseThrow()))
                .allMatch(source -> source instanceof org.junit.platform.engine.support.descriptor.MethodSource);
    }

    @Test
    void tagsAreThoseThatJupiterSees() {
        assertThat(device(Tagged.class).findFirst().orElseThrow().getTags())
                .extracting(TestTag::getName)
                .containsExactlyInAnyOrder("slow", "device");
    }

    @Test
    void aTagFilterFindsDeviceTests() {
        assertThat(names("rankunit", List.of(selectClass(Tagged.class)), TagFilter.includeTags("device")))
                .containsExactly("test()");
    }

    @Test
    void aMethodCanBeSelected() {
        assertThat(names("rankunit", List.of(selectMethod(OnMethods.class, "counted"))))
                .containsExactly("counted()");
    }

    @Test
    void theUniqueIdOfAClassSelectsItsTests() {
        assertThat(byId("[engine:rankunit]/[class:" + OnMethods.class.getName() + "]"))
                .containsExactlyInAnyOrder("counted()", "placed()");
    }

    @Test
    void theUniqueIdOfAMethodSelectsAllItsVariants() {
        assertThat(byId(method(Variants.class, "sums()"))).containsExactly("sums() [1 rank]", "sums() [4 ranks]");
    }

    @Test
    void theUniqueIdOfAVariantSelectsThatOneAlone() {
        assertThat(byId(method(Variants.class, "sums()") + "/[ranks:4]")).containsExactly("sums() [4 ranks]");
    }

    @Test
    void theUniqueIdOfAnInvocationOfAVariantSelectsThatVariantAlone() {
        assertThat(byId("[engine:rankunit]/[class:" + TemplateVariants.class.getName()
                        + "]/[test-template:p(int)]/[ranks:2]/[test-template-invocation:#2]"))
                .containsExactly("p(int) [2 ranks]");
    }

    @Test
    void anIdThatJupiterGaveFindsTheDeviceTest() {
        assertThat(byId("[engine:junit-jupiter]/[class:" + OnMethods.class.getName() + "]/[method:counted()]"))
                .containsExactly("counted()");
    }

    @Test
    void anIdThatJupiterGaveIsNotRunByJupiterToo() {
        assertThat(names(
                        "junit-jupiter",
                        List.of(selectUniqueId("[engine:junit-jupiter]/[class:" + OnMethods.class.getName()
                                + "]/[method:counted()]"))))
                .isEmpty();
    }

    @Test
    void anIterationCanBeSelected() {
        assertThat(names("rankunit", List.of(selectIteration(selectMethod(TemplateVariants.class, "p", int.class), 1))))
                .containsExactly("p(int) [2 ranks]", "p(int) [4 ranks]");
    }

    @Test
    void discoveryRunsNoCodeOfTheTestClass() {
        assertThat(deviceTests(StartsNothing.class)).hasSize(1);

        assertThat(initialized).isFalse();
    }

    @Test
    void discoveryStartsNoThreadAndNoProcess() {
        deviceTests(OnMethods.class);
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        long processes = ProcessHandle.current().descendants().count();

        deviceTests(OnMethods.class);

        assertThat(Thread.getAllStackTraces().keySet()).isSubsetOf(before);
        assertThat(ProcessHandle.current().descendants().count()).isLessThanOrEqualTo(processes);
    }

    @Test
    void withoutThisEngineNothingIsTakenFromJupiter() {
        assertThat(names("junit-jupiter", List.of(selectClass(OnMethods.class)), withoutUs()))
                .containsExactlyInAnyOrder("ordinary()", "counted()", "placed()");
    }

    @Test
    void aDiscoveryWithThisEngineDoesNotTakeTestsFromALaterOneWithout() {
        assertThat(jupiterTests(OnMethods.class)).containsExactly("ordinary()");

        assertThat(names("junit-jupiter", List.of(selectClass(OnMethods.class)), withoutUs()))
                .hasSize(3);
    }

    @Test
    void withoutThisEngineADeviceTestFailsAndSaysWhatToDo() {
        assertThat(withoutEngine(OnMethods.class, NONE).message(OnMethods.class, "counted()"))
                .isEqualTo(outside(OnMethods.class.getName()));
    }

    @Test
    void withoutThisEngineADeviceTestFailsThoughConditionsAreSwitchedOff() {
        assertThat(withoutEngine(OnMethods.class, Map.of("junit.jupiter.conditions.deactivate", "*"))
                        .results(OnMethods.class))
                .containsExactlyInAnyOrder("SUCCESSFUL ordinary()", "FAILED counted()", "FAILED placed()");
    }

    @Test
    void withoutThisEngineAClassOfDeviceTestsFailsAsAWhole() {
        assertThat(withoutEngine(OnClass.class, NONE).message(OnClass.class, OnClass.class.getName()))
                .isEqualTo(outside(OnClass.class.getName()));
    }

    @Test
    void withoutThisEngineInvocationsFailToo() {
        assertThat(withoutEngine(TemplateVariants.class, NONE).containers(TemplateVariants.class))
                .contains("FAILED " + TemplateVariants.class.getName());
    }

    @Test
    void aCountMustBeGiven() {
        assertThat(problem(NoCount.class))
                .isEqualTo(NoCount.class.getName()
                        + ".test: @DeviceCount({}) names no number of ranks. Give at least one, from 1 to 64.");
    }

    @Test
    void aCountMustBeInRange() {
        assertThat(problem(TooMany.class))
                .isEqualTo(TooMany.class.getName()
                        + ": @DeviceCount(65): a test cannot run on 65 ranks. Give numbers from 1 to 64.");
    }

    @Test
    void aCountMustNotBeGivenTwice() {
        assertThat(problem(Twice.class))
                .isEqualTo(
                        Twice.class.getName() + ".test: @DeviceCount({2, 4, 4}) names 4 twice. Give each number once.");
    }

    @Test
    void aPlatformMustBeGiven() {
        assertThat(problem(NoPlatform.class))
                .isEqualTo(NoPlatform.class.getName()
                        + ".test: @Platforms names no platform. Give at least one of a2a3, a5, a2a3sim, a5sim, or leave"
                        + " the annotation out for any.");
    }

    @Test
    void aPlatformMustBeKnown() {
        assertThat(problem(UnknownPlatform.class))
                .isEqualTo(
                        UnknownPlatform.class.getName()
                                + ".test: @Platforms(\"cuda\"): there is no such platform. Give one of a2a3, a5, a2a3sim, a5sim.");
    }

    @Test
    void aPlatformMustNotBeGivenTwice() {
        assertThat(problem(PlatformTwice.class))
                .isEqualTo(PlatformTwice.class.getName()
                        + ".test: @Platforms names \"a5\" twice. Give each platform once.");
    }

    @Test
    void aPrefixMustNotBeNegative() {
        assertThat(problem(NegativePrefix.class))
                .isEqualTo(NegativePrefix.class.getName()
                        + ": @Window(syncPrefix = -1) is negative. Give the number of bytes to keep free, 0 or more.");
    }

    @Test
    void aBufferMustHaveAName() {
        assertThat(problem(BlankName.class))
                .isEqualTo(BlankName.class.getName()
                        + ".test: @Buffer(name = \" \") has no name. Give one that is not blank.");
    }

    @Test
    void aBufferMustHaveAnElement() {
        assertThat(problem(EmptyBuffer.class))
                .isEqualTo(EmptyBuffer.class.getName()
                        + ".test: @Buffer(name = \"x\") has count = 0. A buffer has at least 1 element.");
    }

    @Test
    void aBuffersNameMustBeUniqueWithinTheTest() {
        assertThat(problem(NameTaken.class))
                .isEqualTo(NameTaken.class.getName()
                        + ".test: @Buffer(name = \"x\"): the name is taken by another buffer of this test, declared on "
                        + NameTaken.class.getName() + ". Names of buffers are unique within a test.");
    }

    @Test
    void aMistakeIsATestLikeAnyOtherAndBelongsToThisEngine() {
        assertThat(deviceTests(Twice.class)).containsExactly("test()");
        assertThat(jupiterTests(Twice.class)).isEmpty();
    }

    private static String problem(Class<?> type) {
        return EngineRun.filtered(List.of(selectClass(type)), NONE).message(type, "test()");
    }

    private static EngineRun withoutEngine(Class<?> type, Map<String, String> parameters) {
        return EngineRun.filtered(List.of(selectClass(type)), parameters, withoutUs());
    }

    private static EngineFilter withoutUs() {
        return EngineFilter.excludeEngines("rankunit");
    }

    private static Stream<TestIdentifier> device(Class<?> type) {
        return leaves("rankunit", List.of(selectClass(type)));
    }

    private static List<String> deviceTests(Class<?> type) {
        return names("rankunit", List.of(selectClass(type)));
    }

    private static List<String> jupiterTests(Class<?> type) {
        return names("junit-jupiter", List.of(selectClass(type)));
    }

    private static List<String> byId(String... ids) {
        return names(
                "rankunit", Arrays.stream(ids).map(id -> selectUniqueId(id)).toList());
    }

    private static List<String> names(
            String engine, List<? extends DiscoverySelector> selectors, Filter<?>... filters) {
        return leaves(engine, selectors, filters)
                .map(TestIdentifier::getLegacyReportingName)
                .collect(Collectors.toList());
    }

    private static Stream<TestIdentifier> leaves(
            String engine, List<? extends DiscoverySelector> selectors, Filter<?>... filters) {
        return EngineRun.of(EngineRun.discover(selectors, filters), engine)
                .filter(test -> !(test.getSource().orElse(null)
                        instanceof org.junit.platform.engine.support.descriptor.ClassSource));
    }

    private static String method(Class<?> type, String method) {
        return "[engine:rankunit]/[class:" + type.getName() + "]/[method:" + method + "]";
    }

    private static String outside(String test) {
        return test + " is a device test (@DeviceCount, @Platforms) and was started outside a rank, on no device.\n"
                + "The engine 'rankunit' did not claim it. Either rankunit-engine is not on the test class path, or the"
                + " engine is switched off (includeJUnit5Engines / excludeJUnit5Engines of Surefire,"
                + " --include-engine / --exclude-engine, includeEngines / excludeEngines of Gradle,"
                + " @IncludeEngines / @ExcludeEngines of a suite).\n"
                + "Add the dependency org.rankunit:rankunit-engine, or let the engine 'rankunit' run.";
    }
}
