package org.rankunit.engine.merge.collectives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.protocol.FromRank;

@Tag("unit")
class BandwidthVerdictTest {

    private static final Platform HARDWARE = Platform.named("a2a3").orElseThrow();
    private static final Platform SIMULATOR = Platform.named("a2a3sim").orElseThrow();

    /** 1,000,000 bytes in 100 us are 10 GB/s, and an all-reduce of four ranks has 1.5 times that. */
    private static RanCollective ran(String algorithm, double... micros) {
        return ran(algorithm, "all-reduce", 1.5, micros);
    }

    private static RanCollective ran(String algorithm, String collective, double factor, double... micros) {
        TestCollectives all = new TestCollectives();
        for (double each : micros) {
            all.add(new FromRank.RanCollective(
                    "test",
                    algorithm,
                    collective,
                    "",
                    1,
                    1,
                    FromRank.RanCollective.NO_PICTURE,
                    new FromRank.Measured(collective, "float32", 1_000_000, factor, each, 2)));
        }
        return all.all().get(0);
    }

    @Test
    void theTimeOfACallIsTheMeanOfItsRanks() {
        Measurement found = ran("Ring", 50, 150).measurement().orElseThrow();

        assertThat(found.micros()).isEqualTo(100);
        assertThat(found.algorithmBandwidth()).isCloseTo(10, within(1e-9));
        assertThat(found.busBandwidth()).isCloseTo(15, within(1e-9));
        assertThat(found.wrong()).isEqualTo(4);
    }

    @Test
    void anAlgorithmIsJudgedByItsBestCall() {
        assertThat(BandwidthVerdict.of(15, HARDWARE, List.of(ran("Ring", 1000), ran("Ring", 100))))
                .isEqualTo(new BandwidthVerdict(
                        true, "@MinBusBandwidth(15.0) was met by all algorithms that were measured"));
    }

    @Test
    void everyAlgorithmMustReachTheBandwidth() {
        BandwidthVerdict verdict =
                BandwidthVerdict.of(15, HARDWARE, List.of(ran("Ring", 100), ran("Tree", 200), ran("Tree", 150)));

        assertThat(verdict.met()).isFalse();
        assertThat(verdict.text())
                .isEqualTo(
                        "@MinBusBandwidth(15.0) asks for 15.0 GB/s, and Tree reached at best 10.000 GB/s (all-reduce of"
                                + " 1,000,000 bytes of float32 in 150.00 us)");
    }

    @Test
    void onASimulatorNothingIsJudged() {
        assertThat(BandwidthVerdict.of(15, SIMULATOR, List.of(ran("Ring", 1e6))))
                .isEqualTo(new BandwidthVerdict(true, "@MinBusBandwidth(15.0) was not judged on a2a3sim"));
    }

    @ParameterizedTest
    @EnumSource(Platform.class)
    void aTestThatMeasuredNothingFailsEverywhere(Platform platform) {
        BandwidthVerdict verdict = BandwidthVerdict.of(15, platform, List.of(ran("Barrier", "barrier", 0, 5)));

        assertThat(verdict.met()).isFalse();
        assertThat(verdict.text()).contains("the test measured none", "MeasuredCollective.time");
    }
}
