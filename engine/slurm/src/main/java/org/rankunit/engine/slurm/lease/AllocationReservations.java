package org.rankunit.engine.slurm.lease;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.site.DevicesHere;
import org.rankunit.engine.site.GroupKind;
import org.rankunit.engine.site.GroupLease;
import org.rankunit.engine.site.GroupRequest;
import org.rankunit.engine.site.Reservation;
import org.rankunit.engine.site.ReservationException;
import org.rankunit.engine.site.Reservations;
import org.rankunit.engine.slurm.job.Allocation;
import org.rankunit.engine.slurm.job.LostNodes;
import org.rankunit.engine.slurm.job.NodeShare;

/**
 * Divides the devices of a Slurm job among the groups of this run, which has the job to itself. Whatever a group gets, Slurm can give
 * to its step at once, so that no step waits.
 */
public final class AllocationReservations implements Reservations {

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final List<NodeShare> nodes;
    private final LostNodes lost;
    private final AllocationTerms terms;
    private final SessionTime session;
    private final Duration timeout;
    private final String job;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition changed = mutex.newCondition();

    /** Whether several groups may have devices of the same node at the same time. */
    private volatile boolean sharesNodes;

    // Guarded by the mutex.
    private final Set<AllocationLease> leases = new HashSet<>();
    private int waiting;

    /** @param timeout how long a group waits for its devices */
    public AllocationReservations(Allocation allocation, AllocationTerms terms, SessionTime session, Duration timeout) {
        this(allocation.job().id(), allocation.job().nodes(), allocation.lost(), terms, session, timeout);
    }

    AllocationReservations(
            String job,
            List<NodeShare> nodes,
            LostNodes lost,
            AllocationTerms terms,
            SessionTime session,
            Duration timeout) {
        this.job = job;
        this.nodes = nodes;
        this.lost = lost;
        this.terms = terms;
        this.sharesNodes = terms.tellsDevices();
        this.session = session;
        this.timeout = timeout;
    }

    @Override
    public DevicesHere devicesHere() {
        Map<Platform, Integer> counts = new EnumMap<>(Platform.class);
        Map<Platform, String> notes = new EnumMap<>(Platform.class);
        for (Platform platform : Platform.all()) {
            int count =
                    nodes.stream().mapToInt(node -> terms.slots(node, platform)).sum();
            counts.put(platform, count);
            if (count == 0 && !platform.isSimulator()) {
                notes.put(platform, "Slurm job " + job + " has no devices of it (" + ConfigKey.SLURM_GRES.key() + ")");
            }
        }
        return new DevicesHere(counts, Optional.empty(), notes, this::whyNever, Long.MAX_VALUE);
    }

    /** A sentence for people who give a job fewer processors than devices; empty if all can work. */
    public Optional<String> advice() {
        return nodes.stream()
                .filter(node -> node.cpus() < node.devices())
                .findFirst()
                .map(node -> "Slurm job " + job + " has " + node.devices() + " devices and " + node.cpus()
                        + (node.cpus() == 1 ? " processor" : " processors") + " on " + node.node()
                        + ", and each rank needs one: ask for --ntasks-per-node=" + node.devices()
                        + " to use them all");
    }

    /** Processors of the job. */
    public int processors() {
        return nodes.stream().mapToInt(NodeShare::cpus).sum();
    }

    /**
     * Steps are told which devices they have. Until this is known, a node is given to one group on hardware at a time: two steps that
     * both count their devices from 0 would share them.
     */
    public void stepsAreTold() {
        if (!sharesNodes) {
            sharesNodes = true;
            mutex.lock();
            try {
                changed.signalAll();
            } finally {
                mutex.unlock();
            }
        }
    }

