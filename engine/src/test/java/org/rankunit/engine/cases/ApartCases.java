package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;
import org.rankunit.Values;

/** Tests whose ranks have no communicator. */
@DeviceCount(value = 2, communicator = false)
@Buffer(name = "x", type = DType.INT32, count = 4)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public final class ApartCases {

    @Test
    @Order(1)
    void haveTheirDevices(RankContext rank) {
        Notes.add("device " + rank.deviceId() + " of " + rank.worldSize() + " ranks");
        rank.buffer("x").write(Values.int32(1, 2, 3, rank.rank()));

        assertThat(rank.buffer("x").read()).isEqualTo(Values.int32(1, 2, 3, rank.rank()));
        rank.device().createStream().close();
    }

    @Test
    @Order(2)
    void haveNoCommunicator(RankContext rank) throws IOException {
        for (ThrowingCallable call : new ThrowingCallable[] {
            rank::communicator,
            rank::peers,
            rank::semaphoreBase,
            rank::barrier,
            () -> rank.barrier(Duration.ofSeconds(1))
        }) {
            assertThatThrownBy(call)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("this test has no communicator, and therefore no windows, barriers or peers:"
                            + " @DeviceCount(communicator = false) leaves it out. Remove communicator = false from the"
                            + " test or its class.");
        }
        Notes.add("windows " + hasWindows());
    }

    @Test
    @Order(3)
    @DeviceCount(2)
    void haveOneIfTheMethodSaysSo(RankContext rank) throws IOException {
        rank.barrier();
        Notes.add("windows " + hasWindows());
    }

    private static boolean hasWindows() throws IOException {
        return Files.readString(Path.of("/proc/self/maps")).contains("memfd:rankunit-");
    }

    /** The second begins on no rank before the first has ended on all. */
    @ParameterizedTest
    @ValueSource(strings = {"first", "second"})
    @Order(4)
    void goInStep(String which, RankContext rank) throws IOException {
        Path folder = Path.of(rank.parameter("folder").orElseThrow());
        for (int each = 0; each < rank.worldSize() && which.equals("second"); each++) {
            assertThat(folder.resolve("first-" + each)).exists();
        }
        Files.createFile(folder.resolve(which + "-" + rank.rank()));
    }

    @Test
    @Order(5)
    void failOnOne(RankContext rank) {
        assertThat(rank.rank()).isZero();
    }

    @Test
    @Order(6)
    void failWhenTheyAskForIt(RankContext rank) {
        rank.barrier();
    }

    @Test
    @Order(7)
    void loseOne(RankContext rank) {
        if (rank.rank() == 1) {
            Runtime.getRuntime().halt(7);
        }
    }

    @Test
    @Order(8)
    void thenPass(RankContext rank) {
        assertThat(rank.worldSize()).isEqualTo(2);
    }
}
