package org.rankunit.cli;

import com.sun.jna.Native;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.device.Device;
import org.rankunit.engine.compile.KernelResult;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.report.RunReport;
import org.rankunit.pool.DevicePool;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** Another JVM with what the runnable jar has on its class path: nothing of JUnit. Ended on close. */
final class OtherJvm implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 120;

    private final Process process;
    private final BufferedReader output;

    private OtherJvm(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    /** What a command has said, and its exit code. */
    record Said(int code, List<String> out, String err) {

        String text() {
            return String.join("\n", out);
        }
    }

    /** One that leases devices of a pool, or waits for them. */
    static OtherJvm leasing(Path folder, int devices, int count, String test) throws IOException {
        return new OtherJvm(start(
                Map.of(),
                List.of(),
                PoolUser.class,
                ProcessBuilder.Redirect.INHERIT,
                folder.toString(),
                String.valueOf(devices),
                String.valueOf(count),
                test));
    }

    /** The command line, which goes on. */
    static OtherJvm running(String... arguments) throws IOException {
        return new OtherJvm(
                start(Map.of(), List.of(), RankUnitCommand.class, ProcessBuilder.Redirect.INHERIT, arguments));
    }

    /** One that runs the command line whenever it is told to, with fresh objects but the statics of the runs before. */
    static OtherJvm ofManyCommands() throws IOException {
        return new OtherJvm(start(Map.of(), List.of(), ManyCommands.class, ProcessBuilder.Redirect.INHERIT));
    }

    /** Run the command line in this JVM, which is {@link #ofManyCommands}. */
    Said run(String... arguments) throws Exception {
        Writer commands = process.outputWriter();
        commands.write(ManyCommands.encode(arguments) + "\n");
        commands.flush();
        List<String> said = ManyCommands.decode(
                CompletableFuture.supplyAsync(this::nextLine).get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        return new Said(Integer.parseInt(said.get(0)), said.get(1).lines().toList(), said.get(2));
    }

    /** Run the command line, and wait for its end. */
    static Said rankunit(String... arguments) throws Exception {
        return rankunit(List.of(), arguments);
    }

    /** The same with options for the JVM. */
    static Said rankunit(List<String> options, String... arguments) throws Exception {
        return rankunit(Map.of(), options, arguments);
    }

    /** The same with variables of the environment. */
    static Said rankunit(Map<String, String> environment, List<String> options, String... arguments) throws Exception {
        Path errors = Files.createTempFile("rankunit-cli", ".err");
        try (OtherJvm jvm = new OtherJvm(start(
                environment, options, RankUnitCommand.class, ProcessBuilder.Redirect.to(errors.toFile()), arguments))) {
            List<String> lines = CompletableFuture.supplyAsync(
                            () -> jvm.output.lines().toList())
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!jvm.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("rankunit " + List.of(arguments) + " does not end");
            }
            return new Said(jvm.process.exitValue(), lines, Files.readString(errors));
        } finally {
            Files.delete(errors);
        }
    }

    private static Process start(
            Map<String, String> environment,
            List<String> options,
            Class<?> main,
            ProcessBuilder.Redirect errors,
            String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(main)));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
        builder.environment().put("COLUMNS", "200");
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static String classPath(Class<?> main) {
        Stream<Class<?>> types = Stream.of(
                main,
                RankUnitCommand.class,
                DevicePool.class,
                Device.class,
                DType.class,
                CollectiveAlgorithm.class,
                ConfigKey.class,
                KernelResult.class,
                RunReport.class,
                Native.class,
                CommandLine.class,
                LoggerFactory.class,
                API.class);
        return Stream.concat(types, hidden())
                .map(OtherJvm::locationOf)
                .distinct()
                .collect(Collectors.joining(":"));
    }

    /** What the jars of the engine and of collectives have under other names. Needed where these are folders of classes. */
    private static Stream<Class<?>> hidden() {
        return Stream.of(
                        "com.fasterxml.jackson.core.JsonFactory",
                        "com.fasterxml.jackson.dataformat.yaml.YAMLFactory",
                        "org.yaml.snakeyaml.Yaml")
                .flatMap(name -> {
                    try {
                        return Stream.of(Class.forName(name));
                    } catch (ClassNotFoundException e) {
                        return Stream.empty();
                    }
                });
    }

    private static String locationOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Wait until it says that it has its devices. */
    void awaitLease() throws Exception {
        String line = CompletableFuture.supplyAsync(this::nextLine).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!"leased".equals(line)) {
            throw new AssertionError("process " + pid() + " said \"" + line + "\"");
        }
    }

    /** Wait for a line that begins like this. */
    String awaitLine(String begin) throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    String line = nextLine();
                    while (!line.startsWith(begin)) {
                        if (line.equals("null")) {
                            throw new AssertionError("no line begins with \"" + begin + "\"");
                        }
                        line = nextLine();
                    }
                    return line;
                })
                .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Send SIGTERM or SIGKILL, and wait for the end. */
    void end(boolean gently) throws InterruptedException {
        if (gently) {
            process.destroy();
        } else {
            process.destroyForcibly();
        }
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("process " + pid() + " does not end");
        }
    }

    private String nextLine() {
        try {
            return String.valueOf(output.readLine());
        } catch (IOException e) {
            return e.toString();
        }
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
