package org.rankunit.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A peer program in C, compiled beforehand by {@code run.sh}; absent where that could not be. */
final class CPeer {

    private final Path program;

    CPeer(Path program) {
        this.program = program;
    }

    boolean isPresent() {
        return program.toFile().canExecute();
    }

    /** The numbers that it prints. */
    List<Double> run(List<String> launcher, String... arguments) throws IOException, InterruptedException {
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
