package org.rankunit.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.cli.bench.BenchRow.Measured;
import org.rankunit.cli.bench.RankProcess.Heard;
import org.rankunit.cli.bench.request.BenchRequest;
import org.rankunit.cli.pool.PoolAccess;
import org.rankunit.pool.DeviceLease;

/**
 * The ranks of a run, which it owns: starts them on leased devices, listens, and ends them. If this process ends in any way, so do
 * they, since their input ends; the folder where they meet is removed as soon as they have met.
 */
final class BenchRanks implements AutoCloseable {

    /** Longer than the ranks wait for each other, since they can say for what. */
    private static final Duration LONGER = Duration.ofSeconds(10);
    /** How long other ranks may take to say or show that they failed first. */
    private static final Duration FOR_THE_CAUSE = Duration.ofMillis(700);

    private final DeviceLease lease;
    private final BenchRequest request;
    private final List<BenchCase> cases;
    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final List<RankProcess> ranks = new ArrayList<>();
    private final Path folder;
    private final Thread hook = new Thread(this::end, "rankunit-bench-end");
    private volatile boolean ended;

    private BenchRanks(DeviceLease lease, BenchRequest request, List<BenchCase> cases) throws IOException {
        this.lease = lease;
        this.request = request;
        this.cases = cases;
        this.folder = Files.createTempDirectory("rankunit-bench");
    }

    /**
     * Start one rank on each device of a lease.
     *
     * @param lease closed by its owner, after this
     */
    static BenchRanks start(PoolAccess access, DeviceLease lease, BenchRequest request, List<BenchCase> cases)
            throws IOException {
        BenchRanks all = new BenchRanks(lease, request, cases);
        try {
            Runtime.getRuntime().addShutdownHook(all.hook);
            long windowBytes =
                    cases.stream().mapToLong(BenchCase::windowBytes).max().orElse(1);
            for (int rank = 0; rank < request.ranks(); rank++) {
                int device = lease.devices().get(rank);
                RankOrder order = new RankOrder(
                        lease.platform(),
                        device,
                        access.runtimeId(lease.platform(), device),
                        rank,
                        request.ranks(),
                        all.folder.resolve("meeting"),
                        windowBytes,
                        request.timeout(),
                        request.warmups(),
                        request.iterations(),
                        request.check(),
                        request.classPath());
                all.add(RankProcess.start(order, command(order), cases, all.heard));
            }
            return all;
        } catch (IOException | RuntimeException | Error e) {
            all.close();
            throw e;
        }
    }

    /** The ranks use the classes of this process. */
    private static List<String> command(RankOrder order) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                BenchRank.class.getName()));
        command.addAll(order.arguments());
        return command;
    }

    private void add(RankProcess rank) {
        synchronized (ranks) {
            ranks.add(rank);
            if (ended) {
                rank.kill();
            }
        }
    }

    List<RankProcess> ranks() {
        return List.copyOf(ranks);
    }

    /**
     * Listen until all ranks are done.
     *
     * @param rows gets each line of the table once all ranks have told theirs
     * @throws RankFailure if a rank fails or dies, or says nothing for too long
     */
    void run(Consumer<BenchRow> rows) throws RankFailure, InterruptedException {
        Set<RankProcess> done = new HashSet<>();
        int shown = 0;
        int up = 0;
        while (done.size() < ranks.size()) {
            Heard next = next();
            RankLine line = next.line().orElse(null);
            if (line instanceof RankLine.Told measured) {
                next.from().told().add(measured);
            } else if (line instanceof RankLine.Done) {
                done.add(next.from());
            } else if (line instanceof RankLine.Goes && ++up == ranks.size()) {
                removeFolder();
            } else if (line instanceof RankLine.Failed || (line == null && !done.contains(next.from()))) {
                throw failure(next);
            }
            for (; hasRow(shown); shown++) {
                rows.accept(row(shown));
            }
        }
    }

    private Heard next() throws RankFailure, InterruptedException {
        Duration limit = request.timeout().plus(LONGER);
        Heard next = heard.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null) {
            ranks.forEach(rank -> suspect(rank, "was silent for " + limit.toSeconds() + " s"));
            throw new RankFailure("No rank has said anything for " + limit.toSeconds()
                    + " s. If a measurement takes so long, raise --timeout or lower --iters.");
        }
        return next;
    }

    private boolean hasRow(int number) {
        return number < cases.size()
                && ranks.stream().allMatch(each -> each.told().size() > number);
    }

    private BenchRow row(int number) {
        List<RankLine.Told> all =
                ranks.stream().map(rank -> rank.told().get(number)).toList();
        BenchCase what = cases.get(number);
        Map<Place, Measured> measured = new EnumMap<>(Place.class);
        for (Place place : what.places()) {
            List<Measured> ofRanks =
                    all.stream().map(each -> each.measured().get(place)).toList();
            measured.put(place, Measured.of(request.average(), ofRanks));
        }
        return new BenchRow(what, measured);
    }

    /** The rank that failed first may be heard last: a process that was killed says nothing, and others notice it at once. */
    private RankFailure failure(Heard first) throws InterruptedException {
        Map<RankProcess, RankLine.Failed> failures = new HashMap<>();
        RankProcess cause = null;
        long deadline = System.nanoTime() + FOR_THE_CAUSE.toNanos();
        for (Heard next = first; next != null; next = until(deadline)) {
            if (next.line().orElse(null) instanceof RankLine.Failed failed) {
                failures.put(next.from(), failed);
                cause = cause == null && !failed.ofAnother() ? next.from() : cause;
            } else if (next.line().isEmpty() && !failures.containsKey(next.from())) {
                cause = next.from();
                suspect(cause, cause.end());
                break;
            }
            if (cause != null) {
                break;
            }
        }
        if (ended) {
            return new RankFailure("Interrupted; the ranks were ended.");
        }
        RankProcess named = cause == null ? first.from() : cause;
        RankLine.Failed said = failures.get(named);
        return new RankFailure(
                named.name(lease.platform()) + (said == null ? " " + named.end() : " failed: " + said.message()));
    }

    private @Nullable Heard until(long deadline) throws InterruptedException {
        return heard.poll(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    private void suspect(RankProcess rank, String how) {
        lease.suspect(
                rank.device(),
                "rank " + rank.rank() + " of rankunit bench "
                        + how.lines().findFirst().orElse(""));
    }

    private void removeFolder() {
        try {
            Files.deleteIfExists(folder.resolve("meeting"));
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // The system empties its folder of temporary files.
        }
    }

    private void end() {
        List<RankProcess> all;
        synchronized (ranks) {
            ended = true;
            all = List.copyOf(ranks);
        }
        all.forEach(RankProcess::kill);
        all.forEach(RankProcess::close);
        removeFolder();
    }

    /** End all ranks that still run. */
    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The hook runs already, and does the same.
        }
    }
}
