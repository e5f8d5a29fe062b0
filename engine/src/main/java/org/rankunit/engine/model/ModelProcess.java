package org.rankunit.engine.model;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.rankunit.engine.config.files.RandomHex;
import org.rankunit.engine.protocol.ProcessMark;
import org.slf4j.LoggerFactory;

/** A process that computes models. Its output is what models print, in which a random word marks its answers. */
final class ModelProcess {

    /** What {@link #ask} has waited for. */
    enum Event {
        /** The answer is in its file. */
        ANSWERED,
        /** The process ends or has ended. */
        ENDED,
        /** Nothing has happened in time. */
        SILENT
    }

    private static final int TOKEN_BYTES = 16;
    private static final Duration EXIT = Duration.ofSeconds(10);

    private final Process process;
    private final ProcessMark mark;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /** Done when the process has ended. Not the end of its output, which descendants may keep open. */
    private final CompletableFuture<Boolean> end;

    private ModelProcess(Process process, ProcessMark mark) {
        this.process = process;
        this.mark = mark;
        this.end = process.onExit().thenApply(ended -> events.add(Event.ENDED));
    }

    /**
     * Start a JVM, to which a token is passed as its last argument.
     *
     * @param mark of this process and of those that it will start
     */
    static ModelProcess start(List<String> command, ProcessMark mark, Consumer<String> console) throws IOException {
        String token = "rankunit-model-" + RandomHex.of(TOKEN_BYTES);
        List<String> all = new ArrayList<>(command);
        all.add(token);
        ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
        mark.putInto(builder);
        Process process = builder.start();
        ModelProcess started = new ModelProcess(process, mark);
        ModelOutput output = new ModelOutput(token, console, () -> started.events.add(Event.ANSWERED));
        Thread reader = new Thread(() -> read(process.getInputStream(), output), "rankunit-model-output");
        reader.setDaemon(true);
        reader.start();
        return started;
    }

    private static void read(InputStream stream, ModelOutput output) {
        try (Reader chars = new BufferedReader(new InputStreamReader(stream, Charset.defaultCharset()))) {
            output.read(chars);
        } catch (IOException e) {
            LoggerFactory.getLogger(ModelProcess.class).debug("the output of models has ended", e);
        }
    }

    boolean isAlive() {
        return !end.isDone();
    }

    /** Whether no process goes on that models have started: it could read the next request, or print. */
    boolean isAlone() {
        return mark.bearers().stream().allMatch(bearer -> bearer.pid() == process.pid());
    }

    /**
     * Ask for a model, and wait for what happens.
     *
     * @param folder has the request
     * @param patience how long to wait; empty for any time
     */
    Event ask(Path folder, Optional<Duration> patience) throws InterruptedException {
        try {
            OutputStream input = process.getOutputStream();
            input.write((folder + "\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
        } catch (IOException e) {
            LoggerFactory.getLogger(ModelProcess.class).debug("the process of models reads nothing", e);
            return Event.ENDED;
        }
        if (patience.isEmpty()) {
            return events.take();
        }
        Event event = events.poll(patience.get().toNanos(), TimeUnit.NANOSECONDS);
        return event == null ? Event.SILENT : event;
    }

    /** Wait for the exit code; empty if it does not come. */
    OptionalInt awaitExit() throws InterruptedException {
        return process.waitFor(EXIT.toMillis(), TimeUnit.MILLISECONDS)
                ? OptionalInt.of(process.exitValue())
                : OptionalInt.empty();
    }

    /** Kill it with the processes that models have started. */
    void end() {
        process.destroyForcibly();
        mark.endBearers(command -> {});
    }
}
