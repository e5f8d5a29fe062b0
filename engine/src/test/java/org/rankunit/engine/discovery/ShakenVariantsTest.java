package org.rankunit.engine.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.ShakeSchedule;
import org.rankunit.ShakeStrategy;

/** The variants of shaken tests. */
@Tag("unit")
class ShakenVariantsTest {

    @DeviceCount({1, 2})
    @ShakeSchedule(seeds = 2, strategy = ShakeStrategy.DELAY)
    static class Shaken {

        @Test
        void ofClass() {}

        @Test
        @ShakeSchedule(seeds = 1)
        @DeviceCount(1)
        @DeviceRuntime({"r1", "r2"})
        void ofMethod() {}
    }

    @DeviceCount(1)
    static class NotShaken {

        @Test
        void test() {}
    }

    @Test
    void eachSeedIsAVariantOfEachOtherVariant() {
        assertThat(variants(Map.of(), selectClass(Shaken.class)))
                .containsExactlyInAnyOrder(
                        "ofClass() [1 rank, seed 1] delay:1 of 2",
                        "ofClass() [1 rank, seed 2] delay:2 of 2",
                        "ofClass() [2 ranks, seed 1] delay:1 of 2",
                        "ofClass() [2 ranks, seed 2] delay:2 of 2",
                        "ofMethod() [r1, seed 1] random:1 of 1",
                        "ofMethod() [r2, seed 1] random:1 of 1");
        assertThat(variants(Map.of(), selectClass(NotShaken.class))).containsExactly("test() not");
    }

    @Test
    void theUserCanGiveOneSeedForAllTests() {
        Map<String, String> key = Map.of("rankunit.sim.shake", "pct:9");
        assertThat(variants(key, selectClass(Shaken.class)))
                .contains("ofClass() [1 rank, seed 9] pct:9 of 1", "ofMethod() [r1, seed 9] pct:9 of 1")
                .hasSize(4);
        assertThat(variants(key, selectClass(NotShaken.class))).containsExactly("test() [seed 9] pct:9 of 1");
    }

    @Test
    void theUserCanGiveTheFirstSeedOfTestsThatAreShaken() {
        Map<String, String> key = Map.of("rankunit.sim.shake", "from:100");
        assertThat(variants(key, selectClass(Shaken.class)))
                .contains("ofClass() [2 ranks, seed 101] delay:101 of 2", "ofMethod() [r1, seed 100] random:100 of 1")
                .hasSize(6);
        assertThat(variants(key, selectClass(NotShaken.class))).containsExactly("test() not");
    }

    @Test
    void aSeedCanBeSelectedByItsId() {
        String test = "[engine:rankunit]/[class:" + Shaken.class.getName() + "]/[method:ofClass()]";
        assertThat(variants(Map.of(), selectUniqueId(test + "/[ranks:2]/[seed:delay-2]")))
                .containsExactly("ofClass() [2 ranks, seed 2] delay:2 of 2");
        assertThat(variants(Map.of(), selectUniqueId(test + "/[ranks:2]"))).hasSize(2);
    }

    private static List<String> variants(Map<String, String> parameters, DiscoverySelector selector) {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DeviceTestDiscovery.discover(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selector)
                        .configurationParameters(parameters)
                        .build(),
                root);
        List<String> variants = new ArrayList<>();
        root.accept(node -> {
            if (node instanceof DeviceTestDescriptor descriptor) {
                descriptor.test().ifPresent(test -> {
                    var shake = test.declaration().shake();
                    variants.add(descriptor.getDisplayName()
                            + (shake == null ? " not" : " " + shake.key() + " of " + shake.seeds()));
                });
            }
        });
        return variants;
    }
}
