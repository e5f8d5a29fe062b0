package org.rankunit.engine.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.launch.ExitStatus;
import org.rankunit.engine.launch.crash.CrashReport;
import org.rankunit.engine.launch.crash.ProcessEnd;
import org.rankunit.engine.prepare.Models;
import org.rankunit.engine.prepare.model.ModelAnswer;
import org.rankunit.engine.prepare.model.ModelMain;
import org.rankunit.engine.prepare.model.ModelRequest;
import org.rankunit.engine.protocol.ProcessMark;
import org.rankunit.engine.protocol.wire.RecordCodec;

/**
 * Computes golden models in a JVM of its own, which what they do cannot harm the run from. It starts with the first model and serves those
 * that follow; when one leaves it in doubt, the next gets another JVM.
 */
public final class ModelJvm implements Models {

    /** How long an answer may take beyond the limit of the model: the start of the JVM, and writing files. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final List<String> command;
    private final ProcessMark mark;
    private final Path crashReport;
    private final Consumer<String> console;
    private final Duration grace;
    private volatile @Nullable ModelProcess process;
    private volatile boolean closed;

    /**
     * Prepare to compute models; nothing is started.
     *
     * @param command starts the JVM of {@link ModelMain}, without arguments for it
     * @param mark of that JVM and of the processes that models start
     * @param crashReport where that JVM writes a report if native code crashes it
     * @param console takes the lines that models print
     */
    public ModelJvm(List<String> command, ProcessMark mark, Path crashReport, Consumer<String> console) {
        this(command, mark, crashReport, console, GRACE);
    }

    ModelJvm(List<String> command, ProcessMark mark, Path crashReport, Consumer<String> console, Duration grace) {
        this.command = List.copyOf(command);
        this.mark = mark;
        this.crashReport = crashReport;
        this.console = console;
        this.grace = grace;
    }

    @Override
    public ModelAnswer compute(ModelRequest request, Path folder) throws IOException, InterruptedException {
        Files.write(folder.resolve(ModelMain.REQUEST), new RecordCodec().encode(request, ModelRequest.class));
        boolean goesOn = false;
        try {
            ModelProcess running = started();
            ModelAnswer answer = answer(request, folder, running);
            goesOn = !answer.stillRuns() && running.isAlone();
            return answer;
        } finally {
            if (!goesOn) {
                end();
            }
            Files.deleteIfExists(folder.resolve(ModelMain.REQUEST));
            Files.deleteIfExists(folder.resolve(ModelMain.ANSWER));
        }
    }

    private ModelProcess started() throws IOException {
        ModelProcess running = process;
        if (running == null || !running.isAlive()) {
            running = ModelProcess.start(command, mark, console);
            process = running;
        }
        if (closed) {
            running.end();
        }
        return running;
    }

    private ModelAnswer answer(ModelRequest request, Path folder, ModelProcess running)
            throws IOException, InterruptedException {
        Optional<Duration> patience = Optional.of(request.limitMillis())
                .filter(millis -> millis > 0)
                .map(millis -> Duration.ofMillis(millis).plus(grace));
        String model = request.variant().source().place() + ": the golden model "
                + request.variant().source().model();
        return switch (running.ask(folder, patience)) {
            case ANSWERED -> read(folder);
            case ENDED ->
                new ModelAnswer.Refused(
                        model + " ended its process, which " + ended(running.awaitExit(), folder)
                                + "\nNo rank was started. A model must only compute and return.",
                        true);
            case SILENT ->
                new ModelAnswer.Refused(
                        model + " takes longer than " + request.limitMillis()
                                + " ms for all ranks, and its process did not"
                                + " answered for " + grace.toSeconds()
                                + " s after that, so it was killed. Look for native code in the model that does not return.",
                        true);
        };
    }

    /** {@code "exited with code 3 at ...Model.compute(Model.java:12)."}. */
    private String ended(OptionalInt exit, Path folder) throws IOException {
        Optional<String> crash = ProcessEnd.crash(crashReport);
        if (crash.isPresent()) {
            String frames = CrashReport.head(crashReport).orElse("").replaceAll("\nwhole report:.*", "");
            Files.delete(crashReport);
            return crash.get() + ":\n" + frames.indent(2).stripTrailing();
        }
        String how = exit.isPresent() ? new ExitStatus(exit.getAsInt()).describe() : "does not answer";
        String place = Files.exists(folder.resolve(ModelMain.ANSWER)) && read(folder) instanceof ModelAnswer.Exits exits
                ? exits.place()
                : "";
        return how + place + ".";
    }

    private static ModelAnswer read(Path folder) throws IOException {
        return new RecordCodec().decode(Files.readAllBytes(folder.resolve(ModelMain.ANSWER)), ModelAnswer.class);
    }

    private void end() {
        ModelProcess running = process;
        process = null;
        if (running != null) {
            running.end();
        }
    }

    @Override
    public void close() {
        closed = true;
        end();
    }
}
