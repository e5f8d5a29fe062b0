package org.rankunit.comm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A rank in a JVM of its own, which runs one {@link RankScenario}; killed with this object. */
final class RankProcess implements AutoCloseable {

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final Process process;

    private final Path output;

    private RankProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static RankProcess start(RankScenario scenario, int rank, int worldSize, Path folder) throws IOException {
        return start(scenario, rank, worldSize, folder, "a2a3sim", Map.of());
    }

    private static RankProcess start(
            RankScenario scenario,
            int rank,
            int worldSize,
            Path folder,
            String platform,
            Map<String, String> environment)
            throws IOException {
        Path output = folder.resolve("output-" + rank);
        Path temp = Files.createDirectories(folder.resolve("tmp"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                // From JDK 24 on each JVM that loads a library without it prints a warning.
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temp,
                "-Djna.platform.library.path=" + temp,
                "-D" + RankScenario.PLATFORM + "=" + platform,
                "-cp",
                System.getProperty("java.class.path"),
                RankScenario.Main.class.getName(),
                scenario.name(),
                Integer.toString(rank),
                Integer.toString(worldSize),
                folder.resolve("root").toString()));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        return new RankProcess(process, output);
    }

    /** Starts all ranks, and returns what each has printed when all have ended. */
    static List<String> run(RankScenario scenario, int worldSize, Path folder) throws Exception {
        return run(scenario, worldSize, folder, "a2a3sim", Map.of());
    }

    /** The same on another platform, with more environment variables. */
    static List<String> run(
            RankScenario scenario, int worldSize, Path folder, String platform, Map<String, String> environment)
            throws Exception {
        List<RankProcess> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < worldSize; rank++) {
                ranks.add(start(scenario, rank, worldSize, folder, platform, environment));
            }
            List<String> outputs = new ArrayList<>();
            for (RankProcess rank : ranks) {
                outputs.add(rank.await());
            }
            return outputs;
        } finally {
            ranks.forEach(RankProcess::close);
        }
    }

    /** What the process has printed, once it has ended. */
    String await() throws IOException, InterruptedException {
        if (!process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the rank has not ended in " + DEADLINE + ": " + printed());
        }
        return printed();
    }

    private String printed() throws IOException {
        return Files.readString(output, StandardCharsets.UTF_8).strip();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
