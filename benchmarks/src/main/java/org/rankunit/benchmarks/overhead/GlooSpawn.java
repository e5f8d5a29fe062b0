package org.rankunit.benchmarks.overhead;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Processes and a gloo group that are spawned for one test. Its own start, and that of PyTorch in it, is not measured. */
final class GlooSpawn implements AutoCloseable {

    static final String NAME = "gloo, spawned";

    private final @Nullable Process process;

    /** @param present whether PyTorch is installed */
    GlooSpawn(Path script, int ranks, boolean present) throws IOException {
        process = present
                ? new ProcessBuilder("python3", script.toString(), Integer.toString(ranks))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start()
                : null;
    }

    /** Seconds of one test, or {@code null} where PyTorch is not installed. */
    @Nullable Double seconds() throws IOException {
        if (process == null) {
            return null;
        }
        Writer input = process.outputWriter();
        input.write("\n");
        input.flush();
        BufferedReader output = process.inputReader();
        String millis = output.readLine();
        if (millis == null) {
            throw new IOException("the peer that spawns processes has ended");
        }
        return Double.parseDouble(millis) / 1e3;
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroy();
        }
    }
}
