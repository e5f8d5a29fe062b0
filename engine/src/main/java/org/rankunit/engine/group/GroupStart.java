package org.rankunit.engine.group;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.CommInitForm;
import org.rankunit.comm.ForeignLibrary;
import org.rankunit.engine.compile.BuiltKernels;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.SimulatorSettings;
import org.rankunit.engine.launch.GroupLaunch;
import org.rankunit.engine.link.RankLink;
import org.rankunit.engine.link.RankLinks;
import org.rankunit.engine.link.RankSignal;
import org.rankunit.engine.protocol.EventRecording;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.site.GroupKind;

/**
 * Takes a group from started processes to ranks with an open device and, unless their tests do without, an initialized
 * communicator. If this fails, the group ends whatever was started.
 */
final class GroupStart {

    /** Name of the file in the group's folder that the ranks use to find each other. */
    static final String ROOT_INFO = "rootinfo";

    /** Name of the file in the group's folder that gives signals of different ranks an order. */
    private static final String SIGNAL_ORDER = "signals";

    private static final Duration LOG_LOOK = Duration.ofMillis(50);

    private final GroupKind kind;
    private final GroupSpec spec;
    private final BuiltKernels kernels;
    private final Path folder;
    private final RankLinks links;
    private final Consumer<GroupState> moves;

    /** Ranks that have not said hello. Below, ranks that are not up. */
    private final TreeSet<Integer> silent = new TreeSet<>();

    private final TreeSet<Integer> notUp = new TreeSet<>();

    /** Ranks that were told to come up and have not opened their devices. */
    private final TreeSet<Integer> opening = new TreeSet<>();

    /** When the last rank said hello. */
    private long lastHello;

    /** The root info sent by rank 0, for the other ranks. */
    private ToRank.@Nullable RootInfo rootInfo;

    /** Why a rank must not run where it was started. */
    private Optional<String> misplaced = Optional.empty();

    /**
     * Prepare to bring up ranks.
     *
     * @param kernels those of the platform that were compiled from source
     * @param moves changes the group's state
     */
    GroupStart(
            GroupKind kind,
            GroupSpec spec,
            BuiltKernels kernels,
            Path folder,
            RankLinks links,
            Consumer<GroupState> moves) {
        this.kind = kind;
        this.spec = spec;
        this.kernels = kernels;
        this.folder = folder;
        this.links = links;
        this.moves = moves;
    }

    /**
     * Wait until every rank is up. Returns how long each phase took.
     *
     * @param begin when the start of the processes began, as {@link System#nanoTime()}
     * @param before the phases until then
     */
    GroupPhases run(long begin, GroupPhases before) throws IOException, BringUpException {
        long deadline = spec.limits()
                .session()
                .cap(begin + patience(spec.limits().bootstrap()).toNanos());
        long manualDeadline =
                spec.limits().session().cap(begin + spec.manualRanksTimeout().toNanos());
        DebugNotice notice = new DebugNotice(System.out);
        links.all().forEach(link -> expect(link, notice));
        notUp.addAll(silent);
        while (!notUp.isEmpty()) {
            boolean isLeftToAPerson = silent.stream().anyMatch(this::isManual);
            RankSignal signal = nextSignal(isLeftToAPerson ? Math.min(manualDeadline, deadline) : deadline, notice);
            if (signal == null && isLeftToAPerson) {
                throw new BringUpException(notStarted());
            } else if (signal == null) {
                throw tooLate();
            }
            hear(signal);
        }
        long done = System.nanoTime();
        moves.accept(GroupState.READY);
        return before.with(lastHello - begin, done - lastHello);
    }

    private void expect(RankLink link, DebugNotice notice) {
        silent.add(link.rank());
        Optional<String> command = link.process().manualCommand();
        command.ifPresent(line -> notice.manualRanks(link, line, spec.manualRanksTimeout()));
        if (command.isEmpty() && spec.debug().containsKey(link.rank())) {
            notice.expect(link);
        }
    }

    private boolean isManual(int rank) {
        return links.all().get(rank).process().manualCommand().isPresent();
    }

