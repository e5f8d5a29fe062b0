package org.rankunit.engine.launch.local;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.engine.launch.GroupLaunch;
import org.rankunit.engine.launch.LaunchedRanks;
import org.rankunit.engine.launch.RankLauncher;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.launch.command.RankCommand;
import org.rankunit.engine.launch.command.ShellCommand;
import org.rankunit.engine.protocol.ProcessMark;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts ranks as processes of this machine, one after the other, or leaves one to a person in a terminal. */
public final class LocalLauncher implements RankLauncher {

    /** Beginnings of the names of variables that decide which native libraries a process loads, and how these behave. */
    private static final List<String> NATIVE = List.of("LD_", "ASCEND", "HCCL_", "RANKUNIT_");

    private final RankCommand command;
    private final Path logs;
    private final Path workingDirectory;
    private final Map<String, String> environment;

    /**
     * Prepare to start ranks.
     *
     * @param logs folder of the ranks' logs; it is created if necessary
     * @param environment additional environment variables of the ranks, besides those of this process
     */
    public LocalLauncher(RankCommand command, Path logs, Path workingDirectory, Map<String, String> environment) {
        this.command = command;
        this.logs = logs;
        this.workingDirectory = workingDirectory;
        this.environment = Map.copyOf(environment);
    }

    @Override
    public LaunchedRanks start(GroupLaunch group) throws IOException {
        Files.createDirectories(logs);
        LocalRanks ranks = new LocalRanks(ProcessMark.ofGroup(group.folder()));
        boolean complete = false;
        try {
            for (int rank = 0; rank < group.devices().size(); rank++) {
                if (group.manualRanks().contains(rank)) {
                    ranks.add(leaveToAPerson(group, rank));
                } else {
                    ranks.add(start(group, rank));
                }
            }
            complete = true;
            return ranks;
        } finally {
            if (!complete) {
                ranks.end(() -> {}, Duration.ZERO);
            }
        }
    }

    private Path freshLog(GroupLaunch group, int rank, String text) throws IOException {
        Files.deleteIfExists(crashReport(group, rank));
        return Files.writeString(
                logs.resolve(nameOf(group, rank) + ".log"),
                text,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING);
    }

    private Path crashReport(GroupLaunch group, int rank) {
        return logs.resolve(nameOf(group, rank) + "-hs_err.log");
    }

    private static String nameOf(GroupLaunch group, int rank) {
        return "group-" + group.number() + "-rank-" + rank;
    }

    private List<String> commandOf(GroupLaunch group, int rank) {
        return command.forRank(
                rank,
                group.devices().size(),
                group.control(),
                crashReport(group, rank),
                group.debugPorts().get(rank));
    }

    /**
     * A terminal is no pipe that ends with this process, and a debugger needs its input for itself. So the token is in a private
     * file. The rank gets no mark, by which the terminal's own processes might be taken for ours and ended.
     */
    private ManualRank leaveToAPerson(GroupLaunch group, int rank) throws IOException {
        Path token = group.folder().resolve("token-" + rank);
        Files.createFile(token, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(token, group.token() + "\n");
        List<String> line = new ArrayList<>(commandOf(group, rank));
        line.add(token.toString());
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.keySet().removeIf(name -> NATIVE.stream().noneMatch(name::startsWith));
        variables.remove(ProcessMark.VARIABLE);
        variables.putAll(environment);
        RankLog log = new RankLog(freshLog(group, rank, ""));
        log.hideRest();
        freshLog(group, rank, "rankunit: this rank was started by hand; what it prints is in its terminal\n");
        return new ManualRank(
                rank,
                group.devices().get(rank),
                ShellCommand.of(workingDirectory, variables, line),
                log,
                crashReport(group, rank));
    }

    private LocalProcess start(GroupLaunch group, int rank) throws IOException {
        Path log = freshLog(group, rank, "");
        ProcessBuilder builder = new ProcessBuilder(commandOf(group, rank))
                .directory(workingDirectory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        ProcessMark.ofRank(group.folder(), rank).putInto(builder);
        builder.environment().putAll(environment);
        Process process = builder.start();
        // Keep the pipe open: its end tells the rank that its parent is gone. The token is sent through it because
        // every user of
        // the machine can read a command line.
        OutputStream stdin = process.getOutputStream();
        try {
            stdin.write((group.token() + "\n").getBytes(StandardCharsets.UTF_8));
            stdin.flush();
        } catch (IOException e) {
            log().debug("Rank {} ended before it read its token; its exit status says more", rank, e);
        }
        return new LocalProcess(
                rank,
                group.devices().get(rank),
                process,
                new RankLog(log),
                crashReport(group, rank),
                GroupLaunch.runningKernels(group.folder(), rank));
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(LocalLauncher.class);
    }
}
