package org.rankunit.distributed.p2p;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.CommAbortedException;
import org.rankunit.comm.CommError;
import org.rankunit.comm.CommException;
import org.rankunit.device.DeviceException;
import org.rankunit.distributed.device.DeviceMembers;
import org.rankunit.distributed.p2p.Absences.Answer;
import org.rankunit.distributed.p2p.ControlMessage.Kind;

/**
 * A barrier that names the members that have not come. Member 0 leads: it says that it is there, waits for all others, and tells those
 * that have come how it ended. A member that comes after that is told so, so that the next barrier is one of all members again.
 *
 * <p>Threads: one at a time is in the barrier; others wait.
 */
final class MonitoredBarrier {

    static final int LEADER = 0;

    /** For what the leader says after its own time-out. */
    private static final Duration TO_TELL = Duration.ofSeconds(10);

    private final DeviceMembers members;
    private final Map<Integer, Outbox> outboxes;
    private final Map<Integer, Inbox> inboxes;

    /** What the leader has said of the next barrier while this member waited for the end of the one before, to which it came too late. */
    private final Deque<ControlMessage> early = new ArrayDeque<>();

    /** Channels between the leader and the others. */
    MonitoredBarrier(DeviceMembers members, Map<Integer, Outbox> outboxes, Map<Integer, Inbox> inboxes) {
        this.members = members;
        this.outboxes = outboxes;
        this.inboxes = inboxes;
    }