    private void hear(RankSignal signal) throws IOException, BringUpException {
        if (signal instanceof RankSignal.Said said) {
            Messages messages = new Messages(said.link());
            said.message().accept(messages);
            if (messages.isFine) {
                return;
            }
            if (misplaced.isPresent()) {
                throw new BringUpException(misplaced.get());
            }
        }
        throw BringUpFault.of(BringUpCause.of(signal, links), links);
    }

    /** Handles the messages of one rank while it comes up. */
    private final class Messages implements FromRank.Visitor<RuntimeException> {

        private final RankLink link;

        /** Whether the bring-up goes on after this message. */
        private boolean isFine = true;

        Messages(RankLink link) {
            this.link = link;
        }

        @Override
        public void hello(FromRank.Hello message) {
            silent.remove(link.rank());
            if (message.place() != null) {
                misplaced = link.process().joined(message.place()).map(why -> BringUpFault.who(link) + " " + why);
                isFine = misplaced.isEmpty();
            }
            // Only the ranks of a cluster's step know which devices they have. So none is brought up before all have
            // said it.
            if (!isRemote()) {
                bringUp(link);
            } else if (silent.isEmpty() && isFine) {
                links.all().forEach(GroupStart.this::bringUp);
            }
            if (silent.isEmpty()) {
                lastHello = System.nanoTime();
                moves.accept(GroupState.BOOTSTRAPPING);
            }
        }

        @Override
        public void rootInfo(FromRank.RootInfo message) {
            rootInfo = new ToRank.RootInfo(message.text());
            links.all().stream().filter(each -> !silent.contains(each.rank())).forEach(GroupStart.this::passOnRootInfo);
        }

        @Override
        public void deviceOpened(FromRank.DeviceOpened message) {
            opening.remove(link.rank());
        }

        @Override
        public void broughtUp(FromRank.BroughtUp message) {
            link.wakeable(message.wakeable());
            notUp.remove(link.rank());
        }

        @Override
        public void bringUpFailed(FromRank.BringUpFailed message) {
            isFine = false;
        }

        @Override
        public void begun(FromRank.Begun message) {
            isFine = false;
        }

        @Override
        public void threadsLeft(FromRank.ThreadsLeft message) {
            isFine = false;
        }

        @Override
        public void registered(FromRank.Registered message) {
            isFine = false;
        }

        @Override
        public void entering(FromRank.Entering message) {
            isFine = false;
        }

        @Override
        public void started(FromRank.Started message) {
            isFine = false;
        }

        @Override
        public void ended(FromRank.Ended message) {
            isFine = false;
        }

        @Override
        public void shaken(FromRank.Shaken message) {
            isFine = false;
        }

        @Override
        public void rounds(FromRank.Rounds message) {
            isFine = false;
        }

        @Override
        public void ranCollective(FromRank.RanCollective message) {
            isFine = false;
        }

        @Override
        public void reported(FromRank.Reported message) {
            isFine = false;
        }

        @Override
        public void kernelLate(FromRank.KernelLate message) {
            isFine = false;
        }

        @Override
        public void unfit(FromRank.Unfit message) {
            isFine = false;
        }

        @Override
        public void whereabouts(FromRank.Whereabouts message) {
            isFine = false;
        }

        @Override
        public void runEnded(FromRank.RunEnded message) {
            isFine = false;
        }

        @Override
        public void seen(FromRank.Seen message) {
            isFine = false;
        }

        @Override
        public void evidence(FromRank.Evidence message) {
            isFine = false;
        }
    }

    private void bringUp(RankLink link) {
        opening.add(link.rank());
        links.send(link, bringUpOf(link));
        passOnRootInfo(link);
    }

    private boolean isRemote() {
        return spec.launcher().silence().isPresent();
    }

    /**
     * A rank waits for the root info after it has received its bring-up message. So it is sent after that message, and as soon as
     * rank 0 has reported it.
     */
    private void passOnRootInfo(RankLink link) {
        if (rootInfo != null && link.rank() != 0) {
            links.send(link, rootInfo);
        }
    }

    /** The address where a rank listens for a debugger appears only in its log, so check the log while waiting. */
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

    private Duration patience(Duration usual) {
        return spec.limits().patience(usual);
    }

