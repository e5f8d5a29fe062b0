package org.rankunit.collective.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.mesh.AllGatherMeshOpbaseExecutor;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.verify.finding.Finding;
import org.rankunit.collective.verify.finding.FindingKind;

/** What is found if the author of an algorithm makes a mistake. */
@Tag("unit")
class MeshAllGatherMistakesTest {

    private static final CollectiveCall CALL =
            CollectiveCall.of(Collective.ALL_GATHER, 4, DType.FLOAT32, 64).withMemory(MemoryMode.SINGLE_OPERATOR, 4096);

    private final Schedule mesh = Schedule.withLines(new AllGatherMeshOpbaseExecutor(), CALL);

    private static List<FindingKind> kinds(Verification found) {
        return found.findings().stream().map(Finding::kind).distinct().toList();
    }

    private static String text(Verification found, FindingKind kind) {
        return found.findings().stream()
                .filter(finding -> finding.kind() == kind)
                .findFirst()
                .orElseThrow()
                .toString();
    }

    @Test
    void aMissingAckIsADeadlockThatNamesIt() {
        Verification found = Verifier.verify(Broken.without(mesh, 0, Broken.isPost(Signal.ACK)));

        assertThat(kinds(found)).containsOnly(FindingKind.DEADLOCK);
        assertThat(text(found, FindingKind.DEADLOCK))
                .contains("nothing posts ACK from rank 0 to rank 3")
                .contains("WAIT for ACK from rank 0 to rank 3, task 2 of sub stream 2 of rank 3")
                .containsPattern("AllGatherMeshOpbaseExecutor.java:\\d+");
    }

    @Test
    void aRankThatDoesNotWaitForAckReadsTooEarly() {
        Verification found = Verifier.verify(Broken.without(mesh, 0, Broken.isWait(Signal.ACK)));

        assertThat(kinds(found))
                .contains(FindingKind.RACE, FindingKind.INCOMPLETE_EXCHANGE, FindingKind.NOTIFY_POSTED_TWICE);
        assertThat(text(found, FindingKind.RACE))
                .contains("ccl_out[")
                .contains("GET ccl_out")
                .contains("COPY input");
        assertThat(text(found, FindingKind.INCOMPLETE_EXCHANGE))
                .contains("data moves before Ack of the other end was awaited");
    }

    @Test
    void withoutBothAcksOnlyTheRaceIsLeft() {
        Schedule one = Broken.without(mesh, 0, Broken.isWait(Signal.ACK).and(Broken.withPeer(1)));
        Schedule both = Broken.without(one, 1, Broken.isPost(Signal.ACK).and(Broken.withPeer(0)));

        assertThat(kinds(Verifier.verify(both))).contains(FindingKind.RACE).doesNotContain(FindingKind.DEADLOCK);
    }

    @Test
    void aMissingDataSignalIsADeadlock() {
        Verification found = Verifier.verify(Broken.without(mesh, 2, Broken.isPost(Signal.DATA_SIGNAL)));

        assertThat(kinds(found)).contains(FindingKind.DEADLOCK, FindingKind.INCOMPLETE_EXCHANGE);
        assertThat(text(found, FindingKind.DEADLOCK)).contains("nothing posts DATA_SIGNAL from rank 2 to rank 1");
    }

    @Test
    void aRankThatDoesNotWaitForDataSignalLetsOthersReadWhatItWritesNext() {
        Verification found = Verifier.verify(Broken.without(mesh, 2, Broken.isWait(Signal.DATA_SIGNAL)));

        assertThat(kinds(found)).contains(FindingKind.NOTIFY_POSTED_TWICE, FindingKind.RACE);
    }

    @Test
    void aSubStreamThatIsNotAwaitedIsFound() {
        Verification found = Verifier.verify(Broken.changed(mesh, 1, tasks -> {
            for (int i = tasks.size() - 1; i >= 0; i--) {
                if (tasks.get(i).kind() == TaskKind.WAIT && tasks.get(i).stream() == 0) {
                    tasks.remove(i);
                    return tasks;
                }
            }
            return tasks;
        }));

        assertThat(kinds(found)).contains(FindingKind.NOT_JOINED);
        assertThat(text(found, FindingKind.NOT_JOINED)).contains("the main stream of rank 1 does not wait");
    }

