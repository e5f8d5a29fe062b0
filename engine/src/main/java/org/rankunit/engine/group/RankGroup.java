package org.rankunit.engine.group;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.compile.BuiltKernels;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.files.RandomHex;
import org.rankunit.engine.launch.GroupLaunch;
import org.rankunit.engine.launch.LaunchedRanks;
import org.rankunit.engine.link.InterruptedGroupException;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.lockstep.LockstepRun;
import org.rankunit.engine.lockstep.RankEvents;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.site.GroupKind;
import org.rankunit.engine.site.GroupLease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * N rank JVMs with a live communicator, unless their tests do without, on devices that the group owns.
 *
 * <p>Runs the tests of one class after another until it is tainted. Not thread-safe: only one thread at a time may use a group.
 */
public final class RankGroup implements AutoCloseable {

    private static final int TOKEN_BYTES = 16;

    /** How long ranks may take to exit on request before their processes are killed. */
    private static final Duration LEAVE_GRACE = Duration.ofSeconds(5);

    private final GroupLease lease;
    private final GroupSpec spec;
    private final GroupKind kind;
    private final Path folder;
    private final RankLinks links;
    private final String token;
    private final int number;
    private GroupState state = GroupState.LEASED;
    private GroupPhases phases;
    private long tearDownNanos;

    /** Its processes; {@code null} before they are started. */
    private @Nullable LaunchedRanks ranks;

    private RankGroup(GroupLease lease, GroupSpec spec, GroupKind kind, int number, GroupPhases before)
            throws IOException {
        this.lease = lease;
        this.spec = spec;
        this.kind = kind;
        this.folder = spec.folder().groupFolder(number);
        this.number = number;
        this.token = RandomHex.of(TOKEN_BYTES);
        this.links = new RankLinks(
                spec.launcher().control(folder), token, spec.launcher().silence());
        this.phases = before;
    }

