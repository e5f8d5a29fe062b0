package org.rankunit.coll.run;

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

    /**
     * On which devices ranks run.
     *
     * @param environment what their processes have in addition
     */
    record Machine(String platform, Map<String, String> environment) {

        static final Machine SIMULATED = new Machine("a2a3sim", Map.of());

        /** The emulated libraries of the vendor that the tests of {@code native-comm} have built. */
        static Machine emulated(String vendor) {
            Path libraries = Path.of("../native-comm/target/native", vendor).toAbsolutePath();
            if (!Files.isDirectory(libraries)) {
                throw new AssertionError(libraries + " is not there: build the tests of native-comm first");
            }
            return new Machine("a2a3", Map.of("LD_LIBRARY_PATH", libraries.toString()));
        }
    }

    private static RankProcess start(RankScenario scenario, int rank, int rankCount, Path folder, Machine machine)
            throws IOException {
        Path output = folder.resolve("output-" + rank);
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        // From JDK 24 on each JVM that loads a library without it prints a warning.
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RankScenario.Main.class.getName(),
                        scenario.name(),
                        Integer.toString(rank),
                        Integer.toString(rankCount),
                        folder.resolve("root").toString(),
                        machine.platform())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(machine.environment());
        return new RankProcess(builder.start(), output);
    }

    /** Starts all ranks on simulated devices, and returns what each has printed when all have ended. */
    static List<String> run(RankScenario scenario, int rankCount, Path folder) throws Exception {
        return run(scenario, rankCount, folder, Machine.SIMULATED);
    }

    static List<String> run(RankScenario scenario, int rankCount, Path folder, Machine machine) throws Exception {
        List<RankProcess> ranks = new ArrayList<>();
        try {
            for (int rank = 0; rank < rankCount; rank++) {
                ranks.add(start(scenario, rank, rankCount, folder, machine));
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

    private String await() throws IOException, InterruptedException {
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
