package org.rankunit.engine.launch;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command line of a rank JVM; the same for all ranks of a run but for their number. */
public final class RankCommand {

    static final String MAIN = "org.rankunit.engine.rank.RankMain";

    private final List<String> command;

    private RankCommand(List<String> command) {
        this.command = command;
    }

    /**
     * Make a command like this JVM's own: its class path, its arguments except those for debugging.
     *
     * @param folder where the argument file with the class path is put: it may be too long for a command line
     */
    public static RankCommand likeThisJvm(Path folder, List<String> extraArguments) throws IOException {
        Path classPath = folder.resolve("classpath.args");
        String joined = RankClassPath.ofThisJvm().stream().map(Path::toString).collect(Collectors.joining(":"));
        Files.writeString(classPath, "-cp\n\"" + joined.replace("\\", "\\\\").replace("\"", "\\\"") + "\"\n");
        List<String> inherited = inherited();
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(defaults(inherited, extraArguments));
        command.addAll(inherited);
        command.addAll(extraArguments);
        command.add("@" + classPath);
        command.add(MAIN);
        return new RankCommand(List.copyOf(command));
    }

    /** What starts fast and stays small, where the user has not chosen otherwise. */
    private static List<String> defaults(List<String> inherited, List<String> extra) {
        List<String> chosen = new ArrayList<>(inherited);
        chosen.addAll(extra);
        List<String> defaults = new ArrayList<>();
        if (chosen.stream().noneMatch(a -> a.matches("-XX:[+]Use\\w+GC"))) {
            defaults.add("-XX:+UseSerialGC");
        }
        if (chosen.stream().noneMatch(a -> a.startsWith("-Xms") || a.startsWith("-XX:InitialHeapSize"))) {
            defaults.add("-Xms16m");
        }
        defaults.add("-XX:-UsePerfData");
        defaults.add("-Xshare:auto");
        return defaults;
    }

    /** Arguments of this JVM that a rank takes over. */
    private static List<String> inherited() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(a -> !a.startsWith("-agentlib:jdwp")
                        && !a.startsWith("-Xrunjdwp")
                        && !a.equals("-Xdebug")
                        && !a.startsWith("-Drankunit.")
                        && !a.startsWith("-Xshare")
                        && !a.startsWith("-XX:SharedArchiveFile")
                        && !a.startsWith("-XX:ArchiveClassesAtExit"))
                .toList();
    }

    /** The command for one rank. */
    List<String> forRank(int rank, Path control) {
        List<String> result = new ArrayList<>(command);
        result.add(Integer.toString(rank));
        result.add(control.toString());
        return result;
    }
}