    /**
     * Start one rank for each leased device and bring all of them up.
     *
     * <p>From here on the group owns the lease. If the start fails, all processes are ended and the lease is returned.
     *
     * @param kernels those of the platform that were compiled from source
     * @param number distinguishes the groups of a run
     * @param before how long the phases before this one took
     */
    public static RankGroup start(
            GroupLease lease, GroupSpec spec, GroupKind kind, BuiltKernels kernels, int number, GroupPhases before)
            throws BringUpException {
        RankGroup group;
        try {
            group = new RankGroup(lease, spec, kind, number, before);
        } catch (IOException e) {
            lease.close();
            throw new BringUpException(spec.folder().failed("cannot prepare the control channel in", e), e);
        }
        try {
            long begin = System.nanoTime();
            group.launch();
            group.phases =
                    new GroupStart(kind, spec, kernels, group.folder, group.links, group::move).run(begin, before);
            return group;
        } catch (FileSystemException e) {
            group.close();
            throw new BringUpException(
                    "cannot write the logs of the ranks: " + e.getMessage() + ". Make room there, or set "
                            + ConfigKey.OUTPUT_DIR.key() + ".",
                    e);
        } catch (IOException e) {
            group.close();
            throw new BringUpException("cannot start the ranks: " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            // Thrown when the OS refuses a thread; each process needs one.
            group.close();
            throw new BringUpException("cannot start the ranks: this JVM has no more resources: " + e.getMessage(), e);
        } catch (BringUpException | RuntimeException e) {
            group.close();
            throw e;
        }
    }

    private void launch() throws IOException {
        move(GroupState.STARTING);
        List<DeviceRef> devices = lease.devices();
        LaunchedRanks launched = spec.launcher()
                .start(new GroupLaunch(
                        number,
                        folder,
                        links.address(),
                        token,
                        kind.platform(),
                        devices,
                        spec.debug(),
                        spec.manualRanks()));
        ranks = launched;
        launched.all().forEach(process -> links.add(new RankLink(process)));
    }

    /**
     * Run tests and wait until they have ended on all ranks.
     *
     * @return true if the group may run further tests, false if it is tainted
     */
    public boolean run(List<TestSelection> tests, RankEvents events) {
        move(GroupState.RUNNING);
        boolean clean = false;
        try {
            clean = new LockstepRun(links, spec.limits(), tests, events).run();
            return clean;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } finally {
            move(clean ? GroupState.READY : GroupState.TAINTED);
        }
    }

    /** Distinguishes the groups of a run. */
    public int number() {
        return number;
    }

    public GroupLease lease() {
        return lease;
    }

    /** The kind of tests that it can run. */
    public GroupKind kind() {
        return kind;
    }

    /**
     * Get how long it took to make the group. Only the first call returns the real times; later ones return
     * {@link GroupPhases#KEPT}.
     */
    public GroupPhases takePhases() {
        GroupPhases taken = phases;
        phases = GroupPhases.KEPT;
        return taken;
    }

    /** The device of each rank, including its node. */
    public List<DeviceRef> devices() {
        return links.all().stream().map(RankLink::device).toList();
    }

    /** Get what each rank has printed since the last call, by rank. */
    public List<String> freshOutput() {
        return links.all().stream().map(link -> link.log().fresh()).toList();
    }

    /** Get the log file of each rank. */
    public List<Path> logFiles() {
        return links.all().stream().map(link -> link.log().file()).toList();
    }

    /** Get the record of events of each rank; empty if nothing is recorded. */
    public List<Path> eventLogs() {
        return spec.records(lease.platform())
                ? links.all().stream().map(this::eventLog).toList()
                : List.of();
    }

    private Path eventLog(RankLink link) {
        Path log = GroupStart.eventLog(folder, link.rank());
        if (link.suspicion().isPresent()) {
            link.process().bringRecord(log);
        }
        return log;
    }

    /** Whether all ranks are alive and none has sent an unexpected message. A group that is not sound must not be used again. */
    public boolean isSound() {
        try {
            return state == GroupState.READY && links.next(System.nanoTime()) == null && allAlive();
        } catch (IOException e) {
            log().debug("A kept group cannot be read from", e);
            return false;
        }
    }

    private boolean allAlive() {
        return links.all().stream().allMatch(link -> link.process().exitStatus().isEmpty());
    }

    /** How long it took to end the group, in nanoseconds; 0 before that. */
    public long tearDownNanos() {
        return tearDownNanos;
    }

    /** End all ranks, then return the devices. */
    @Override
    public void close() {
        if (state == GroupState.GONE) {
            return;
        }
        long begin = System.nanoTime();
        boolean orderly = state == GroupState.READY || state == GroupState.TAINTED;
        move(state == GroupState.LEASED ? GroupState.GONE : GroupState.STOPPING);
        try {
            links.all().forEach(link -> link.suspicion().ifPresent(why -> lease.suspect(link.device(), why)));
            LaunchedRanks launched = ranks;
            if (launched != null) {
                launched.end(this::dismiss, orderly ? LEAVE_GRACE : Duration.ZERO);
            }
            links.close();
            Files.deleteIfExists(folder.resolve(GroupStart.ROOT_INFO));
        } catch (IOException e) {
            log().warn("Cleaning up after a rank group failed", e);
        } finally {
            lease.close();
            if (state == GroupState.STOPPING) {
                move(GroupState.GONE);
            }
            tearDownNanos = System.nanoTime() - begin;
        }
    }

    /** Ask all ranks to exit. Only this group hears of the end of a rank that was started by hand, whose device it gives back. */
    private void dismiss() {
        links.all().forEach(link -> links.send(link, new ToRank.Shutdown()));
        long deadline = System.nanoTime() + LEAVE_GRACE.toNanos();
        try {
            while (links.all().stream().anyMatch(RankGroup::isInATerminal)) {
                if (links.next(deadline) == null) {
                    log().warn("A rank that was started by hand has not ended, and still has its device");
                    return;
                }
            }
        } catch (IOException | InterruptedGroupException e) {
            log().debug("Not waiting for ranks that were started by hand", e);
        }
    }

    private static boolean isInATerminal(RankLink link) {
        return link.process().manualCommand().isPresent() && link.isHeard();
    }

    private void move(GroupState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException("a rank group cannot go from " + state + " to " + next);
        }
        state = next;
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(RankGroup.class);
    }
}
