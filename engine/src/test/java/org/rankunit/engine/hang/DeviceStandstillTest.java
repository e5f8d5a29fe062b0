package org.rankunit.engine.hang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.hang.HangSummary.Position;
import org.rankunit.engine.protocol.CommOperation;
import org.rankunit.engine.protocol.FromRank.DeviceWaits;

@Tag("unit")
class DeviceStandstillTest {

    private final SortedMap<Integer, Position> positions = new TreeMap<>();
    private final SortedMap<Integer, DeviceWaits> devices = new TreeMap<>();
    private final DeviceStandstill standstill = new DeviceStandstill();

    private void waits(int rank, long changes) {
        List<String> texts = List.of("the host waits for stream 1");
        positions.put(rank, new Position.There("A.java:1", List.of(), texts));
        devices.put(rank, new DeviceWaits(false, true, changes, texts));
    }

    private void computes(int rank) {
        positions.put(rank, new Position.There("A.java:2", List.of()));
        devices.put(rank, new DeviceWaits(false, false, 0, List.of()));
    }

    private void outside(int rank, boolean deviceWorks) {
        positions.put(rank, new Position.Outside("{has} ended {its} tests", List.of()));
        devices.put(rank, new DeviceWaits(deviceWorks, false, 0, List.of()));
    }

    private void inBarrier(int rank, boolean limited) {
        CommOperation barrier =
                new CommOperation("barrier", 1, 0, List.of(), 0, limited, CommOperation.ENTERED, 1000, "A.java:3");
        positions.put(rank, new Position.There("A.java:3", List.of(barrier)));
        devices.put(rank, new DeviceWaits(false, false, 0, List.of()));
    }

    private boolean heard() {
        return standstill.heard(positions, devices);
    }

    private boolean isProvenByTwoRounds() {
        boolean byOne = heard();
        boolean byTwo = heard();
        return byOne || byTwo;
    }

    @Test
    void oneRoundIsASuspicionAndTwoAlikeAreAProof() {
        waits(0, 7);
        waits(1, 3);

        assertThat(heard()).isFalse();
        assertThat(standstill.isSuspected()).isTrue();
        assertThat(heard()).isTrue();
    }

    @Test
    void aChangeOfOneDeviceBeginsAnew() {
        waits(0, 7);
        waits(1, 3);
        heard();
        waits(1, 5);

        assertThat(heard()).isFalse();
        assertThat(heard()).isTrue();
    }

    @Test
    void soDoesAnythingElseThatHappens() {
        waits(0, 7);
        heard();
        standstill.disturbed();

        assertThat(heard()).isFalse();
    }

    @Test
    void aRankThatComputesMayStillEndTheWait() {
        waits(0, 7);
        computes(1);

        assertThat(isProvenByTwoRounds()).isFalse();
        assertThat(standstill.isSuspected()).isFalse();
    }

    @Test
    void aRankThatHasEndedTheTestMayOnlyIfItsDeviceStillWorks() {
        waits(0, 7);
        outside(1, true);
        assertThat(isProvenByTwoRounds()).isFalse();

        outside(1, false);
        assertThat(isProvenByTwoRounds()).isTrue();
    }

    @Test
    void aRankInABarrierMayNotUnlessItsWaitIsLimited() {
        waits(0, 7);
        inBarrier(1, true);
        assertThat(isProvenByTwoRounds()).isFalse();

        inBarrier(1, false);
        assertThat(isProvenByTwoRounds()).isTrue();
    }

    @Test
    void ranksThatWaitForNoDeviceAreNotItsConcern() {
        inBarrier(0, false);
        outside(1, false);

        assertThat(isProvenByTwoRounds()).isFalse();
    }
}