    /**
     * Wait until all members have called this.
     *
     * @param timeout how long this member waits for others; all members are given the same
     * @param waitAllRanks whether the error names all members that are missing, or the first of them only
     * @throws CommException with {@link CommError#TIMEOUT} on all members that have called this if others have not
     * @throws CommAbortedException at once if the communicator of the ranks was aborted, with the rank that is to blame
     */
    synchronized void await(Duration timeout, boolean waitAllRanks) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout = " + timeout + " is not positive");
        }
        if (members.own() == LEADER) {
            lead(timeout, waitAllRanks);
        } else {
            follow(timeout);
        }
    }

    private void lead(Duration timeout, boolean waitAllRanks) {
        long begin = System.nanoTime();
        Map<Integer, CompletableFuture<ControlMessage>> answers = new TreeMap<>();
        outboxes.keySet().forEach(member -> {
            tell(member, new ControlMessage(Kind.HERE, timeout));
            answers.put(member, hear(member));
        });
        Absences absences = new Absences(this::names, members.size(), timeout);
        answers.forEach((member, answer) -> {
            Answer heard = within(timeout.minusNanos(System.nanoTime() - begin), member, answer);
            absences.add(member, heard);
        });
        String failure = absences.text(waitAllRanks);
        ControlMessage end = new ControlMessage(failure.isEmpty() ? Kind.PASSED : Kind.FAILED, timeout, failure);
        answers.forEach((member, answer) -> {
            boolean isLate = absences.isMissing(member);
            ControlMessage told = isLate ? end.with(names(List.of(member)) + " has come too late: " + failure) : end;
            // At once if it has come, else when it comes. One that gave up is told nothing.
            unawaited(answer.thenAccept(heard -> {
                if (heard.kind() == Kind.ARRIVED) {
                    tell(member, told);
                }
            }));
        });
        if (!failure.isEmpty()) {
            throw new CommException(CommError.TIMEOUT, failure);
        }
    }

    private void follow(Duration timeout) {
        CompletableFuture<ControlMessage> hello =
                early.isEmpty() ? hear(LEADER) : CompletableFuture.completedFuture(early.removeFirst());
        String barrier = "monitoredBarrier of " + members.size() + " members: " + names(List.of(LEADER));
        Answer here = within(timeout, LEADER, hello);
        if (here instanceof Answer.Closed) {
            throw new CommAbortedException(
                    CommError.PEER_LEFT, members.ranks().get(LEADER), barrier + ", which leads, has closed the group");
        }
        if (!(here instanceof Answer.Heard leader)) {
            unawaited(hello.thenAccept(late -> tell(LEADER, new ControlMessage(Kind.GAVE_UP, timeout))));
            throw new CommException(
                    CommError.TIMEOUT,
                    barrier + ", which leads, has not come within " + millis(timeout)
                            + ", so it is not known who else is missing");
        }
        tell(LEADER, new ControlMessage(Kind.ARRIVED, timeout));
        Duration limit = leader.message().time().plus(TO_TELL);
        ControlMessage end = end(limit, barrier);
        if (end.kind() == Kind.FAILED) {
            throw new CommException(CommError.TIMEOUT, end.text());
        }
    }

    private ControlMessage end(Duration limit, String barrier) {
        long begin = System.nanoTime();
        for (; ; ) {
            if (!(within(limit.minusNanos(System.nanoTime() - begin), LEADER, hear(LEADER))
                    instanceof Answer.Heard heard)) {
                throw new CommException(
                        CommError.TIMEOUT,
                        barrier + " has arrived, but has not reported within " + millis(limit) + " who else has");
            }
            if (heard.message().kind() != Kind.HERE) {
                return heard.message();
            }
            early.add(heard.message());
        }
    }

    private void tell(int member, ControlMessage message) {
        // Who does not take it is found missing otherwise.
        unawaited(require(outboxes.get(member))
                .send(new MessageBuffer.OnHost(message.encode()))
                .done());
    }

    private CompletableFuture<ControlMessage> hear(int member) {
        ByteBuffer buffer = ControlMessage.allocate();
        return require(inboxes.get(member))
                .receive(new MessageBuffer.OnHost(buffer))
                .done()
                .thenApply(done -> ControlMessage.decode(buffer));
    }

    private static <T> T require(@Nullable T channel) {
        return Objects.requireNonNull(channel);
    }

    private static void unawaited(CompletableFuture<Void> future) {
        // Nothing to do: a failure is one of the channel, and the next call on it has it too.
        Objects.requireNonNull(future);
    }

    private Answer within(Duration limit, int member, CompletableFuture<ControlMessage> answer) {
        try {
            return new Answer.Heard(answer.get(Math.max(0, limit.toNanos()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return new Answer.Nothing();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + names(List.of(member)), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CommAbortedException) {
                return new Answer.Closed();
            }
            throw failed(member, e);
        }
    }

    /** Who is to blame if a rank has ended or failed: the engine then aborts the communicator, which ends all waits. */
    private RuntimeException failed(int member, ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        // What the device has said, without the message of the barrier in which it did.
        String reason = String.valueOf((cause.getCause() == null ? cause : cause.getCause()).getMessage());
        OptionalInt blamed = members.rank().communicator().abortedBy();
        String barrier = "monitoredBarrier of " + members.size() + " members: ";
        if (blamed.isEmpty()) {
            return new DeviceException(barrier + "waiting for " + names(List.of(member)) + ": " + reason, cause);
        }
        int rank = blamed.getAsInt();
        String name = members.ranks().contains(rank)
                ? names(List.of(members.ranks().indexOf(rank)))
                : "rank " + rank + " of the test, which is not a member,";
        RuntimeException aborted =
                new CommAbortedException(CommError.ABORTED, rank, barrier + name + " has ended or failed: " + reason);
        aborted.addSuppressed(cause);
        return aborted;
    }

    /** As in {@code member 1} or {@code members 1, 2 (ranks 3, 0 of the test)}. */
    private String names(List<Integer> some) {
        List<Integer> ranks = some.stream().map(members.ranks()::get).toList();
        String plural = some.size() == 1 ? "" : "s";
        String text = "member" + plural + " " + joined(some);
        return ranks.equals(some) ? text : text + " (rank" + plural + " " + joined(ranks) + " of the test)";
    }

    private static String joined(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    static String millis(Duration time) {
        return time.toMillis() + " ms";
    }

    /** No barrier comes any more. */
    void end(Shutdown shutdown) {
        outboxes.values().forEach(shutdown::end);
        inboxes.values().forEach(shutdown::end);
    }

    void close() {
        outboxes.values().forEach(Channel::close);
        inboxes.values().forEach(Channel::close);
    }
}
