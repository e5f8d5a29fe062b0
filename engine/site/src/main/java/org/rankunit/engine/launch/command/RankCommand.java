package org.rankunit.engine.launch.command;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.comm.jna.load.UnpackedLibraries;
import org.rankunit.engine.config.files.PrivateFolder;
import org.rankunit.engine.launch.SessionFolder;
import org.rankunit.engine.protocol.wire.ControlAddress;

/**
 * The command line of a rank JVM. It is the same for all ranks of a run, except for the number of the rank, its group, its crash
 * report and its debug port. Owns the archive of classes that makes ranks start fast.
 */
public final class RankCommand implements AutoCloseable {

    /** What the main class takes in place of a rank's number if the rank is a task of a step. */
    private static final String TASK = "slurm";

    /** The argument file with a part of the class path, beside that with all of it. */
    private static final String FRAMEWORKS = "frameworks.args";

    static final String MAIN = "org.rankunit.engine.rank.RankMain";

    /** An argument that loads an agent into the JVM from a file. */
    private static final Pattern AGENT = Pattern.compile("-(?:javaagent|agentpath):([^=]+)(?:=.*)?");

    private final List<String> java;
    private final StartOptions options;
    private final String jupiter = RankClassPath.jupiter().getClass().getName();
    private final Path classPath;
    private final Path libraries;
    private final List<Path> frameworks;
    private final List<Path> entries;
    private final Optional<ClassArchive> archive;

    private RankCommand(
            List<String> java,
            StartOptions options,
            Path classPath,
            Path libraries,
            List<Path> frameworks,
            List<Path> entries,
            Optional<ClassArchive> archive) {
        this.java = java;
        this.options = options;
        this.classPath = classPath;
        this.libraries = libraries;
        this.frameworks = frameworks;
        this.entries = entries;
        this.archive = archive;
    }

    /**
     * Make a command like that of this JVM: with its class path, and its arguments except those for debugging.
     *
     * @param folder where the argument file with the class path is written, since the class path may be too long for a command line
     */
    public static RankCommand likeThisJvm(SessionFolder folder, List<String> extraArguments) throws IOException {
        try {
            return writtenTo(folder.path(), extraArguments);
        } catch (IOException e) {
            throw new IOException(folder.failed("cannot write into the session folder", e), e);
        }
    }

    private static RankCommand writtenTo(Path folder, List<String> extraArguments) throws IOException {
        RankClassPath classPath = RankClassPath.ofThisJvm();
        Path file = folder.resolve("classpath.args");
        Files.writeString(file, argumentsFor(classPath.entries()));
        Files.writeString(folder.resolve(FRAMEWORKS), argumentsFor(classPath.frameworks()));
        List<String> inherited = inherited();
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        List<String> chosen = new ArrayList<>(inherited);
        chosen.addAll(extraArguments);
        StartOptions options = new StartOptions(
                chosen, Runtime.getRuntime().availableProcessors(), RankCommand.class.desiredAssertionStatus());
        java.addAll(options.ofAll());
        Path libraries = folder.resolve("native");
        PrivateFolder.prepare(libraries, "set java.io.tmpdir");
        UnpackedLibraries.into(libraries).forEach((key, value) -> java.add("-D" + key + "=" + value));
        Optional<ClassArchive> archive =
                choosesClassSharing(extraArguments) ? Optional.empty() : ClassArchive.of(classPath.frameworks());
        archive.ifPresent(a -> a.buildInBackground(List.copyOf(java), folder));
        java.addAll(inherited);
        java.addAll(extraArguments);
        return new RankCommand(
                List.copyOf(java), options, file, libraries, classPath.frameworks(), classPath.entries(), archive);
    }

    /** The content of an argument file with this class path. */
    public static String argumentsFor(List<Path> entries) {
        String joined = entries.stream().map(Path::toString).collect(Collectors.joining(":"));
        return "-cp\n\"" + joined.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n";
    }

    /** With some of these options a JVM refuses to start if an archive is specified as well. */
    private static boolean choosesClassSharing(List<String> extraArguments) {
        List<String> chosen = new ArrayList<>(extraArguments);
        for (String variable : List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")) {
            String options = System.getenv(variable);
            if (options != null) {
                chosen.addAll(List.of(options.strip().split("\\s+")));
            }
        }
        return chosen.stream()
                .anyMatch(a -> a.startsWith("-Xshare")
                        || a.startsWith("-XX:SharedArchiveFile")
                        || a.startsWith("-XX:ArchiveClassesAtExit")
                        || a.startsWith("-XX:AOT"));
    }

