package org.rankunit.engine.group;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.CommInitForm;
import org.rankunit.comm.ForeignLibrary;
import org.rankunit.device.VendorErrors;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.ProcessMark;
import org.rankunit.engine.control.ToRank;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;
import org.rankunit.engine.schedule.PoolSetup;
import org.rankunit.pool.DeviceLease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of a group from its lease to ranks whose communicator is up. Whatever it leaves half-way, the group ends. */
final class GroupStart {

    /** Name of the file in the group's folder by which its ranks find each other. */
    static final String ROOT_INFO = "rootinfo";

    /** Name of the socket in the group's folder. */
    static final String CONTROL = "control";

    private static final Duration LOG_LOOK = Duration.ofMillis(50);

    private final DeviceLease lease;
    private final GroupSpec spec;
    private final Path folder;
    private final int number;
    private final RankLinks links;
    private final String token;
    private final Consumer<GroupState> moves;

    /** What rank 0 has told, for the others. */
    private ToRank.@Nullable RootInfo rootInfo;

    /** @param moves makes the moves of the group's state */
    GroupStart(
            DeviceLease lease,
            GroupSpec spec,
            Path folder,
            int number,
            RankLinks links,
            String token,
            Consumer<GroupState> moves) {
        this.lease = lease;
        this.spec = spec;
        this.folder = folder;
        this.number = number;
        this.links = links;
        this.token = token;
        this.moves = moves;
    }

    /** Returns how long each part of it took. */
    GroupPhases run(long reserveNanos) throws IOException, BringUpException {
        long begin = System.nanoTime();
        long deadline = spec.session()
                .cap(begin + spec.patience(spec.bootstrapTimeout()).toNanos());
        moves.accept(GroupState.STARTING);
        Files.createDirectories(spec.logs());
        DebugNotice notice = new DebugNotice(System.out);
        for (int rank = 0; rank < lease.devices().size(); rank++) {
            RankLink link = startRank(rank);
            if (spec.debug().containsKey(rank)) {
                notice.expect(link);
            }
        }
        long started = awaitAll(deadline, notice);
        long done = System.nanoTime();
        moves.accept(GroupState.READY);
        return new GroupPhases(reserveNanos, started - begin, done - started);
    }

