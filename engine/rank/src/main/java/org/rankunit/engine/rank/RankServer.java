package org.rankunit.engine.rank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.CurrentRank;
import org.rankunit.comm.CommException;
import org.rankunit.comm.CommInitForm;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.CommunicatorConfig;
import org.rankunit.comm.ForeignLibrary;
import org.rankunit.comm.Rendezvous;
import org.rankunit.comm.jna.OsProcessGroup;
import org.rankunit.device.Device;
import org.rankunit.device.DeviceActivity;
import org.rankunit.device.DeviceException;
import org.rankunit.device.running.LateKernel;
import org.rankunit.engine.protocol.EventRecording;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.ProcessMark;
import org.rankunit.engine.protocol.ToRank;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.rank.buffers.LiveRankContext;
import org.rankunit.engine.rank.evidence.PhaseClock;
import org.rankunit.engine.rank.evidence.RankConsole;
import org.rankunit.engine.rank.failure.Failures;
import org.rankunit.engine.rank.files.ParentFiles;
import org.rankunit.engine.rank.parent.CommunicatorState;
import org.rankunit.engine.rank.parent.ControlLine;
import org.rankunit.engine.rank.parent.LostParentException;
import org.rankunit.engine.rank.parent.ParentRelay;
import org.rankunit.engine.rank.parent.ParentWatch;
import org.rankunit.engine.rank.threads.ThreadWatch;
import org.rankunit.golden.GoldenLog;

/**
 * Brings one rank up, runs what the parent asks for, and shuts it down again: first the work, then the communicator, then the
 * device.
 */
final class RankServer {

    private final int rank;
    private final ControlLine control;
    private final boolean isManual;
    private final ParentFiles files;
    private final PhaseClock phases = new PhaseClock();
    private final long begin = System.nanoTime();
    private String stage = "reading its orders";

    private RankServer(int rank, ControlLine control, ParentFiles files, boolean isManual) {
        this.rank = rank;
        this.control = control;
        this.files = files;
        this.isManual = isManual;
    }

    /**
     * Returns the exit code of the process.
     *
     * @param first the parent's first message
     * @param isManual whether a person has started the process, whose group may then have others of the person's processes
     */
    static int serve(int rank, Channel channel, ToRank first, boolean isManual) throws IOException {
        if (!(first instanceof ToRank.BringUp order)) {
            throw new IOException("the parent's first message was not to bring up");
        }
        order.properties().forEach(System::setProperty);
        ParentFiles files = ParentFiles.of(order.files());
        if (order.forwardsOutput()) {
            RankConsole.markEndsOfTests(files::publishOutput);
        }
        return new RankServer(rank, new ControlLine(channel), files, isManual).bringUpAndServe(order);
    }

    private int bringUpAndServe(ToRank.BringUp order) throws IOException {
        try {
            stage = "creating its process group";
            ParentWatch.endWith(isManual ? null : OsProcessGroup.lead());
            ProcessMark.ofThisProcess().ifPresent(ProcessMark::putIntoLimits);
            stage = "opening its device";
            try (Device device = Device.open(order.platform(), order.deviceId(), order.runtimeDeviceId())) {
                control.send(new FromRank.DeviceOpened());
                phases.keepSomeSpans();
                record(order.recording(), device);
                return order.communicator() ? serveTogether(order, device) : serve(order, device, null);
            }
        } catch (RuntimeException | LinkageError e) {
            if (stage.equals("serve") || e instanceof LostParentException) {
                throw e;
            }
            control.send(
                    new FromRank.BringUpFailed(stage, Failures.of(e), Failures.deviceError(e), Failures.releasedBy(e)));
            return 1;
        }
    }

    private int serveTogether(ToRank.BringUp order, Device device) throws IOException {
        stage = "bringing up the communicator";
        try (Communicator communicator = open(order, device)) {
            communicator.setTimeout(Duration.ofMillis(order.commTimeoutMillis()));
            return serve(order, device, communicator);
        }
    }

    /** A test does not fail because nothing can be recorded, for example on a full disk. */
    private void record(@Nullable EventRecording recording, Device device) {
        if (recording == null) {
            return;
        }
        if (recording.timeline()) {
            phases.keepSpans();
        }
        try {
            device.record(
                    files.local(Path.of(recording.log())),
                    files.local(Path.of(recording.order())),
                    recording.capacity());
            // Before any code of the user makes a thread.
            ThreadWatch.ofProcess().watch(device);
        } catch (DeviceException e) {
            RankConsole.err().println("rankunit: there will be no timeline: " + e.getMessage());
        }
        if (recording.leftOut() != null) {
            device.leaveOut(recording.leftOut());
        }
    }