    /** Arguments of this JVM that a rank inherits. */
    private static List<String> inherited() {
        return ModuleOptions.of(ManagementFactory.getRuntimeMXBean().getInputArguments()).arguments().stream()
                .filter(a -> !a.startsWith("-agentlib:jdwp")
                        && !a.startsWith("-Xrunjdwp")
                        && !a.equals("-Xdebug")
                        && !a.startsWith("-Drankunit.")
                        // IntelliJ's agent, which stops and dumps only the JVM that it knows of.
                        && !(a.startsWith("-javaagent:") && a.contains("idea_rt.jar"))
                        && !a.startsWith("-Xshare")
                        && !a.startsWith("-XX:SharedArchiveFile")
                        && !a.startsWith("-XX:ArchiveClassesAtExit")
                        && !a.startsWith("-XX:AOT"))
                .toList();
    }

    /** The class path of the ranks: folders and jars. */
    public List<Path> classPath() {
        return entries;
    }

    /** The part of it that has RankUnit, JUnit and what they need. */
    public List<Path> frameworks() {
        return frameworks;
    }

    /** The folder of native libraries. */
    public Path libraries() {
        return libraries;
    }

    /** What a rank on another machine needs besides the libraries and the JDK: the class path, and agents of the JVM. */
    public List<Path> filesForNodes() {
        return Stream.concat(
                        entries.stream(),
                        java.stream()
                                .map(AGENT::matcher)
                                .filter(Matcher::matches)
                                .map(agent -> Path.of(agent.group(1))))
                .filter(Files::exists)
                .distinct()
                .toList();
    }

    /**
     * The same command for machines that have copies of its files. Where an argument of the JVM names a file that was copied, or one
     * in a folder that was, it then names the copy. An archive of classes is not used there, since it knows the times of its jars, nor
     * is a folder for temporary files.
     *
     * @param arguments a copy of the argument file that {@link #argumentsFor} makes
     * @param copies where the copies are
     */
    public RankCommand movedTo(Path arguments, Map<Path, Path> copies) {
        return new RankCommand(
                java.stream()
                        .filter(argument -> !argument.startsWith("-Djava.io.tmpdir="))
                        .map(argument -> moved(argument, copies))
                        .toList(),
                options,
                arguments,
                copies.getOrDefault(libraries, libraries),
                frameworks,
                entries.stream().map(entry -> copies.getOrDefault(entry, entry)).toList(),
                Optional.empty());
    }

    static String moved(String argument, Map<Path, Path> copies) {
        // All at once: a copy may lie where another file was.
        String files = copies.keySet().stream()
                .map(Path::toString)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        return Pattern.compile("(?<![^=:,\"])(?:" + files + ")(?=[/=:,\"]|$)")
                .matcher(argument)
                .replaceAll(found -> Matcher.quoteReplacement(String.valueOf(copies.get(Path.of(found.group())))));
    }

    /** The class of Jupiter's engine. */
    public String jupiter() {
        return jupiter;
    }

    /**
     * The command for one rank.
     *
     * @param ranks number of ranks of its group
     * @param crashReport where its JVM writes a report if native code crashes it
     * @param debugPort where the rank listens for a debugger before it does anything else, 0 for any free port; or null
     */
    public List<String> forRank(
            int rank, int ranks, ControlAddress control, Path crashReport, @Nullable Integer debugPort) {
        return command(
                Integer.toString(rank), ranks, control, crashReport.toString().replace("%", "%%"), debugPort);
    }

    /**
     * The command for all ranks of a group that are tasks of one step.
     *
     * @param crashReport where the JVM of a rank writes a report, with the placeholder {@code %p} for the id of its process
     */
    public List<String> forTasks(int ranks, ControlAddress control, String crashReport) {
        return command(TASK, ranks, control, crashReport, null);
    }

    private List<String> command(
            String rank, int ranks, ControlAddress control, String crashReport, @Nullable Integer debugPort) {
        List<String> result = new ArrayList<>(java);
        result.addAll(options.ofGroup(ranks));
        // A percent sign starts a placeholder in this option.
        result.add("-XX:ErrorFile=" + crashReport);
        if (debugPort != null) {
            result.add("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:" + debugPort);
        }
        archive.ifPresent(a -> result.addAll(a.arguments()));
        result.add("@" + classPath);
        result.add(MAIN);
        result.add(rank);
        result.add(control.toString());
        return result;
    }

    /**
     * The command for a JVM of RankUnit's own, with the options of a rank, but with RankUnit and what it needs alone on its class path.
     *
     * @param main its main class
     * @param crashReport where it writes a report if native code crashes it
     */
    public List<String> forOwn(String main, Path crashReport) {
        List<String> result = new ArrayList<>(java);
        result.add("-XX:ErrorFile=" + crashReport.toString().replace("%", "%%"));
        archive.ifPresent(a -> result.addAll(a.arguments()));
        result.add("@" + classPath.resolveSibling(FRAMEWORKS));
        result.add(main);
        return List.copyOf(result);
    }

    @Override
    public void close() {
        archive.ifPresent(ClassArchive::close);
    }
}
