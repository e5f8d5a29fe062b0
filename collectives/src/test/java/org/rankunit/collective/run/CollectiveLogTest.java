package org.rankunit.collective.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DType;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.algorithms.tree.TreeAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.CommunicatorConfig;
import org.rankunit.comm.Rendezvous;
import org.rankunit.device.Device;

/** What a log has of the plans that a communicator of one rank runs. */
@Tag("unit")
class CollectiveLogTest {

    private static final CollectiveCall CALL = CollectiveCall.of(Collective.ALL_REDUCE, 1, DType.FLOAT32, 16);

    @TempDir
    Path folder;

    @AfterEach
    void noLogIsLeftOpen() {
        CollectiveLog.open(0).close();
    }

    @Test
    void runsOfOneTagAlgorithmAndCallAreCountedTogether() {
        alone(comm -> {
            CollectiveLog log = CollectiveLog.open(10);
            try (Collectives collectives = new Collectives(comm);
                    CollectivePlan other = CollectivePlan.of(comm, new TreeAllReduce(), CALL);
                    CollectivePlan same = CollectivePlan.of(comm, new TreeAllReduce(), CALL)) {
                for (int i = 0; i < 3; i++) {
                    collectives.run("gradients", new RingAllReduce(), CALL, 0, 1024);
                }
                other.run(0, 1024);
                same.run(0, 1024);
            }

            assertThat(log.uses())
                    .extracting(
                            CollectiveUse::tag, use -> use.algorithm().name(), CollectiveUse::call, CollectiveUse::runs)
                    .containsExactly(
                            tuple("gradients", "RingAllReduce", CALL, 3L), tuple("", "TreeAllReduce", CALL, 2L));
            assertThat(log.uses()).allMatch(use -> use.tasks() > 0);
        });
    }

    @Test
    void aPlanThatIsNotRunIsNotInTheLog() {
        alone(comm -> {
            CollectiveLog log = CollectiveLog.open(10);
            CollectivePlan.of(comm, new RingAllReduce(), CALL).close();

            assertThat(log.uses()).isEmpty();
        });
    }

    @Test
    void aPlanIsCountedInTheLogThatIsOpenWhenItRuns() {
        alone(comm -> {
            try (CollectivePlan plan = CollectivePlan.of(comm, new RingAllReduce(), CALL)) {
                CollectiveLog first = CollectiveLog.open(10);
                plan.run(0, 1024);
                CollectiveLog second = CollectiveLog.open(10);
                plan.run(0, 1024);
                plan.run(0, 1024);
                second.close();
                plan.run(0, 1024);

                assertThat(first.uses()).extracting(CollectiveUse::runs).containsExactly(1L);
                assertThat(second.uses()).extracting(CollectiveUse::runs).containsExactly(2L);
            }
        });
    }

    @Test
    void plansBeyondTheMostAreOnlyCounted() {
        alone(comm -> {
            CollectiveLog log = CollectiveLog.open(1);
            try (Collectives collectives = new Collectives(comm)) {
                for (int count = 1; count <= 3; count++) {
                    CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 1, DType.FLOAT32, count);
                    collectives.run("", new RingAllReduce(), call, 0, 1024);
                    collectives.run("", new RingAllReduce(), call, 0, 1024);
                }
            }

            assertThat(log.uses()).extracting(CollectiveUse::runs).containsExactly(2L);
            assertThat(log.leftOut()).isEqualTo(2);
        });
    }

    @Test
    void aRunThatFailsIsCounted() {
        alone(comm -> {
            CollectiveLog log = CollectiveLog.open(10);
            CollectivePlan plan = CollectivePlan.of(comm, new RingAllReduce(), CALL);
            plan.close();
            assertThatIllegalStateException().isThrownBy(() -> plan.run(0, 1024));

            assertThat(log.uses()).extracting(CollectiveUse::runs).containsExactly(1L);
        });
    }

    private void alone(Consumer<Communicator> test) {
        CommunicatorConfig config =
                new CommunicatorConfig(0, 1, new Rendezvous.File(folder.resolve("root")), 4096, Duration.ofSeconds(10));
        try (Device device = Device.open("a2a3sim", 0);
                Communicator comm = Communicator.open(config, device)) {
            test.accept(comm);
        }
    }
}