    /** A test does not fail because nothing can be noted, for example on a full disk. */
    private void watchKernels(ToRank.BringUp order, Device device) {
        Duration limit = Duration.ofMillis(order.deviceTimeoutMillis());
        Consumer<LateKernel> late =
                kernel -> control.send(new FromRank.KernelLate(kernel.name(), kernel.where(), kernel.code()));
        try {
            device.watchKernels(files.local(Path.of(order.runningKernels())), limit, late)
                    .ifPresent(running -> ParentWatch.noticeSignals(running::isAskedToEnd));
        } catch (DeviceException | UncheckedIOException e) {
            RankConsole.err().println("rankunit: kernels on streams and in task graphs have no time limit: " + e);
            device.watchKernels(limit, name -> late.accept(new LateKernel(name, "", List.of())));
        }
    }

    private Communicator open(ToRank.BringUp order, Device device) {
        try {
            return Communicator.open(configOf(order), device);
        } catch (CommException e) {
            if (!isAboutTheWindows(e)) {
                throw e;
            }
            throw new CommException(
                    e.error(), e.getMessage() + " (rankunit.window-size = " + quantity(order.windowBytes()) + ")", e);
        }
    }

    /** This works on every rank: the others receive the error message of the rank that creates the windows. */
    private static boolean isAboutTheWindows(CommException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("win_size = ") || message.contains("the windows of all ranks");
    }

    /** A test may have closed the device. */
    private static DeviceActivity activityOf(Device device) {
        try {
            return device.activity();
        } catch (IllegalStateException e) {
            return new DeviceActivity(DeviceActivity.State.IDLE, 0, List.of());
        }
    }

    /** Format it as a user would write it. */
    private static String quantity(long bytes) {
        int unit = Math.min(Long.numberOfTrailingZeros(bytes) / 10, 3);
        return (bytes >> (10 * unit)) + List.of("B", "KiB", "MiB", "GiB").get(unit);
    }

    private CommunicatorConfig configOf(ToRank.BringUp order) {
        ForeignLibrary library = order.commLibrary() == null
                ? null
                : new ForeignLibrary(libraryOf(order.commLibrary()), CommInitForm.valueOf(order.commInitForm()));
        return new CommunicatorConfig(
                rank,
                order.worldSize(),
                library == null
                        ? new ParentRelay(control)
                        : new Rendezvous.File(files.local(Path.of(order.rootInfo()))),
                order.windowBytes(),
                Duration.ofMillis(order.timeoutMillis()),
                library);
    }

    /** A rank that is asked for evidence may be ended next. */
    private void publishRecord(ToRank.BringUp order) {
        if (order.recording() != null) {
            files.publishRecord(Path.of(order.recording().log()));
        }
    }

    /** A library that is installed on the node belongs to others, which lie beside it. */
    private Path libraryOf(String library) {
        Path file = Path.of(library);
        return Files.exists(file) ? file : files.fetch(file);
    }

    private int serve(ToRank.BringUp order, Device device, @Nullable Communicator communicator) throws IOException {
        device.setWaitTimeout(Duration.ofMillis(order.commTimeoutMillis()));
        stage = "serve";
        CommunicatorState state = new CommunicatorState(communicator, device);
        RankSession session = new RankSession(
                new LiveRankContext(rank, order, device, communicator, files, phases),
                control,
                state,
                phases,
                order.skipsGoldens());
        CurrentRank.enter(session);
        GoldenLog.install(session);
        watchKernels(order, device);
        control.start(
                state,
                () -> {
                    publishRecord(order);
                    return session.whereabouts().tell();
                },
                () -> activityOf(device));
        phases.rankIsUp(System.nanoTime() - begin);
        control.send(
                communicator == null
                        ? new FromRank.BroughtUp(0, 0, 0, true)
                        : new FromRank.BroughtUp(
                                communicator.deviceContext(),
                                communicator.windowBase(),
                                communicator.windowSize(),
                                communicator.isAbortable()));
        JupiterRun jupiter = new JupiterRun(session, control, order.jupiter(), order.parameters());
        while (true) {
            ToRank next = control.nextOrder();
            if (next instanceof ToRank.RunTests run) {
                jupiter.run(run.tests());
            } else {
                return 0;
            }
        }
    }
}
