package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.rankunit.engine.launch.command.ArchiveOfTests;
import org.rankunit.engine.launch.command.JavaOfTests;

/** A run in a process of its own, as build tools have them, below a shell that makes its world; and what came of it. */
final class ParentRun {

    private static final String RESULTS = "results";

    private final Path folder;
    private final Process process;
    private final RankStarts starts;

    private ParentRun(Path folder, Process process, RankStarts starts) {
        this.folder = folder;
        this.process = process;
        this.starts = starts;
    }

    /** What is to be run, and how. */
    static final class Order {

        private final Path folder;
        private final List<String> prefix = new ArrayList<>();
        private final List<String> arguments = new ArrayList<>();
        private final Map<String, String> environment = new LinkedHashMap<>();
        private final Map<String, String> parameters = new LinkedHashMap<>();
        private String classPath = System.getProperty("java.class.path");
        private Path directory = Path.of("");
        private String script = "exec \"$@\"";

        /** @param folder where results are told, and where everything lies for which no other place is given */
        Order(Path folder) {
            this.folder = folder;
            parameter("rankunit.sim.devices", "4");
            parameter("rankunit.pool-dir", folder.resolve("pool").toString());
            parameter("rankunit.output-dir", folder.resolve("out").toString());
        }

        /** Let this program start the shell. */
        Order startedBy(List<String> program) {
            prefix.addAll(program);
            return this;
        }

        /** Let the shell do this; the run itself is {@code "$@"}. */
        Order script(String lines) {
            script = lines;
            return this;
        }

        Order jvmArgument(String argument) {
            arguments.add(argument);
            return this;
        }

        /** Run where the user's project would be. */
        Order in(Path project) {
            directory = project;
            return this;
        }

        /** Let copies of all classes be used, which other users can read. */
        Order readableByAll() throws IOException {
            List<String> copies = new ArrayList<>();
            for (String entry : classPath.split(File.pathSeparator, -1)) {
                if (entry.isEmpty()) {
                    // Surefire's class path ends with one, which would be all of this module, as far as it has been
                    // built.
                    continue;
                }
                Path copy = folder.resolve("lib").resolve(Integer.toString(copies.size()));
                copyTree(Path.of(entry), Files.isDirectory(Path.of(entry)) ? copy : Path.of(copy + ".jar"));
                copies.add(Files.isDirectory(Path.of(entry)) ? copy.toString() : copy + ".jar");
            }
            classPath = String.join(File.pathSeparator, copies);
            return this;
        }

        private static void copyTree(Path from, Path to) throws IOException {
            Files.createDirectories(to.getParent());
            try (Stream<Path> files = Files.walk(from)) {
                for (Path file : files.toList()) {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                }
            }
        }

        String classPath() {
            return classPath;
        }

        /** Let the classes of one place be those of another. */
        Order classesOf(Path place, Path instead) {
            classPath = classPath.replace(place.toString(), instead.toString());
            return this;
        }

        Order environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        Order parameter(String key, String value) {
            parameters.put(key, value);
            return this;
        }

        ParentRun start(Class<?>... types) throws IOException {
            ArchiveOfTests.prepare();
            List<String> command = new ArrayList<>(prefix);
            command.addAll(List.of("sh", "-c", script, "sh"));
            command.addAll(JavaOfTests.command("-Xmx256m", "-Djava.io.tmpdir=" + folder, "-Dcases.notes=" + folder));
            command.addAll(arguments);
            command.addAll(List.of("-cp", classPath, Main.class.getName()));
            command.add(folder.toString());
            parameters.forEach((key, value) -> command.add(key + "=" + value));
            Arrays.stream(types).map(Class::getName).forEach(command::add);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toAbsolutePath().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("printed").toFile());
            builder.environment().putAll(environment);
            RankStarts starts = RankStarts.of(Path.of(parameters.get("rankunit.output-dir")));
            return new ParentRun(folder, builder.start(), starts);
        }

        /** Run to the end, which must come. */
        ParentRun run(Class<?>... types) throws IOException, InterruptedException {
            ParentRun run = start(types);
            run.awaitEnd();
            return run;
        }
    }

    /** Runs classes and writes down what came of them, where the faults of the test do not reach. */
    static final class Main {

        public static void main(String[] args) throws Exception {
            Path folder = Path.of(args[0]);
            Map<String, String> parameters = new LinkedHashMap<>();
            List<Class<?>> types = new ArrayList<>();
            for (String arg : List.of(args).subList(1, args.length)) {
                int equals = arg.indexOf('=');
                if (equals < 0) {
                    types.add(Class.forName(arg));
                } else {
                    parameters.put(arg.substring(0, equals), arg.substring(equals + 1));
                }
            }
            EngineRun run = EngineRun.printing(folder, parameters, types.toArray(Class<?>[]::new));
            List<String> told = new ArrayList<>();
            types.forEach(type -> run.results(type).forEach(result -> told.add("result " + result)));
            run.messages().forEach(message -> told.add("message " + message.replace("\n", "\\n")));
            run.imbalance().forEach(wrong -> told.add("imbalance " + wrong));
            Files.write(folder.resolve(RESULTS), told);
        }
    }

    Process process() {
        return process;
    }

    void awaitEnd() throws InterruptedException {
        boolean ended = process.waitFor(90, TimeUnit.SECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        assertThat(ended).as("the run comes to its end").isTrue();
        starts.add();
    }

    /** The results of all tests in their order, as in {@code "FAILED a()"}. */
    List<String> results() throws IOException {
        assertThat(told("imbalance ")).isEmpty();
        return told("result ");
    }

    /** What everything that failed has to say, tests and containers. */
    List<String> messages() throws IOException {
        return told("message ").stream().map(text -> text.replace("\\n", "\n")).toList();
    }

    /** What the run and its shell have printed. */
    String printed() throws IOException {
        return Files.readString(folder.resolve("printed"));
    }

    private List<String> told(String kind) throws IOException {
        Path file = folder.resolve(RESULTS);
        assertThat(file).as("results of a run that printed\n" + printed()).exists();
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(kind))
                .map(line -> line.substring(kind.length()))
                .toList();
    }
}
