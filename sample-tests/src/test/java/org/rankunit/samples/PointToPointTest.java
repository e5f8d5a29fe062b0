package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.comm.CommError;
import org.rankunit.comm.CommException;
import org.rankunit.distributed.Distributed;
import org.rankunit.distributed.GroupTensor;
import org.rankunit.distributed.P2POp;
import org.rankunit.distributed.ProcessGroup;
import org.rankunit.distributed.Work;

/** Messages between two ranks, and the barrier that says who is missing. */
@Tag("downstream")
@DeviceCount({2, 4})
@Platforms("a2a3sim")
class PointToPointTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    /** Long enough for members that come at the same time, on a busy machine. */
    private static final Duration SHORT = Duration.ofMillis(500);

    /** Element i of member r is 1000 r + i + first. */
    private static GroupTensor tensor(ProcessGroup dist, int partCount, int first) {
        int[] data = new int[dist.worldSize() * partCount];
        for (int i = 0; i < data.length; i++) {
            data[i] = (1000 * Math.floorDiv(i, Math.max(1, partCount))) + (i % Math.max(1, partCount)) + first;
        }
        GroupTensor tensor = dist.zeros(DType.INT32, partCount);
        tensor.copyFrom(Values.int32(data));
        return tensor;
    }

    private static void assertPart(GroupTensor tensor, int member, int firstOfSender) {
        int[] all = tensor.read().toInts();
        for (int i = 0; i < tensor.partCount(); i++) {
            assertThat(all[(member * tensor.partCount()) + i]).isEqualTo(firstOfSender + i);
        }
    }

    /** Also of no elements, and of more than are passed at once. */
    @Test
    void messagesArriveInTheOrderInWhichTheyWereSent(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int last = dist.worldSize() - 1;
            List<GroupTensor> tensors = new ArrayList<>();
            for (int count : new int[] {3, 0, 100_000, 3}) {
                tensors.add(tensor(dist, count, 10 * tensors.size()));
            }
            List<Work> works = new ArrayList<>();
            if (dist.getRank() == 0) {
                tensors.forEach(each -> works.add(dist.isend(each, last)));
                assertThat(works).noneMatch(Work::isCompleted);
                assertThat(works.get(0).await(Duration.ofNanos(1))).isFalse();
            }
            // A collective meanwhile; nobody has asked for the messages yet.
            GroupTensor sum = tensor(dist, 1, 0);
            dist.allReduce(sum);
            if (dist.getRank() == last) {
                tensors.forEach(each -> works.add(dist.irecv(each, 0)));
            }
            works.forEach(Work::await);
            assertThat(works).allMatch(Work::isCompleted);
            for (int i = 0; i < tensors.size(); i++) {
                assertPart(tensors.get(i), last, 10 * i);
            }
        }
    }

    @Test
    void theOrderOfABatchDoesNotMatter(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int n = dist.worldSize();
            int own = dist.getRank();
            GroupTensor sent = tensor(dist, 20_000, 0);
            GroupTensor received = dist.zeros(DType.INT32, 20_000);
            P2POp send = P2POp.isend(sent, (own + 1) % n);
            P2POp receive = P2POp.irecv(received, (own + n - 1) % n);
            List<List<P2POp>> orders = List.of(List.of(send, receive), List.of(receive, send));
            for (int round = 0; round < 4; round++) {
                List<Work> works = dist.batchIsendIrecv(orders.get(round < 2 ? round : (round + own) % 2));
                assertThat(works).hasSize(2);
                works.forEach(Work::await);
            }
            assertPart(received, own, 1000 * ((own + n - 1) % n));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dist.batchIsendIrecv(List.of()))
                    .withMessage("a batch has at least one operation");
            // Nothing of such a batch is started: the next message is another one.
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dist.batchIsendIrecv(List.of(send, P2POp.isend(sent, n))))
                    .withMessage("peer = " + n + ": members are 0 to " + (n - 1));
            GroupTensor one = tensor(dist, 1, 7);
            GroupTensor other = dist.zeros(DType.INT32, 1);
            dist.batchIsendIrecv(List.of(P2POp.isend(one, (own + 1) % n), P2POp.irecv(other, (own + n - 1) % n)))
                    .forEach(Work::await);
            assertPart(other, own, (1000 * ((own + n - 1) % n)) + 7);
        }
    }

    @Test
    void bothEndsSayWhatDoesNotMatch(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            GroupTensor four = tensor(dist, 4, 0);
            GroupTensor three = dist.zeros(DType.INT32, 3);
            GroupTensor floats = dist.zeros(DType.FLOAT32, 4);
            GroupTensor received = dist.zeros(DType.INT32, 4);
            if (dist.getRank() == 0) {
                Work first = dist.isend(four, 1);
                Work second = dist.isend(four, 1);
                dist.send(four, 1);
                assertMismatch(
                        first,
                        "isend of 4 int32 to member 1: this member (0) sent 4 int32, but member 1 receives 3 int32");
                assertMismatch(
                        second,
                        "isend of 4 int32 to member 1: this member (0) sent 4 int32, but member 1 receives 4 float32");
            } else if (dist.getRank() == 1) {
                assertMismatch(
                        dist.irecv(three, 0),
                        "irecv of 3 int32 from member 0: member 0 sent 4 int32, but this member (1) receives 3 int32");
                assertMismatch(
                        dist.irecv(floats, 0),
                        "irecv of 4 float32 from member 0: member 0 sent 4 int32, but this member (1) receives 4"
                                + " float32");
                dist.recv(received, 0);
            }
            assertPart(received, 1, 0);
        }
    }

    private static void assertMismatch(Work work, String message) {
        assertThatExceptionOfType(CommException.class)
                .isThrownBy(work::await)
                .withMessage(message)
                .satisfies(e -> assertThat(e.error()).isEqualTo(CommError.MISMATCH));
    }

    /** Its members have their numbers in the group, and its messages are not those of the world. */
    @Test
    void aGroupOfSomeHasItsOwnMessages(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int last = dist.worldSize() - 1;
            GroupTensor inWorld = tensor(dist, 2, 5);
            GroupTensor fromWorld = dist.zeros(DType.INT32, 2);
            try (ProcessGroup some = dist.newGroup(List.of(last, 0))) {
                assertThat(some.getRank()).isEqualTo(rank.rank() == last ? 0 : rank.rank() == 0 ? 1 : -1);
                GroupTensor inSome = tensor(some, 2, 0);
                GroupTensor fromSome = some.zeros(DType.INT32, 2);
                if (some.getRank() == 1) {
                    List<Work> works = List.of(some.isend(inSome, 0), dist.isend(inWorld, last));
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> some.isend(inSome, 1))
                            .withMessage("peer = 1: a member sends no messages to itself");
                    works.forEach(Work::await);
                } else if (some.getRank() == 0) {
                    dist.recv(fromWorld, 0);
                    some.recv(fromSome, 1);
                } else {
                    assertThatIllegalStateException()
                            .isThrownBy(() -> some.irecv(inSome, 0))
                            .withMessage("irecv on rank " + rank.rank()
                                    + " of the test, which is not one of the ranks [" + last + ", 0] of the group");
                    assertThatIllegalStateException().isThrownBy(() -> some.monitoredBarrier(LONG));
                }
                assertPart(fromSome, 0, 1000);
                assertPart(fromWorld, last, 5);
                if (some.getRank() >= 0) {
                    some.monitoredBarrier(LONG, true);
                }
            }
        }
    }

    @Test
    void peersAreOtherMembers(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            GroupTensor tensor = tensor(dist, 1, 0);
            int n = dist.worldSize();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dist.isend(tensor, -1))
                    .withMessage("peer = -1: members are 0 to " + (n - 1));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dist.irecv(tensor, n))
                    .withMessage("peer = " + n + ": members are 0 to " + (n - 1));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> dist.irecv(tensor, rank.rank()))
                    .withMessage("peer = " + rank.rank() + ": a member sends no messages to itself");
        }
    }

    /** Every member hears who was missing: those that came, and those that come too late. Then all can meet again. */
    @Test
    void theMonitoredBarrierNamesWhoIsMissing(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int n = dist.worldSize();
            int own = dist.getRank();
            dist.monitoredBarrier(LONG);
            boolean comes = own == 0 || own == 2;
            String named = n == 2 ? "member 1 has" : "members 1, 3 have";
            String here = n == 2 ? "member 0 has" : "members 0, 2 have";
            String all = "monitoredBarrier of " + n + " members: " + named + " not come within 500 ms; " + here;
            if (comes) {
                assertMissing(() -> dist.monitoredBarrier(SHORT, true), all);
            }
            dist.barrier();
            if (!comes) {
                assertMissing(() -> dist.monitoredBarrier(LONG), "member " + own + " has come too late: " + all);
            }
            dist.monitoredBarrier(LONG);

            if (comes) {
                assertMissing(
                        () -> dist.monitoredBarrier(SHORT),
                        "monitoredBarrier of " + n
                                + " members: member 1 has not come within 500 ms; waitAllRanks = true"
                                + " names all that have not");
            }
            dist.barrier();
        }
    }

    /** Without member 0, the others know only that; and it hears of them when it comes. */
    @Test
    void theMonitoredBarrierNeedsItsFirstMember(RankContext rank) {
        try (ProcessGroup dist = Distributed.initProcessGroup(rank)) {
            int n = dist.worldSize();
            if (dist.getRank() > 0) {
                assertMissing(
                        () -> dist.monitoredBarrier(SHORT),
                        "monitoredBarrier of " + n
                                + " members: member 0, which leads, has not come within 500 ms, so it"
                                + " is not known who else is missing");
            }
            dist.barrier();
            if (dist.getRank() == 0) {
                assertMissing(
                        () -> dist.monitoredBarrier(LONG),
                        "monitoredBarrier of " + n + " members: "
                                + (n == 2 ? "member 1 has" : "members 1, 2, 3 have")
                                + " given up before member 0 came");
            }
            dist.barrier();
            dist.monitoredBarrier(LONG);
        }
    }

    private static void assertMissing(Runnable barrier, String message) {
        assertThatExceptionOfType(CommException.class)
                .isThrownBy(barrier::run)
                .withMessage(message)
                .satisfies(e -> assertThat(e.error()).isEqualTo(CommError.TIMEOUT));
    }
}
