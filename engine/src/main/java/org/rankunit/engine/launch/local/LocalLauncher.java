package org.rankunit.engine.launch.local;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.rankunit.engine.control.ProcessMark;
import org.rankunit.engine.launch.GroupLaunch;
import org.rankunit.engine.launch.LaunchedRanks;
import org.rankunit.engine.launch.RankLauncher;
import org.rankunit.engine.launch.RankLog;
import org.rankunit.engine.launch.local.command.RankCommand;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts ranks as processes of this machine, one after the other. */
public final class LocalLauncher implements RankLauncher {

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
                ranks.add(start(group, rank));
            }
            complete = true;
            return ranks;
        } finally {
            if (!complete) {
                ranks.end(() -> {}, Duration.ZERO);
            }
        }
    }

    private LocalProcess start(GroupLaunch group, int rank) throws IOException {
        String name = "group-" + group.number() + "-rank-" + rank;
        Path log = logs.resolve(name + ".log");
        Path crashReport = logs.resolve(name + "-hs_err.log");
        Files.deleteIfExists(crashReport);
        Files.writeString(log, "", StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        ProcessBuilder builder = new ProcessBuilder(command.forRank(
                        rank,
                        group.devices().size(),
                        group.control(),
                        crashReport,
                        group.debugPorts().get(rank)))
                .directory(workingDirectory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        ProcessMark.ofRank(group.folder(), rank).putInto(builder.environment());
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
            log().debug("Rank {} ended before it read its token; its exit says more", rank, e);
        }
        return new LocalProcess(rank, group.devices().get(rank), process, new RankLog(log), crashReport);
    }

    /** Obtained only when there is something to log: without a provider, SLF4J prints a warning for the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(LocalLauncher.class);
    }
}
