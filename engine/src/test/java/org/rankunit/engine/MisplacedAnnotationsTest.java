package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.StubMethod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.launcher.TestIdentifier;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;

/** Marks where no rank will see them: each is one result that fails and says what to do. */
@Tag("ranks")
@Timeout(120)
class MisplacedAnnotationsTest {

    private static final String OURS = "[engine:rankunit]/[class:" + Mixed.class.getName() + "]";

    @TempDir
    Path folder;

    @Retention(RetentionPolicy.RUNTIME)
    @Testable
    @interface Property {}

    @Retention(RetentionPolicy.RUNTIME)
    @DeviceCount(2)
    @interface OnTwo {}

    static class Mixed {

        @Test
        void ordinary() {}

        @BeforeEach
        @DeviceCount(2)
        void prepare() {}

        @OnTwo
        void helper(int value) {}

        @Property
        @Platforms("a2a3sim")
        void property() {}

        @Property
        void unmarkedProperty() {}

        void unmarkedHelper() {}

        @Nested
        class Inner {

            @Test
            void inner() {}

            @Platforms("a2a3")
            void innerHelper() {}
        }
    }

    @DeviceCount(2)
    abstract static class Base {

        @BeforeEach
        void prepare() {}

        @Platforms("a2a3sim")
        void ofTheBase() {}
    }

    static class OfAnotherEngine extends Base {

        @Property
        void property() {}

        void helper() {}
    }

    @Test
    void eachHasAResultThatFailsAndTheOthersRun() throws IOException {
        EngineRun run = EngineRun.of(folder, Map.of(), Mixed.class);

        assertThat(run.results(Mixed.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL ordinary()",
                        "SUCCESSFUL inner()",
                        "FAILED prepare()",
                        "FAILED helper(int)",
                        "FAILED property()",
                        "FAILED innerHelper()");
        assertThat(run.imbalance()).isEmpty();
        assertThat(run.message(Mixed.class, "prepare()"))
                .isEqualTo(
                        Mixed.class.getName() + ".prepare: @DeviceCount has no effect on a lifecycle method"
                                + " (@BeforeEach), which runs on the ranks of its tests. Put it on these tests or on their class.");
        assertThat(run.message(Mixed.class, "helper(int)"))
                .isEqualTo(Mixed.class.getName() + ".helper: @DeviceCount has no effect on a method that is not a"
                        + " JUnit Jupiter test. Add @Test (org.junit.jupiter.api.Test), or remove the annotation.");
        assertThat(run.message(Mixed.class, "property()"))
                .isEqualTo(Mixed.class.getName()
                        + ".property: @Platforms applies only to tests of JUnit Jupiter. This is"
                        + " a test of another engine (@" + Property.class.getName() + "), which would run once, on no"
                        + " device. Make it a Jupiter test (org.junit.jupiter.api.Test), or remove the annotation.");
    }

    @Test
    void aClassThatJupiterDoesNotKnowIsLookedAtToo() {
        EngineRun run = EngineRun.of(folder, Map.of(), OfAnotherEngine.class);

        assertThat(run.results(OfAnotherEngine.class))
                .containsExactlyInAnyOrder("FAILED property()", "FAILED ofTheBase()");
        assertThat(run.message(OfAnotherEngine.class, "property()"))
                .contains("@DeviceCount of " + OfAnotherEngine.class.getName()
                        + " applies only to tests of JUnit Jupiter");
        assertThat(discovered(selectClass(Base.class))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"org.junit.Test, JUnit 4", "org.testng.annotations.Test, TestNG", "net.jqwik.api.Example, jqwik"})
    void otherEnginesAreKnownByTheirAnnotations(String annotation, String engine) throws IOException {
        Class<?> type = testOf(annotation);

        EngineRun run = EngineRun.of(folder, Map.of(), type);

        assertThat(run.results(type)).containsExactly("FAILED adds()");
        assertThat(run.message(type, "adds()")).contains("This is a test of " + engine + " (@" + annotation + ")");
    }

    @Test
    void onlyWhatIsAskedForIsReported() {
        assertThat(discovered(selectMethod(Mixed.class, "ordinary"))).isEmpty();
        assertThat(discovered(selectMethod(Mixed.class, "property"))).containsExactly("property()");
        assertThat(discovered(selectClass(Mixed.Inner.class))).containsExactly("innerHelper()");
        assertThat(discovered(selectUniqueId(OURS))).hasSize(4);
    }

    @Test
    void packagesAreSearched() {
        assertThat(EngineRun.of(
                        EngineRun.discover(
                                List.of(selectPackage("org.rankunit.engine")),
                                ClassNameFilter.includeClassNamePatterns(
                                        ".*MisplacedAnnotationsTest\\$(Mixed|OfAnother).*")),
                        "rankunit"))
                .filteredOn(TestIdentifier::isTest)
                .extracting(TestIdentifier::getDisplayName)
                .containsExactlyInAnyOrder(
                        "prepare()", "helper(int)", "property()", "innerHelper()", "property()", "ofTheBase()");
    }

    @Test
    void itIsFoundAgainByItsId() {
        List<TestIdentifier> all = EngineRun.of(
                        EngineRun.discover(List.of(selectClass(Mixed.class), selectClass(OfAnotherEngine.class))),
                        "rankunit")
                .filter(TestIdentifier::isTest)
                .toList();

        assertThat(all)
                .hasSize(6)
                .allSatisfy(test -> assertThat(discovered(selectUniqueId(test.getUniqueId())))
                        .containsExactly(test.getDisplayName()));
    }

    private static List<String> discovered(DiscoverySelector selector) {
        return EngineRun.of(EngineRun.discover(List.of(selector)), "rankunit")
                .filter(TestIdentifier::isTest)
                .map(TestIdentifier::getDisplayName)
                .toList();
    }

    /** Make a class with the mark and one test of another engine, of which only the name of its annotation is known here. */
    private static Class<?> testOf(String annotation) throws IOException {
        try (DynamicType.Unloaded<? extends Annotation> mark = new ByteBuddy()
                        .makeAnnotation()
                        .name(annotation)
                        .annotateType(
                                AnnotationDescription.Builder.ofType(Testable.class)
                                        .build(),
                                AnnotationDescription.Builder.ofType(Retention.class)
                                        .define("value", RetentionPolicy.RUNTIME)
                                        .build())
                        .make();
                DynamicType.Unloaded<?> type = new ByteBuddy()
                        .subclass(Object.class)
                        .name("org.example.OfAnotherEngineTest")
                        .annotateType(AnnotationDescription.Builder.ofType(DeviceCount.class)
                                .defineArray("value", 2)
                                .build())
                        .defineMethod("adds", void.class, Visibility.PUBLIC)
                        .intercept(StubMethod.INSTANCE)
                        .annotateMethod(AnnotationDescription.Builder.ofType(mark.getTypeDescription())
                                .build())
                        .make()) {
            return type.include(mark)
                    .load(MisplacedAnnotationsTest.class.getClassLoader())
                    .getLoaded();
        }
    }
}
