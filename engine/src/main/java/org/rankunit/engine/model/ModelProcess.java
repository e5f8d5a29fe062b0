package org.rankunit.engine.model;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
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
    private final String token;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    /** Done when the process has ended. Not the end of its output, which descendants may keep open. */
    private final CompletableFuture<Boolean> end;

    private ModelProcess(Process process, String token) {
        this.process = process;
        this.token = token;
        this.end = process.onExit().thenApply(ended -> events.add(Event.ENDED));
    }

    /** Start a JVM, to which a token is passed as its last argument. */
    static ModelProcess start(List<String> command, Consumer<String> console) throws IOException {
        String token = "rankunit-model-" + RandomHex.of(TOKEN_BYTES);
        List<String> all = new ArrayList<>(command);
        all.add(token);
        Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
        ModelProcess started = new ModelProcess(process, token);
        Thread reader = new Thread(() -> started.read(process.getInputStream(), console), "rankunit-model-output");
        reader.setDaemon(true);
        reader.start();
        return started;
    }

    private void read(InputStream output, Consumer<String> console) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(output, Charset.defaultCharset()))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                boolean answers = line.endsWith(token);
                String printed = answers ? line.substring(0, line.length() - token.length()) : line;
                if (!answers || !printed.isEmpty()) {
                    console.accept(printed);
                }
                if (answers) {
                    events.add(Event.ANSWERED);
                }
            }
        } catch (IOException e) {
            LoggerFactory.getLogger(ModelProcess.class).debug("the output of models has ended", e);
        }
    }

    boolean isAlive() {
        return !end.isDone();
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

    /** Kill it with the processes that it has started. */
    void end() {
        List<ProcessHandle> descendants = process.descendants().toList();
        process.destroyForcibly();
        descendants.forEach(ProcessHandle::destroyForcibly);
    }
}
