package org.rankunit.distributed.p2p;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apiguardian.api.API.Status.INTERNAL;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.comm.CommException;
import org.rankunit.comm.Domain;
import org.rankunit.distributed.device.DeviceMembers;

/**
 * Messages between any two members of a group. A message is done when its receiver has taken it; until then it lies in the memory of
 * its sender. Messages from one member to another arrive in the order in which they were sent, and no message waits for those between
 * other members, or in the other direction.
 *
 * <p>Only members have one. Threads: any thread may call any method.
 */
@API(status = INTERNAL, since = "0.1")
public final class PointToPoint {

    private final DeviceMembers members;
    private final Wiring wiring;
    private final Domain domain;
    private final Map<Integer, Outbox> outboxes = new TreeMap<>();
    private final Map<Integer, Inbox> inboxes = new TreeMap<>();
    private final MonitoredBarrier barrier;
    private final ExecutorService threads;
    private final List<Transfer> transfers = new ArrayList<>();

    private PointToPoint(DeviceMembers members, Wiring wiring, Domain domain) {
        this.members = members;
        this.wiring = wiring;
        this.domain = domain;
        this.threads = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "rankunit-messages");
            thread.setDaemon(true);
            return thread;
        });
        Slots slots = new Slots(domain);
        Map<Integer, Outbox> controlOut = new TreeMap<>();
        Map<Integer, Inbox> controlIn = new TreeMap<>();
        for (int member = 0; member < members.size(); member++) {
            if (member == members.own()) {
                continue;
            }
            connect(ChannelKind.DATA, member, slots, outboxes, inboxes);
            if (member == MonitoredBarrier.LEADER || members.own() == MonitoredBarrier.LEADER) {
                connect(ChannelKind.CONTROL, member, slots, controlOut, controlIn);
            }
        }
        this.barrier = new MonitoredBarrier(members, controlOut, controlIn);
    }

    private void connect(ChannelKind kind, int member, Slots slots, Map<Integer, Outbox> out, Map<Integer, Inbox> in) {
        Channel.Peer peer = new Channel.Peer(member, members.ranks().get(member));
        Function<Wiring.Signals, Channel.Ends> ends = signals ->
                new Channel.Ends(members.rank().device(), slots, kind, members.own(), peer, signals, threads);
        out.put(member, new Outbox(ends.apply(wiring.out(kind, member))));
        in.put(member, new Inbox(ends.apply(wiring.in(kind, member))));
    }

    /**
     * Prepare messages. All ranks of the test call this, in the same order as other calls that wait for all ranks.
     *
     * @param allGather gets what each rank of the test gives
     * @return empty if this rank is no member
     * @throws UnsupportedOperationException on all ranks alike if the devices have no notifies that other processes can post
     */
    public static Optional<PointToPoint> open(DeviceMembers members, Function<byte[], List<byte[]>> allGather) {
        Wiring wiring = Wiring.of(
                members,
                text -> allGather.apply(text.get(0).getBytes(UTF_8)).stream()
                        .map(bytes -> new String(bytes, UTF_8))
                        .toList());
        if (members.own() < 0) {
            return Optional.empty();
        }
        int[] ranks = members.ranks().stream().mapToInt(Integer::intValue).toArray();
        Domain domain = members.rank().communicator().domain(Slots.windowBytes(members.size()), ranks);
        return Optional.of(new PointToPoint(members, wiring, domain));
    }

    /**
     * Send elements of this rank's device. They must not change before the transfer is done.
     *
     * @param peer another member
     */
    public Transfer send(DType type, long count, long address, int peer) {
        return underWay(outbox(peer).send(new MessageBuffer.OnDevice(type, count, address)));
    }

    /**
     * Receive as many elements as the peer sends, of the same type.
     *
     * @param peer another member
     */
    public Transfer receive(DType type, long count, long address, int peer) {
        return underWay(inbox(peer).receive(new MessageBuffer.OnDevice(type, count, address)));
    }

    private Outbox outbox(int peer) {
        return present(outboxes.get(peer), peer);
    }

    private Inbox inbox(int peer) {
        return present(inboxes.get(peer), peer);
    }

    private static <T extends Channel> T present(@Nullable T channel, int peer) {
        if (channel == null) {
            throw new IllegalArgumentException("there is no other member " + peer);
        }
        return channel;
    }

    private synchronized Transfer underWay(Transfer transfer) {
        transfers.removeIf(Transfer::isSettled);
        transfers.add(transfer);
        return transfer;
    }

    /** Wait until all members have come here; see {@link MonitoredBarrier#await}. */
    public void monitoredBarrier(Duration timeout, boolean waitAllRanks) {
        barrier.await(timeout, waitAllRanks);
    }

    /**
     * End all messages. All members call this, at the same place among the calls that wait for all ranks. Messages that members have
     * sent and awaited are passed first.
     *
     * @param communicating runs what waits in the communicator
     * @throws CommException if a message was sent but never received, or awaited but never sent, on the member that did not do so
     * @throws RuntimeException if a message has failed and its failure has not been seen: that failure
     */
    public void close(Consumer<Runnable> communicating) {
        Shutdown shutdown = new Shutdown(members.own());
        Shutdown ofBarrier = new Shutdown(members.own());
        outboxes.values().forEach(shutdown::end);
        inboxes.values().forEach(shutdown::end);
        barrier.end(ofBarrier);
        // The shutdown releases members that wait for this one, which may be what keeps them from coming here.
        shutdown.attempt(() -> communicating.accept(domain::barrier));
        shutdown.await();
        ofBarrier.await();
        synchronized (this) {
            shutdown.unseen(transfers);
        }
        shutdown.attempt(this::release);
        shutdown.attempt(() -> communicating.accept(domain::close));
        shutdown.throwFirst();
    }

    private void release() {
        outboxes.values().forEach(Channel::close);
        inboxes.values().forEach(Channel::close);
        barrier.close();
        wiring.close();
        threads.shutdown();
    }
}