    @Override
    public boolean isAwaited(Platform platform) {
        mutex.lock();
        try {
            return waiting > 0;
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public Optional<String> whyNever(GroupRequest request, Set<DeviceRef> avoided) {
        Optional<List<DeviceRef>> place =
                layout(request.platform()).place(need(request.kind()), Set.of(), without(avoided));
        return place.isPresent()
                ? Optional.empty()
                : whyNever(request.kind())
                        .or(() ->
                                Optional.of("cannot have its devices without " + DeviceRef.list(List.copyOf(avoided))));
    }

    private Optional<String> whyNever(GroupKind kind) {
        if (sharesMemory(kind) && kind.nodes() > 1) {
            return Optional.of("needs " + kind.nodes() + " nodes, and the ranks of "
                    + kind.platform().id()
                    + " share the memory of one node. Run it on hardware, without @Nodes, or with a"
                    + " communication library that spans nodes (" + ConfigKey.COMM_LIBRARY.key() + ", and --mpi in "
                    + ConfigKey.SLURM_SRUN_ARGS.key() + ")");
        }
        return layout(kind.platform())
                .whyNever(need(kind), lost.names())
                .map(why -> why.replaceFirst("^it ", "") + " (Slurm job " + job + lostText() + ")");
    }

    /** Slurm chooses which of the job's devices a step gets on a node. So a device can be avoided only with its node. */
    private Set<String> without(Set<DeviceRef> avoided) {
        Set<String> names = new HashSet<>(lost.names());
        avoided.forEach(device -> names.add(device.node()));
        return names;
    }

    private String lostText() {
        return lost.names().isEmpty()
                ? ""
                : ", without "
                        + lost.names().stream()
                                .sorted()
                                .map(node -> node + ": " + lost.reason(node).orElse(""))
                                .collect(Collectors.joining("; "));
    }

    private NodeLayout layout(Platform platform) {
        return new NodeLayout(nodes.stream()
                .map(node -> new NodeLayout.Node(node.node(), terms.slots(node, platform)))
                .toList());
    }

    /** Ranks without a communicator have nothing to share. */
    private boolean sharesMemory(GroupKind kind) {
        return kind.platform().isSimulator() && terms.simulatorsShareMemory() && kind.communicator();
    }

    private DeviceDemand need(GroupKind kind) {
        boolean isSimulator = kind.platform().isSimulator();
        return new DeviceDemand(kind.ranks(), kind.nodes(), sharesMemory(kind), isSimulator ? 1 : terms.unit());
    }

    @Override
    public Optional<Reservation> tryReserve(GroupRequest request, Set<DeviceRef> avoided) {
        long begin = System.nanoTime();
        mutex.lock();
        try {
            return take(request, avoided).map(lease -> new Reservation(lease, System.nanoTime() - begin));
        } finally {
            mutex.unlock();
        }
    }

    private Optional<GroupLease> take(GroupRequest request, Set<DeviceRef> avoided) {
        Set<DeviceRef> taken = new HashSet<>();
        for (NodeShare node : nodes) {
            taken.addAll(takenOn(node, request.platform()));
        }
        return layout(request.platform())
                .place(need(request.kind()), taken, without(avoided))
                .map(slots -> {
                    AllocationLease lease =
                            new AllocationLease(slots, request.platform().id(), this::giveBack);
                    leases.add(lease);
                    return lease;
                });
    }

    /**
     * The slots of a node that a group on this platform cannot have: those that other groups on the platform have, and as many more
     * as other groups leave no processors for.
     */
    private Set<DeviceRef> takenOn(NodeShare node, Platform platform) {
        Set<DeviceRef> taken = new HashSet<>();
        int ranks = 0;
        for (AllocationLease lease : leases) {
            for (DeviceRef slot : lease.devices()) {
                if (slot.node().equals(node.node())) {
                    ranks++;
                    if (lease.platform().equals(platform.id())) {
                        taken.add(slot);
                    }
                }
            }
        }
        boolean isAlone = platform.isSimulator() || sharesNodes || taken.isEmpty();
        int processors = isAlone ? node.cpus() - ranks : 0;
        List<DeviceRef> free = IntStream.range(0, terms.slots(node, platform))
                .mapToObj(slot -> new DeviceRef(node.node(), slot))
                .filter(slot -> !taken.contains(slot))
                .toList();
        taken.addAll(free.subList(Math.min(processors, free.size()), free.size()));
        return taken;
    }

    private void giveBack(AllocationLease lease) {
        mutex.lock();
        try {
            leases.remove(lease);
            changed.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    @Override
    public Reservation reserve(GroupRequest request, Set<DeviceRef> avoided, Consumer<String> waits) {
        long begin = System.nanoTime();
        long left = session.cap(timeout).toNanos();
        mutex.lock();
        waiting++;
        try {
            Optional<GroupLease> lease = take(request, avoided);
            if (lease.isEmpty()) {
                waits.accept("waits for other groups of this run");
            }
            while (lease.isEmpty()) {
                Optional<String> never = whyNever(request, avoided);
                if (never.isPresent()) {
                    throw new ReservationException(never.get(), null);
                }
                if (left <= 0) {
                    String limit = session.isOver() ? session.describe() : ConfigKey.LEASE_TIMEOUT.key();
                    throw new ReservationException(
                            "no devices of Slurm job " + job
                                    + " became free in time: other groups of this run have them (" + limit + ")",
                            null);
                }
                // A node may be lost meanwhile, which is not signalled.
                long some = Math.min(left, LOOK.toNanos());
                left -= some - Math.max(0, changed.awaitNanos(some));
                lease = take(request, avoided);
            }
            return new Reservation(lease.get(), System.nanoTime() - begin);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReservationException("interrupted while waiting for devices", e);
        } finally {
            waiting--;
            mutex.unlock();
        }
    }
}