    @Test
    void peersInTheWrongOrderWaitInACircle() {
        Verification found = Verifier.verify(new OnOneStream(), CALL);

        assertThat(kinds(found)).containsOnly(FindingKind.DEADLOCK);
        assertThat(text(found, FindingKind.DEADLOCK)).contains("4 streams wait in a cycle");
    }

    @Test
    void aSliceInTheWrongPlaceIsAWrongResult() {
        Verification found = Verifier.verify(Broken.changed(mesh, 3, tasks -> {
            List<Integer> gets = IntStream.range(0, tasks.size())
                    .filter(i -> tasks.get(i).kind() == TaskKind.GET)
                    .boxed()
                    .toList();
            Collections.swap(tasks, gets.get(0), gets.get(1));
            return tasks;
        }));

        assertThat(found.isCorrect()).isFalse();
    }

    @Test
    void aWriteToAnotherServerNeedsDataAck() {
        CollectiveCall call =
                CollectiveCall.of(Collective.ALL_REDUCE, 4, DType.FLOAT32, 64).withRanksPerServer(1);
        Schedule ring = Schedule.withLines(new RingAllReduce(), call);

        assertThat(Verifier.verify(ring).findings()).isEmpty();
        Verification found = Verifier.verify(Broken.without(ring, 0, Broken.isWait(Signal.DATA_ACK)));

        assertThat(kinds(found)).contains(FindingKind.INCOMPLETE_EXCHANGE, FindingKind.NOTIFY_POSTED_TWICE);
        assertThat(text(found, FindingKind.INCOMPLETE_EXCHANGE)).contains("no DataAck is awaited");
    }

    @Test
    void withoutAnyDataAckTheSourceIsWrittenWhileItIsSent() {
        CollectiveCall call =
                CollectiveCall.of(Collective.ALL_REDUCE, 3, DType.FLOAT32, 64).withRanksPerServer(1);
        Schedule ring = Schedule.withLines(new RingAllReduce(), call);
        for (int rank = 0; rank < 3; rank++) {
            ring = Broken.changed(ring, rank, tasks -> {
                tasks.removeIf(Broken.isPost(Signal.DATA_ACK).or(Broken.isWait(Signal.DATA_ACK)));
                return tasks;
            });
        }

        assertThat(kinds(Verifier.verify(ring))).contains(FindingKind.INCOMPLETE_EXCHANGE, FindingKind.NOT_JOINED);
    }

    /** Exchanges with all others on one stream, each rank with the one before it first. */
    private static final class OnOneStream implements CollectiveAlgorithm {

        @Override
        public Collective collective() {
            return Collective.ALL_GATHER;
        }

        @Override
        public Resources resources(CollectiveCall call, int rank) {
            return Resources.onMainStream(IntStream.range(0, call.ranks())
                    .filter(peer -> peer != rank)
                    .boxed()
                    .toList());
        }

        @Override
        public void orchestrate(Orchestration self) {
            CollectiveCall call = self.call();
            TaskStream main = self.main();
            Region own = self.buffer(BufferKind.CCL_OUT)
                    .part(0, call.partOf(self.rank()).bytes());
            main.copy(self.input(), own);
            main.copy(own, self.output().part(call.partOf(self.rank())));
            for (int k = 1; k < call.ranks(); k++) {
                int peer = Math.floorMod(self.rank() - k, call.ranks());
                Link link = self.link(peer);
                Region theirs = self.buffer(BufferKind.CCL_OUT, peer)
                        .part(0, call.partOf(peer).bytes());
                main.txAck(link);
                main.rxAck(link);
                main.get(link, theirs, self.output().part(call.partOf(peer)));
                main.txDataSignal(link);
                main.rxDataSignal(link);
            }
        }
    }
}
