package org.rankunit.benchmarks.overhead;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Kept processes with a kept gloo group: one all-reduce of 256 floats with a check per test. */
final class GlooPeer {

    static final String NAME = "gloo, kept processes";

    private final Path script;
    private final boolean present;

    GlooPeer(Path script) throws IOException, InterruptedException {
        this.script = script;
        this.present = new ProcessBuilder("python3", "-c", "import torch.distributed")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** Whether PyTorch is installed. */
    boolean isPresent() {
        return present;
    }

    /** Milliseconds per test, or {@code null} where PyTorch is not installed. */
    @Nullable Double millisPerTest(int ranks, int tests) throws IOException, InterruptedException {
        if (!present) {
            return null;
        }
        Process peer = new ProcessBuilder(
                        "python3", script.toString(), Integer.toString(ranks), Integer.toString(tests))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String out = new String(peer.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (peer.waitFor() != 0) {
            throw new IOException(script + " failed");
        }
        return Double.valueOf(out);
    }
}
