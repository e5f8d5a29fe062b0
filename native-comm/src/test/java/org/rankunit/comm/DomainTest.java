package org.rankunit.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.comm.recorder.RecordedOperation;
import org.rankunit.device.Device;

/** Domains of ranks that are threads of this process. */
@Tag("unit")
@Timeout(30)
class DomainTest {

    @TempDir
    Path folder;

    private final Device device = Device.open("a2a3sim", 0);

    @AfterEach
    void closeDevice() {
        device.close();
    }

    private void run(int worldSize, Consumer<Communicator> body) throws Exception {
        List<CompletableFuture<Void>> ranks = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            CommunicatorConfig config = RankScenario.config(rank, worldSize, folder.resolve("root"));
            ranks.add(CompletableFuture.runAsync(
                    () -> {
                        try (Communicator comm = Communicator.open(config, device)) {
                            body.accept(comm);
                            comm.barrier();
                        }
                    },
                    task -> new Thread(task).start()));
        }
        for (CompletableFuture<Void> rank : ranks) {
            rank.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void itsRanksHaveWindowsOfTheirOwnAndTheOthersNeedNotKnow() throws Exception {
        run(4, comm -> {
            if (comm.rank() == 1) {
                return;
            }
            try (Domain domain = comm.domain(100, 3, 0, 2)) {
                assertThat(domain.worldSize()).isEqualTo(3);
                assertThat(domain.communicatorRank(domain.rank())).isEqualTo(comm.rank());
                assertThat(domain.windowSize()).isGreaterThanOrEqualTo(100);
                domain.window((domain.rank() + 1) % 3).putInt(0, comm.rank());
                domain.barrier();
                int before = domain.communicatorRank((domain.rank() + 2) % 3);
                assertThat(domain.window(domain.rank()).getInt(0)).isEqualTo(before);
                assertThat(comm.window(comm.rank()).getInt(0)).isZero();
                domain.barrier();
            }
        });
    }

    @Test
    void theSameRanksMayMakeSeveralOneAfterAnotherAndAtTheSameTime() throws Exception {
        run(2, comm -> {
            try (Domain first = comm.domain(64, 0, 1);
                    Domain second = comm.domain(64, 0, 1);
                    Domain other = comm.domain(64, 1, 0)) {
                first.window(first.rank()).putInt(0, 1);
                assertThat(second.window(second.rank()).getInt(0)).isZero();
                assertThat(other.rank()).isEqualTo(1 - comm.rank());
                second.barrier();
            }
            for (int i = 0; i < 50; i++) {
                comm.domain(64, 0, 1).close();
            }
        });
    }

    @Test
    void aDerivedOneLiesOverAPartOfTheBaseWindows() throws Exception {
        run(3, comm -> {
            if (comm.rank() != 0) {
                try (Domain domain = comm.derive(1024, 512, 2, 1)) {
                    domain.window(domain.rank()).putInt(0, 7);
                    assertThat(domain.windowSize()).isEqualTo(512);
                    assertThat(comm.window(comm.rank()).getInt(1024)).isEqualTo(7);
                    assertThat(domain.deviceContext()).isNotEqualTo(comm.deviceContext());
                    assertThat(catchThrowableOfType(CommException.class, domain::barrier))
                            .hasMessageContaining("has no barrier; use the communicator's");
                }
            }
        });
    }

    @Test
    void mistakesAreToldBeforeAnybodyWaits() throws Exception {
        run(2, comm -> {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> comm.domain(64, 1 - comm.rank()))
                    .withMessage("this is rank " + comm.rank() + ", which is not among the ranks [" + (1 - comm.rank())
                            + "]");
            assertThatIllegalArgumentException().isThrownBy(() -> comm.domain(0, 0, 1));
            assertThat(catchThrowableOfType(CommException.class, () -> comm.domain(64, 0, 1, 7)))
                    .hasMessageContaining("rank_count = 3 is not in [1, nranks = 2]");
            assertThat(catchThrowableOfType(CommException.class, () -> comm.derive(4000, 97, comm.rank())))
                    .hasMessageContaining("window_offset = 4000, window_size = 97: not a part of a window, which has"
                            + " 4096 bytes");
        });
    }

    @Test
    void whatItsRanksWaitForIsRecordedWithTheLineOfTheCaller() throws Exception {
        run(2, comm -> {
            try (Domain first = comm.domain(64, 1, 0);
                    Domain second = comm.domain(64, 1, 0)) {
                second.barrier();
                first.barrier();
                first.barrier();
            }
            assertThat(comm.recorder().operations())
                    .extracting(o -> o.kind().text(), RecordedOperation::domain, RecordedOperation::number)
                    .containsExactly(
                            tuple("allocation", 1, 1L),
                            tuple("allocation", 2, 1L),
                            tuple("barrier", 2, 1L),
                            tuple("barrier", 1, 1L),
                            tuple("barrier", 1, 2L),
                            tuple("release", 2, 1L),
                            tuple("release", 1, 1L));
            assertThat(comm.recorder().operations())
                    .allSatisfy(o -> assertThat(o.peers()).containsExactly(1, 0));
        });
    }

    @Test
    void aWaitThatIsAbortedIsRecordedWithTheLineOfItsCaller() {
        try (Communicator comm = Communicator.open(RankScenario.config(0, 1, folder.resolve("root")), device)) {
            Domain domain = comm.domain(64, 0);
            comm.abort(0, "enough");
            assertThat(catchThrowableOfType(CommAbortedException.class, domain::barrier))
                    .hasMessageContaining("enough");

            List<RecordedOperation> operations = comm.recorder().operations();
            RecordedOperation last = operations.get(operations.size() - 1);
            assertThat(last.state()).isEqualTo(RecordedOperation.State.RELEASED);
            assertThat(last.callers())
                    .noneSatisfy(frame -> assertThat(frame.getFileName())
                            .isIn("Domain.java", "DomainOperations.java", "FlightRecorder.java", "CommCalls.java"));
        }
    }

    @Test
    void afterItsEndItIsOfNoUse() throws Exception {
        run(2, comm -> {
            Domain domain = comm.domain(64, 0, 1);
            WindowView window = domain.window(0);
            domain.close();
            domain.close();

            assertThatIllegalStateException()
                    .isThrownBy(() -> window.getInt(0))
                    .withMessage("the domain of ranks [0, 1] is closed");
            assertThatIllegalStateException().isThrownBy(domain::barrier);
        });
    }

    @Test
    void theEndOfTheCommunicatorIsTheEndOfItsDomains() throws Exception {
        List<Domain> left = new ArrayList<>();
        run(2, comm -> {
            Domain domain = comm.domain(64, 0, 1);
            synchronized (left) {
                left.add(domain);
            }
        });

        assertThat(left)
                .hasSize(2)
                .allSatisfy(domain -> assertThatIllegalStateException().isThrownBy(() -> domain.window(0)));
        left.forEach(Domain::close);
    }
}
