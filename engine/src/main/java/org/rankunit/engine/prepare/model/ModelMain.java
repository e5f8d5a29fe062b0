package org.rankunit.engine.prepare.model;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.compile.cache.KernelCache;
import org.rankunit.engine.protocol.ProcessMark;
import org.rankunit.engine.protocol.wire.Channel;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.slf4j.LoggerFactory;

/**
 * Entry point of the JVM in which golden models are computed. Its input has a line for each model: the folder with the
 * {@value #REQUEST}, into which it writes what the model gives, and then the {@value #ANSWER}. After that it prints its only argument, which
 * nothing else prints, at the end of a line. It ends with its input, which is when its parent ends, and with it the processes that models
 * have started.
 */
public final class ModelMain {

    /** A {@link ModelRequest}. */
    public static final String REQUEST = "request.json";

    /** A {@link ModelAnswer}. */
    public static final String ANSWER = "answer.json";

    /** Other than the standard output, no model can close it. */
    private final OutputStream output;

    private final JvmState state;
    private final byte[] token;

    /** The model that is being computed. Guarded by this. */
    private @Nullable Path current;

    private ModelMain(OutputStream output, String token) {
        this.output = output;
        this.state = JvmState.now(output);
        this.token = (token + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Compute models until the input ends. */
    public static void main(String[] args) throws IOException {
        InputStream requests = System.in;
        System.setIn(InputStream.nullInputStream());
        new ModelMain(Files.newOutputStream(Path.of("/dev/stdout")), args[0]).serve(requests);
    }

    private void serve(InputStream requests) throws IOException {
        Runtime.getRuntime().addShutdownHook(new Thread(this::exits, "rankunit-model-exit"));
        ExecutorService worker = Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "rankunit-golden-models");
            thread.setDaemon(true);
            return thread;
        });
        BufferedReader lines = new BufferedReader(new InputStreamReader(requests, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Path folder = Path.of(line);
            worker.execute(() -> compute(folder));
        }
        // Those that models have started.
        ProcessMark.ofThisProcess().ifPresent(mark -> mark.endBearers(command -> {}));
        // Not exit: a model may be at work, and its hooks may wait for it.
        Runtime.getRuntime().halt(Channel.LOST_EXIT_CODE);
    }

    private void compute(Path folder) {
        begin(folder);
        state.restore();
        try {
            ModelRequest request =
                    new RecordCodec().decode(Files.readAllBytes(folder.resolve(REQUEST)), ModelRequest.class);
            answer(folder, answerTo(request, folder));
        } catch (IOException e) {
            System.err.println("rankunit: the result of a golden model cannot be written: " + e);
            Runtime.getRuntime().halt(1);
        }
    }

    private static ModelAnswer answerTo(ModelRequest request, Path folder) {
        String what = request.variant().source().place() + ": the golden model "
                + request.variant().source().model();
        try {
            return ModelWork.compute(request, folder);
        } catch (IOException e) {
            makeRoom(folder);
            return new ModelAnswer.Refused(
                    what + ": its results cannot be written to " + folder + ": " + e
                            + ". Make room there, or set XDG_CACHE_HOME.",
                    false);
        } catch (InterruptedException | RuntimeException | Error e) {
            // Out of memory, for one. Nothing else would report it.
            return new ModelAnswer.Refused(what + " was not computed: " + e + ".", true);
        }
    }

    /** For the answer, where no space is left. */
    private static void makeRoom(Path folder) {
        try {
            KernelCache.remove(folder.resolve(ModelFiles.INPUTS));
            KernelCache.remove(folder.resolve(ModelFiles.OUTPUTS));
        } catch (IOException e) {
            LoggerFactory.getLogger(ModelMain.class).warn("{} cannot be emptied", folder, e);
        }
    }

    private synchronized void begin(Path folder) {
        current = folder;
    }

    private synchronized void answer(Path folder, ModelAnswer answer) throws IOException {
        write(folder, answer);
        current = null;
        // At once: other threads may print, too.
        output.write(token);
    }

    private synchronized void exits() {
        Path folder = current;
        if (folder != null) {
            try {
                write(folder, new ModelAnswer.Exits(ModelRun.placeOfExit()));
            } catch (IOException e) {
                LoggerFactory.getLogger(ModelMain.class).warn("{} has no answer", folder, e);
            }
        }
    }

    private static void write(Path folder, ModelAnswer answer) throws IOException {
        Path whole = folder.resolve(ANSWER + ".new");
        Files.write(whole, new RecordCodec().encode((Record) answer, ModelAnswer.class));
        Files.move(whole, folder.resolve(ANSWER), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
