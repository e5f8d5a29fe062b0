package org.rankunit.collective.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A rank in a JVM of its own, which runs {@link RankScenario}s one after the other: starting a JVM takes longer than most of them.
 */
final class RankProcess implements AutoCloseable {

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    /** Those that can run the next scenario, by machine and rank. */
    private static final Map<Machine, Map<Integer, RankProcess>> IDLE = new HashMap<>();

    private final Process process;
    private final BufferedReader endings;

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

    private RankProcess(Machine machine) {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        // From JDK 24 on each JVM that loads a library without it prints a warning.
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RankScenario.Main.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(machine.environment());
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        endings = process.inputReader();
    }

    /** Runs a scenario on simulated devices, and returns what each rank has printed when all have ended. */
    static List<String> run(RankScenario scenario, int worldSize, Path folder) throws Exception {
        return run(scenario, worldSize, folder, Machine.SIMULATED);
    }

    static List<String> run(RankScenario scenario, int worldSize, Path folder, Machine machine) throws Exception {
        Map<Integer, RankProcess> idle = IDLE.computeIfAbsent(machine, missing -> new HashMap<>());
        List<RankProcess> ranks = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            RankProcess known = idle.remove(rank);
            ranks.add(known == null ? new RankProcess(machine) : known);
        }
        try {
            Path common = Files.createTempDirectory(folder, scenario.name());
            for (int rank = 0; rank < worldSize; rank++) {
                ranks.get(rank).begin(scenario, rank, worldSize, common, machine);
            }
            List<String> outputs = new ArrayList<>();
            for (int rank = 0; rank < worldSize; rank++) {
                boolean goesOn = ranks.get(rank).awaitEnd();
                outputs.add(Files.readString(output(common, rank)).strip());
                if (goesOn) {
                    idle.put(rank, ranks.get(rank));
                }
            }
            return outputs;
        } finally {
            ranks.removeAll(idle.values());
            ranks.forEach(RankProcess::close);
        }
    }

    private static Path output(Path folder, int rank) {
        return folder.resolve("output-" + rank);
    }

    private void begin(RankScenario scenario, int rank, int worldSize, Path folder, Machine machine)
            throws IOException {
        Writer writer = process.outputWriter();
        writer.write(String.join(
                "\t",
                scenario.name(),
                Integer.toString(rank),
                Integer.toString(worldSize),
                folder.resolve("root").toString(),
                machine.platform(),
                output(folder, rank).toString()));
        writer.write("\n");
        writer.flush();
    }

    /** Returns whether the process can run another scenario; otherwise it has ended. */
    private boolean awaitEnd() throws Exception {
        String line = CompletableFuture.supplyAsync(this::nextLine).get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        if (line.isEmpty()) {
            return false;
        }
        assertThat(line).isEqualTo(RankScenario.ENDED);
        return true;
    }

    private String nextLine() {
        try {
            return Objects.requireNonNullElse(endings.readLine(), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends all of them. */
    static void closeAll() {
        IDLE.values().forEach(idle -> idle.values().forEach(RankProcess::close));
        IDLE.clear();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