    private ToRank.BringUp bringUpOf(RankLink link) {
        int device = link.device().id();
        String platform = kind.platform().id();
        return new ToRank.BringUp(
                platform,
                kind.runtime(),
                links.all().size(),
                links.all().stream().map(RankLink::device).toList(),
                device,
                link.process().runtimeDevice().orElse(spec.runtimeId(platform, device)),
                spec.jupiter(),
                folder.resolve(ROOT_INFO).toString(),
                kind.communicator(),
                spec.commLibrary().map(library -> library.file().toString()).orElse(null),
                spec.commLibrary()
                        .map(ForeignLibrary::initForm)
                        .orElse(CommInitForm.BY_LIBRARY)
                        .name(),
                spec.windowBytes(),
                patience(spec.limits().bootstrap()).toMillis(),
                patience(spec.limits().device()).toMillis(),
                patience(spec.limits().comm()).toMillis(),
                kernels.libraries(),
                kernels.problems(),
                spec.properties(),
                spec.parameters(),
                spec.skipsGoldens(),
                isRemote(),
                spec.launcher()
                        .files()
                        .map(access -> access.withLog(link.log().file()))
                        .orElse(null),
                GroupLaunch.runningKernels(folder, link.rank()).toString(),
                recordingOf(link));
    }

    private @Nullable EventRecording recordingOf(RankLink link) {
        return spec.records(kind.platform().id())
                ? new EventRecording(
                        eventLog(folder, link.rank()).toString(),
                        folder.resolve(SIGNAL_ORDER).toString(),
                        EventRecording.capacityOf(spec.recordBytes()),
                        spec.timelines(),
                        spec.copiesMemory(),
                        spec.leftOut()
                                .filter(leftOut -> leftOut.rank() == link.rank())
                                .map(SimulatorSettings.Truncated::step)
                                .orElse(null))
                : null;
    }

    /** The file in the group's folder into which a rank records what happens on its device. */
    static Path eventLog(Path folder, int rank) {
        return folder.resolve("events-" + rank);
    }

    private String notStarted() {
        return silent.stream()
                        .filter(this::isManual)
                        .map(rank -> BringUpFault.who(links.all().get(rank)))
                        .collect(Collectors.joining(", "))
                + " did not join within " + spec.manualRanksTimeout().toMillis() + " ms ("
                + ConfigKey.MANUAL_RANKS_TIMEOUT.key() + "), to be started by hand ("
                + ConfigKey.MANUAL_RANKS.key() + ")" + BringUpFault.strangers(links);
    }

    /** Ranks that hang in their devices make all others wait, so only these devices are suspect if there are any. */
    private BringUpException tooLate() {
        if (opening.isEmpty()) {
            notUp.stream()
                    .filter(rank -> !silent.contains(rank))
                    .forEach(rank -> links.all().get(rank).suspect("did not come up in time"));
            return new BringUpException(missing());
        }
        List<RankLink> hanging =
                opening.stream().map(rank -> links.all().get(rank)).toList();
        hanging.forEach(link -> link.suspect("did not open its device in time"));
        return BringUpException.passing(
                missing(),
                hanging.stream().map(BringUpFault::who).collect(Collectors.joining(", ")) + " hung while opening "
                        + (hanging.size() == 1 ? "its device" : "their devices"),
                hanging.stream().map(RankLink::device).collect(Collectors.toSet()));
    }

    private String doing(int rank) {
        if (silent.contains(rank)) {
            return "starting its JVM"
                    + links.all()
                            .get(rank)
                            .process()
                            .startWaitsFor()
                            .map(why -> " (" + why + ")")
                            .orElse("");
        }
        return opening.contains(rank) ? "opening its device" : "bringing up its communicator";
    }

    private String missing() {
        Duration bootstrap = spec.limits().bootstrap();
        String time = spec.limits().session().isOver()
                ? "waited until " + spec.limits().session().describe()
                : "waited " + bootstrap.toMillis() + " ms (" + ConfigKey.BOOTSTRAP_TIMEOUT.key() + ")";
        String waited = time + " for " + notUp.size() + " of " + links.all().size() + " ranks: ";
        return waited
                + notUp.stream()
                        .map(rank -> BringUpFault.who(links.all().get(rank)) + " was " + doing(rank))
                        .collect(Collectors.joining(", "))
                + (silent.isEmpty() ? "" : BringUpFault.strangers(links));
    }
}
