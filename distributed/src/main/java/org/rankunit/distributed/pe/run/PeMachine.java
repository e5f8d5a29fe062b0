package org.rankunit.distributed.pe.run;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.collective.call.Reduction;
import org.rankunit.distributed.pe.PeAlgorithm;
import org.rankunit.distributed.pe.PeTopology;
import org.rankunit.distributed.pe.machine.Costs;
import org.rankunit.distributed.pe.machine.QueueSettings;
import org.rankunit.distributed.pe.machine.WorldPlacement;
import org.rankunit.distributed.pe.tensor.DistributedTensor;
import org.rankunit.distributed.pe.tensor.TensorParts;

/**
 * The processing elements of one world, as lanes of this process: all of them, or those of one SIP where each SIP has a process of its
 * own. Launches and accesses of the host to tensors are done one after the other, in the order of the calls.
 *
 * <p>Threads: any thread may call; where there are several processes, all of them must call in the same order.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class PeMachine implements AutoCloseable {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);
    private static final long STACK_BYTES = 512 << 10;

    private final WorldPlacement placement;
    private final Costs costs;
    private final QueueSettings settings;
    private final @Nullable SipExchange exchange;
    private final List<Integer> local;
    private final ExecutorService host;
    private final ExecutorService lanes;
    /** Whether this machine shares threads and exchange with one that closes them. */
    private final boolean isPart;

    private volatile Duration timeout = DEFAULT_TIMEOUT;

    private PeMachine(WorldPlacement placement, Costs costs, QueueSettings settings, @Nullable SipExchange exchange) {
        this(
                placement,
                costs,
                settings,
                exchange,
                Executors.newSingleThreadExecutor(daemons("rankunit-pe-launch")),
                Executors.newCachedThreadPool(daemons("rankunit-pe")),
                false);
    }

    private PeMachine(
            WorldPlacement placement,
            Costs costs,
            QueueSettings settings,
            @Nullable SipExchange exchange,
            ExecutorService host,
            ExecutorService lanes,
            boolean isPart) {
        this.placement = placement;
        this.costs = costs;
        this.settings = settings;
        this.exchange = exchange;
        this.host = host;
        this.lanes = lanes;
        this.isPart = isPart;
        this.local = IntStream.range(0, placement.worldSize())
                .filter(this::isLocal)
                .boxed()
                .toList();
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            Thread thread = new Thread(null, work, name + "-" + number.getAndIncrement(), STACK_BYTES);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Make a machine whose SIPs are all in this process. */
    public static PeMachine inOneProcess(WorldPlacement placement, Costs costs, QueueSettings settings) {
        return new PeMachine(placement, costs, settings, null);
    }

    /**
     * Make the part of a machine that one SIP is; other processes have the other SIPs.
     *
     * @param exchange closed with the machine
     */
    @API(status = API.Status.INTERNAL, since = "0.1")
    public static PeMachine ofOneSip(
            WorldPlacement placement, Costs costs, QueueSettings settings, SipExchange exchange) {
        return new PeMachine(placement, costs, settings, exchange);
    }

    /**
     * Make a machine of some of the processing elements. Its launches take their turn among those of this machine, with which it ends.
     *
     * @param members ranks, in the order of their new ranks
     */
    public PeMachine subset(List<Integer> members) {
        return new PeMachine(placement.subset(members), costs, settings, exchange, host, lanes, true);
    }

    public WorldPlacement placement() {
        return placement;
    }

    /** The processing elements of this process, by rank. */
    public List<Integer> ranks() {
        return local;
    }

    boolean isLocal(int rank) {
        return exchange == null || placement.place(rank).sip() == exchange.sip();
    }

    /** Limit the time that a launch may take; 2 minutes unless this is called. */
    public void setTimeout(Duration newTimeout) {
        timeout = newTimeout;
    }

    /**
     * Set up the queue pairs of an algorithm.
     *
     * @throws IllegalArgumentException if it cannot run on so many processing elements, or if its neighbours do not know each other
     */
    public InstalledKernel install(PeAlgorithm algorithm, PeTopology topology) {
        algorithm.unsupportedReason(topology, placement.worldSize()).ifPresent(reason -> {
            throw new IllegalArgumentException(algorithm.getClass().getSimpleName() + " cannot run on "
                    + placement.worldSize() + " PEs: it " + reason);
        });
        return new InstalledKernel(this, algorithm, QueuePairs.of(algorithm, topology, placement.worldSize()));
    }

    /** Make a tensor of zeros whose columns are divided as the machine's placement says. */
    public DistributedTensor tensor(DType type, int rows, int columns) {
        return tensor(placement, type, rows, columns);
    }

    /**
     * Make a tensor of zeros.
     *
     * @param over of the same processing elements as the machine's, with any spread of columns
     */
    public DistributedTensor tensor(WorldPlacement over, DType type, int rows, int columns) {
        if (!over.places().equals(placement.places())) {
            throw new IllegalArgumentException("the tensor is placed on other PEs than the machine");
        }
        return new StoredTensor(this, new TensorParts(over, type, rows, columns));
    }

    /**
     * Run the kernel of an algorithm on all processing elements.
     *
     * @param nElem elements of each processing element, for {@link PeAlgorithm#kernelArgs}
     * @return completed when all have ended, with a {@link KernelException} if they did not end well
     */
    public CompletableFuture<LaunchResult> launch(
            InstalledKernel kernel, Reduction reduction, int nElem, DistributedTensor... tensors) {
        if (!kernel.isOf(this)) {
            throw new IllegalArgumentException("the kernel is installed on another machine");
        }
        List<StoredTensor> stored = new ArrayList<>();
        for (DistributedTensor tensor : tensors) {
            if (!(tensor instanceof StoredTensor own) || !own.isOf(this)) {
                throw new IllegalArgumentException("a tensor belongs to another machine");
            }
            stored.add(own);
        }
        return CompletableFuture.supplyAsync(() -> run(kernel, reduction, nElem, List.copyOf(stored)), host);
    }

    private LaunchResult run(InstalledKernel kernel, Reduction reduction, int nElem, List<StoredTensor> tensors) {
        PeAlgorithm algorithm = kernel.algorithm();
        Launch launch = new Launch(local.stream()
                .map(rank -> new Lane(rank, kernel.pairs().of(rank), settings.slots()))
                .toList());
        LaneContext.Shared shared = new LaneContext.Shared(
                launch,
                placement,
                costs,
                settings,
                algorithm.kernelArgs(placement.worldSize(), nElem),
                reduction,
                tensors);
        launch.start(lanes, lane -> algorithm.kernel(new LaneContext(lane, shared)));
        return new Supervision(launch, placement, exchange, timeout).untilEnd();
    }

    /** Do something when all launches before have ended, and before the next one. */
    <T> T betweenLaunches(Callable<T> action) {
        try {
            return CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return action.call();
                                } catch (RuntimeException e) {
                                    throw e;
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                            },
                            host)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /** Wait until all launches before have ended, in all processes. */
    public void awaitAll() {
        betweenLaunches(() -> exchange == null ? List.of() : exchange.allGather(new byte[0]));
    }

    /** Get the bytes of all ranks. */
    List<byte[]> gather(byte[][] own) {
        return exchange == null ? List.of(own) : Gathering.of(exchange, local, own);
    }

    /** Wait for launches to end, and free threads. Further calls have no effect. */
    @Override
    public void close() {
        if (isPart || host.isShutdown()) {
            return;
        }
        betweenLaunches(() -> null);
        host.shutdown();
        lanes.shutdownNow();
        if (exchange != null) {
            exchange.close();
        }
    }
}
