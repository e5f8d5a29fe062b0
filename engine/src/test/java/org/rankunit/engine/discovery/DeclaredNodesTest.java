package org.rankunit.engine.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.rankunit.DeviceCount;
import org.rankunit.Nodes;

/** On how many nodes a test runs, as its author and the user say. */
@Tag("unit")
class DeclaredNodesTest {

    @Retention(RetentionPolicy.RUNTIME)
    @DeviceCount(4)
    @Nodes(4)
    @interface OnFourNodes {}

    @DeviceCount(4)
    @Nodes(2)
    static class OnTwo {

        @Test
        void ofClass() {}

        @Test
        @Nodes(1)
        void ofMethod() {}

        @Test
        @OnFourNodes
        void ofAnnotation() {}

        @Nested
        class Inside {

            @Test
            void ofEnclosing() {}
        }

        @Nested
        @Nodes(4)
        class Other {

            @Test
            void ofInner() {}
        }
    }

    static class Inherited extends OnTwo {

        @Test
        void ofSuperclass() {}
    }

    static class Anywhere {

        @Test
        @DeviceCount(3)
        void test() {}
    }

    @DeviceCount({2, 3, 4})
    static class Mistaken {

        @Test
        @Nodes(0)
        void none() {}

        @Test
        @Nodes(-2)
        void negative() {}

        @Test
        @Nodes(2)
        void uneven() {}

        @Test
        @DeviceCount(1)
        @Nodes(2)
        void single() {}
    }

    @DeviceCount(value = 4, adjustable = true)
    @Nodes(2)
    static class Adjustable {

        @Test
        void test() {}
    }

    @Test
    void theInnermostAnnotationApplies() {
        assertThat(nodes(OnTwo.class, Map.of()))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("ofClass", 2, "ofMethod", 1, "ofAnnotation", 4, "ofEnclosing", 2, "ofInner", 4));
        assertThat(nodes(Inherited.class, Map.of()))
                .containsEntry("ofSuperclass", 2)
                .containsEntry("ofMethod", 1);
    }

    @Test
    void withoutTheAnnotationATestRunsOnAnyNumberOfNodes() {
        assertThat(nodes(Anywhere.class, Map.of())).containsExactly(Map.entry("test", 0));
    }

    @Test
    void thereIsAtLeastOneNode() {
        assertThat(problems(Mistaken.class, Map.of()))
                .containsEntry(
                        "none", Mistaken.class.getName() + ".none: @Nodes(0) is not a number of nodes. Give 1 or more.")
                .containsEntry(
                        "negative",
                        Mistaken.class.getName() + ".negative: @Nodes(-2) is not a number of nodes. Give 1 or more.");
    }

    @Test
    void theNumberOfNodesDividesEachNumberOfRanks() {
        assertThat(problems(Mistaken.class, Map.of()))
                .containsEntry(
                        "uneven",
                        Mistaken.class.getName() + ".uneven: @Nodes(2) cannot divide 3 ranks evenly."
                                + " Give a number of nodes that divides each number of @DeviceCount.")
                .containsEntry(
                        "single",
                        Mistaken.class.getName() + ".single: @Nodes(2) cannot divide 1 rank evenly."
                                + " Give a number of nodes that divides each number of @DeviceCount.");
        assertThat(problems(OnTwo.class, Map.of())).isEmpty();
    }

    @Test
    void theNumberOfNodesAlsoDividesTheNumberOfRanksThatTheUserGives() {
        assertThat(problems(Adjustable.class, Map.of("rankunit.world-size", "6")))
                .isEmpty();
        assertThat(problems(Adjustable.class, Map.of("rankunit.world-size", "3")))
                .containsExactly(Map.entry(
                        "test",
                        "rankunit.world-size = 3: " + Adjustable.class.getName()
                                + ".test runs on 2 nodes with @Nodes(2), which cannot divide 3 ranks evenly.\n"
                                + "Give a multiple of 2, or leave the test out of this run."));
    }

    private static Map<String, Integer> nodes(Class<?> type, Map<String, String> keys) {
        Map<String, Integer> nodes = new TreeMap<>();
        tests(type, keys)
                .forEach((method, test) -> nodes.put(method, test.declaration().nodes()));
        return nodes;
    }

    private static Map<String, String> problems(Class<?> type, Map<String, String> keys) {
        Map<String, String> problems = new TreeMap<>();
        tests(type, keys).forEach((method, test) -> {
            if (test.problem() != null) {
                problems.put(method, test.problem());
            }
        });
        return problems;
    }

    /** The tests of a class, by the names of their methods; one variant of each. */
    private static Map<String, DeviceTest> tests(Class<?> type, Map<String, String> keys) {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DeviceTestDiscovery.discover(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(type))
                        .configurationParameters(keys)
                        .build(),
                root);
        Map<String, DeviceTest> tests = new TreeMap<>();
        root.accept(node -> {
            if (node instanceof DeviceTestDescriptor descriptor) {
                descriptor
                        .test()
                        .ifPresent(
                                test -> tests.put(test.jupiterId().replaceAll(".*\\[method:(\\w+)\\(.*", "$1"), test));
            }
        });
        return tests;
    }
}
