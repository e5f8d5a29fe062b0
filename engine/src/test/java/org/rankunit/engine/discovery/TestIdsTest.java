package org.rankunit.engine.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.UniqueId;

@Tag("unit")
class TestIdsTest {

    private static final UniqueId OURS = UniqueId.parse("[engine:rankunit]/[class:C]/[method:m()]");
    private static final UniqueId IN_A_SUITE =
            UniqueId.parse("[engine:junit-platform-suite]/[suite:S]/[engine:rankunit]/[class:C]/[method:m()]");

    @Test
    void aRankKnowsATestByJupitersOwnId() {
        assertThat(TestIds.inRank(OURS)).isEqualTo("[engine:junit-jupiter]/[class:C]/[method:m()]");
    }

    @Test
    void aRankKnowsNothingOfASuite() {
        assertThat(TestIds.inRank(IN_A_SUITE)).isEqualTo("[engine:junit-jupiter]/[class:C]/[method:m()]");
    }

    @Test
    void theTwinInASuiteIsInThatSuite() {
        assertThat(TestIds.jupiterTwin(IN_A_SUITE))
                .hasToString("[engine:junit-platform-suite]/[suite:S]/[engine:junit-jupiter]/[class:C]/[method:m()]");
    }

    @Test
    void aVariantIsASegmentOfItsOwn() {
        assertThat(TestIds.ofRanks(OURS, 4)).hasToString("[engine:rankunit]/[class:C]/[method:m()]/[ranks:4]");
        assertThat(TestIds.ofRuntime(TestIds.ofRanks(OURS, 4), "r"))
                .hasToString("[engine:rankunit]/[class:C]/[method:m()]/[ranks:4]/[runtime:r]");
    }

    @Test
    void aVariantIsTakenOutWhereverItStands() {
        assertThat(TestIds.withoutVariant(UniqueId.parse(
                        "[engine:rankunit]/[class:C]/[test-template:t()]/[ranks:4]/[runtime:r]/[invocation:#1]")))
                .hasToString("[engine:rankunit]/[class:C]/[test-template:t()]/[invocation:#1]");
    }

    @Test
    void whatARankRegisteredIsPutBehindTheVariant() {
        assertThat(TestIds.append(
                        TestIds.ofRanks(OURS, 4),
                        "[engine:junit-jupiter]/[class:C]/[method:m()]",
                        "[engine:junit-jupiter]/[class:C]/[method:m()]/[invocation:#2]"))
                .hasToString("[engine:rankunit]/[class:C]/[method:m()]/[ranks:4]/[invocation:#2]");
    }

    @Test
    void anIdInASuiteBelongsToTheEngineBelowTheSuite() {
        assertThat(TestIds.isOfJupiter(TestIds.jupiterTwin(IN_A_SUITE))).isTrue();
    }
}
