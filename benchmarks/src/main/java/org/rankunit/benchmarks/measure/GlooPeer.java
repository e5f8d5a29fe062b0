package org.rankunit.benchmarks.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A peer program in Python whose ranks use gloo, as PyTorch has it; absent where PyTorch is not installed. */
public final class GlooPeer {

    private final Path script;
    private final boolean present;

    public GlooPeer(Path script) throws IOException, InterruptedException {
        this.script = script;
        this.present = new ProcessBuilder("python3", "-c", "import torch.distributed")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** Whether PyTorch is installed. */
    public boolean isPresent() {
        return present;
    }

    /** The number that it prints, or {@code null} where PyTorch is not installed. */
    public @Nullable Double run(String... arguments) throws IOException, InterruptedException {
        if (!present) {
            return null;
        }
        List<String> command = new ArrayList<>(List.of("python3", script.toString()));
        command.addAll(List.of(arguments));
        Process peer = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(peer.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (peer.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + output);
        }
        return Double.valueOf(output);
    }
}