    private RankLink startRank(int rank) throws IOException {
        String name = "group-" + number + "-rank-" + rank;
        Path log = spec.logs().resolve(name + ".log");
        Path crashReport = spec.logs().resolve(name + "-hs_err.log");
        Files.deleteIfExists(crashReport);
        Files.writeString(log, "", StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        ProcessBuilder builder = new ProcessBuilder(spec.command()
                        .forRank(
                                rank,
                                lease.devices().size(),
                                folder.resolve(CONTROL),
                                crashReport,
                                spec.debug().get(rank)))
                .directory(spec.workingDirectory().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        ProcessMark.ofRank(folder, rank).putInto(builder.environment());
        if (!spec.simulatorFaults().isEmpty()) {
            builder.environment().put(PoolSetup.SIMULATOR_FAULTS, spec.simulatorFaults());
        }
        Process process = builder.start();
        RankLink link = new RankLink(rank, lease.devices().get(rank), process, new RankLog(log), crashReport);
        links.add(link);
        // The pipe stays open: its end tells the rank that its parent is gone. The token goes this way because a
        // command line can be read by every user of the machine.
        OutputStream stdin = process.getOutputStream();
        try {
            stdin.write((token + "\n").getBytes(StandardCharsets.UTF_8));
            stdin.flush();
        } catch (IOException e) {
            log().debug("Rank {} ended before it read its token; its exit says more", rank, e);
        }
        return link;
    }

    /** Wait until every rank is up; returns the moment when the last one had said hello. */
    private long awaitAll(long deadline, DebugNotice notice) throws IOException, BringUpException {
        TreeSet<Integer> silent = new TreeSet<>();
        links.all().forEach(link -> silent.add(link.rank()));
        TreeSet<Integer> notUp = new TreeSet<>(silent);
        long lastHello = 0;
        while (!notUp.isEmpty()) {
            RankSignal signal = nextSignal(deadline, notice);
            if (signal == null) {
                notUp.stream()
                        .filter(rank -> !silent.contains(rank))
                        .forEach(rank -> links.all().get(rank).suspect("did not come up in time"));
                throw new BringUpException(missing(silent, notUp));
            } else if (signal instanceof RankSignal.Said said && said.message() instanceof FromRank.Hello) {
                silent.remove(said.link().rank());
                links.send(said.link(), bringUpOf(said.link()));
                passOnRootInfo(said.link());
                if (silent.isEmpty()) {
                    lastHello = System.nanoTime();
                    moves.accept(GroupState.BOOTSTRAPPING);
                }
            } else if (signal instanceof RankSignal.Said said && said.message() instanceof FromRank.RootInfo where) {
                rootInfo = new ToRank.RootInfo(where.text());
                for (RankLink link : links.all()) {
                    if (!silent.contains(link.rank())) {
                        passOnRootInfo(link);
                    }
                }
            } else if (signal instanceof RankSignal.Said said && said.message() instanceof FromRank.BroughtUp up) {
                said.link().wakeable(up.wakeable());
                notUp.remove(said.link().rank());
            } else {
                RankSignal cause = BringUpCause.of(signal, links);
                throw new BringUpException(firstError(cause), deviceAtFault(cause));
            }
        }
        return lastHello;
    }

    /** A rank waits for it once it has its orders; so it comes after them, and as soon as rank 0 has told it. */
    private void passOnRootInfo(RankLink link) {
        if (rootInfo != null && link.rank() != 0) {
            links.send(link, rootInfo);
        }
    }

    /** Where a rank listens for a debugger stands in its log alone, so that is looked at while we wait. */
    private @Nullable RankSignal nextSignal(long deadline, DebugNotice notice) throws IOException {
        while (notice.isPending()) {
            RankSignal signal = links.next(Math.min(deadline, System.nanoTime() + LOG_LOOK.toNanos()));
            notice.look();
            if (signal != null || System.nanoTime() - deadline > 0) {
                return signal;
            }
        }
        return links.next(deadline);
    }

    private ToRank.BringUp bringUpOf(RankLink link) {
        return new ToRank.BringUp(
                lease.platform(),
                lease.devices().size(),
                link.device(),
                spec.runtimeId(lease.platform(), link.device()),
                spec.command().jupiter(),
                folder.resolve(ROOT_INFO).toString(),
                spec.commLibrary().map(library -> library.file().toString()).orElse(null),
                spec.commLibrary()
                        .map(ForeignLibrary::initForm)
                        .orElse(CommInitForm.BY_LIBRARY)
                        .name(),
                spec.windowBytes(),
                spec.patience(spec.bootstrapTimeout()).toMillis(),
                spec.patience(spec.deviceTimeout()).toMillis(),
                spec.patience(spec.commTimeout()).toMillis(),
                spec.properties(),
                spec.parameters());
    }

    /** The device that told of a fault of its own, if that is what happened. */
    private static Set<Integer> deviceAtFault(RankSignal signal) {
        if (signal instanceof RankSignal.Said said
                && said.message() instanceof FromRank.BringUpFailed failed
                && failed.deviceError() != 0) {
            said.link().suspect("failed with " + VendorErrors.describe(failed.deviceError()) + " while it came up");
            return Set.of(said.link().device());
        }
        return Set.of();
    }

    private String firstError(RankSignal signal) {
        RankLink link = signal.link();
        String who = who(link);
        int blamed = BringUpCause.blamed(signal);
        if (blamed >= 0
                && signal instanceof RankSignal.Said said
                && said.message() instanceof FromRank.BringUpFailed failed) {
            return who(links.all().get(blamed)) + " failed in the bring-up, of which only rank " + link.rank()
                    + " tells: " + failed.cause().headline();
        } else if (signal instanceof RankSignal.Said said && said.message() instanceof FromRank.BringUpFailed failed) {
            return who + " bootstrap failed while it was to " + failed.stage() + ": "
                    + failed.cause().headline();
        } else if (signal instanceof RankSignal.Gone gone) {
            return who + " " + link.describe(gone.status()) + " before it was up; the last lines of "
                    + link.log().file() + ":\n" + indent(link.lastWords());
        } else if (signal instanceof RankSignal.Lost lost) {
            return who + " " + lost.why() + " before it was up; the last lines of "
                    + link.log().file() + ":\n" + indent(link.log().tail());
        }
        return who + " sent " + signal + " before it was up";
    }

    private static String who(RankLink link) {
        return "rank " + link.rank() + " (device " + link.device() + ")";
    }

    private String missing(Set<Integer> silent, Set<Integer> notUp) {
        String time = spec.session().isOver()
                ? "waited until " + spec.session().describe()
                : "waited " + spec.bootstrapTimeout().toMillis() + " ms (" + ConfigKey.BOOTSTRAP_TIMEOUT.key() + ")";
        String waited = time + " for " + notUp.size() + " of " + links.all().size() + " ranks: ";
        return waited
                + notUp.stream()
                        .map(rank -> who(links.all().get(rank)) + " was "
                                + (silent.contains(rank) ? "starting its JVM" : "bringing up its communicator"))
                        .collect(Collectors.joining(", "));
    }

    private static String indent(String text) {
        return text.lines().map(line -> "    " + line).collect(Collectors.joining("\n"));
    }

    /** Asked for only when there is something to say: without a provider, slf4j complains at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(GroupStart.class);
    }
}
