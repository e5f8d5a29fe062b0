package org.rankunit.engine.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.DeviceCount;

/** What the ranks select, depending on what was selected here. */
@Tag("unit")
class SelectionTest {

    private static final String CLASS = "[engine:%s]/[class:" + Templates.class.getName() + "]";
    private static final String TEMPLATE = CLASS + "/[test-template:p(int)]";
    private static final String SECOND = "/[test-template-invocation:#2]";

    @DeviceCount({2, 4})
    static class Templates {

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void p(int value) {}
    }

    @DeviceCount(2)
    static class Plain {

        @Test
        void a() {}

        @Test
        void b() {}

        @TestFactory
        Stream<DynamicTest> f() {
            return Stream.empty();
        }
    }

    @Test
    void aClassSelectsTheWholeTemplate() {
        assertThat(selected(selectClass(Templates.class)))
                .containsExactly("2: " + inRank(TEMPLATE), "4: " + inRank(TEMPLATE));
    }

    @Test
    void anInvocationOfAVariantSelectsThatInvocationAlone() {
        assertThat(selected(id(TEMPLATE + "/[ranks:4]" + SECOND))).containsExactly("4: " + inRank(TEMPLATE + SECOND));
    }

    @Test
    void anInvocationWithoutAVariantSelectsItInAllVariants() {
        assertThat(selected(id(TEMPLATE + SECOND)))
                .containsExactly("2: " + inRank(TEMPLATE + SECOND), "4: " + inRank(TEMPLATE + SECOND));
    }

    @Test
    void invocationsOfDifferentVariantsStayApart() {
        assertThat(selected(
                        id(TEMPLATE + "/[ranks:2]/[test-template-invocation:#1]"),
                        id(TEMPLATE + "/[ranks:4]" + SECOND)))
                .containsExactly(
                        "2: " + inRank(TEMPLATE + "/[test-template-invocation:#1]"), "4: " + inRank(TEMPLATE + SECOND));
    }

    @Test
    void aClassBesideAnInvocationSelectsTheWholeTemplate() {
        assertThat(selected(id(CLASS), id(TEMPLATE + "/[ranks:4]" + SECOND)))
                .containsExactly("2: " + inRank(TEMPLATE), "4: " + inRank(TEMPLATE));
    }

    @Test
    void anIdThatJupiterGaveSelectsTheInvocation() {
        assertThat(selected(selectUniqueId(inRank(TEMPLATE + SECOND))))
                .containsExactly("2: " + inRank(TEMPLATE + SECOND), "4: " + inRank(TEMPLATE + SECOND));
    }

    @Test
    void iterationsAreInvocations() {
        assertThat(selected(selectIteration(method(), 1)))
                .containsExactly("2: " + inRank(TEMPLATE + SECOND), "4: " + inRank(TEMPLATE + SECOND));
    }

    @Test
    void iterationsOfAFactoryAreItsTestsOrContainers() {
        String factory = inRank("[engine:%s]/[class:" + Plain.class.getName() + "]/[test-factory:f()]");

        assertThat(selected(selectIteration(selectMethod(Plain.class, "f"), 0, 2)))
                .containsExactly("2: " + factory + "/[dynamic-test:#1] " + factory + "/[dynamic-container:#1] "
                        + factory + "/[dynamic-test:#3] " + factory + "/[dynamic-container:#3]");
    }

    @Test
    void theWholeMethodBesideAnIterationSelectsTheWholeTemplate() {
        assertThat(selected(selectIteration(method(), 1), method()))
                .containsExactly("2: " + inRank(TEMPLATE), "4: " + inRank(TEMPLATE));
    }

    @Test
    void anotherClassBesideAnIterationDoesNotWidenIt() {
        assertThat(selected(selectIteration(method(), 1), selectClass(Plain.class)))
                .contains("2: " + inRank(TEMPLATE + SECOND))
                .hasSize(5);
    }

    @Test
    void anInvocationBesideAnIterationAddsToIt() {
        String first = inRank(TEMPLATE + "/[test-template-invocation:#1]");

        assertThat(selected(selectIteration(method(), 0), id(TEMPLATE + "/[ranks:2]" + SECOND)))
                .containsExactly("2: " + first + " " + inRank(TEMPLATE + SECOND), "4: " + first);
    }

    @Test
    void aVariantThatNoTestHasIsNotResolved() {
        assertThatThrownBy(() -> LauncherFactory.create()
                        .discover(LauncherDiscoveryRequestBuilder.request()
                                .selectors(id(TEMPLATE + "/[ranks:3]"))
                                .build()))
                .hasStackTraceContaining("ranks:3")
                .hasStackTraceContaining("could not be resolved");
    }

    private static DiscoverySelector method() {
        return selectMethod(Templates.class, "p", int.class);
    }

    private static DiscoverySelector id(String id) {
        return selectUniqueId(String.format(id, "rankunit"));
    }

    private static String inRank(String id) {
        return String.format(id, "junit-jupiter");
    }

    private static List<String> selected(DiscoverySelector... selectors) {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DeviceTestDiscovery.discover(
                LauncherDiscoveryRequestBuilder.request().selectors(selectors).build(), root);
        List<String> selected = new ArrayList<>();
        root.accept(node -> {
            if (node instanceof DeviceTestDescriptor descriptor) {
                descriptor
                        .test()
                        .ifPresent(test -> selected.add(test.ranks() + ": " + String.join(" ", test.selected())));
            }
        });
        return selected;
    }
}
