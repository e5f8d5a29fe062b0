package org.rankunit.benchmarks.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A peer program in C, compiled beforehand by {@code run.sh}; absent where that could not be. */
public final class CPeer {

    private final Path program;

    public CPeer(Path program) {
        this.program = program;
    }

    public boolean isPresent() {
        return program.toFile().canExecute();
    }

    /** The numbers that it prints. */
    public List<Double> run(List<String> launcher, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(launcher);
        command.add(program.toString());
        command.addAll(List.of(arguments));
        Process peer = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(peer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (peer.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + output);
        }
        return output.lines().map(Double::valueOf).toList();
    }
}
