package org.rankunit.engine.slurm.step;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.rankunit.engine.protocol.EventRecording;
import org.rankunit.engine.site.SiteException;
import org.rankunit.engine.slurm.job.SlurmCommands;
import org.slf4j.LoggerFactory;

/** Does something to a rank's process on its node, by a small step of its own beside the rank's. Thread-safe. */
final class NodeCommands {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** The letter of the process's state, after its name in parentheses. */
    private static final String STATE = "sed 's/.*) \\(.\\).*/\\1/' /proc/\"$0\"/stat";

    /** Prints a file, packed and as text. */
    private static final String COPY = "[ ! -f \"$0\" ] || gzip -1 -c -- \"$0\" | base64";

    /** Prints the used part of a record of events in the same way. */
    private static final String COPY_RECORD = "[ ! -f \"$0\" ] || { n=$(od -An -t u8 -j " + EventRecording.AT_APPENDED
            + " -N 8 -- \"$0\"); head -c $((" + EventRecording.HEADER_BYTES + " + n * " + EventRecording.EVENT_BYTES
            + ")) -- \"$0\" | gzip -1 | base64; }";

    private final SlurmCommands slurm;
    private final String job;

    NodeCommands(SlurmCommands slurm, String job) {
        this.slurm = slurm;
        this.job = job;
    }

    /** Send SIGKILL to a process. */
    void kill(String node, long pid) {
        run(node, "kill -KILL \"$0\"", pid);
    }

    /** Ask a JVM for the stacks of all threads, which it prints. */
    void dump(String node, long pid) {
        run(node, "kill -QUIT \"$0\"", pid);
    }

    /** Whether a process is stopped; empty if that is not known. */
    Optional<Boolean> isStopped(String node, long pid) {
        return run(node, STATE, pid).map(state -> state.strip().equals("T"));
    }

    /** Copy a file of a node to this machine, if it exists. */
    void fetch(String node, Path from, Path to) {
        fetch(node, COPY, from, to);
    }

    /** Copy the used part of a record of events to this machine, if there is one. */
    void fetchRecord(String node, Path from, Path to) {
        fetch(node, COPY_RECORD, from, to);
    }

    private void fetch(String node, String script, Path from, Path to) {
        run(node, script, from.toString()).filter(text -> !text.isBlank()).ifPresent(text -> {
            try (InputStream in = new GZIPInputStream(
                    Base64.getMimeDecoder().wrap(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII))))) {
                write(in, to);
            } catch (IOException e) {
                LoggerFactory.getLogger(NodeCommands.class).warn("{} of {} cannot be copied", from, node, e);
            }
        });
    }

    /** In place, since another process may be reading its start. */
    private static void write(InputStream content, Path to) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(to.toFile(), "rw")) {
            file.setLength(content.transferTo(Channels.newOutputStream(file.getChannel())));
        }
    }

    private Optional<String> run(String node, String script, long pid) {
        return run(node, script, Long.toString(pid));
    }

    private Optional<String> run(String node, String script, String argument) {
        List<String> command = List.of(
                "srun",
                "--jobid=" + job,
                "--overlap",
                "--nodes=1",
                "--ntasks=1",
                "--nodelist=" + node,
                "--gres=none",
                "--mpi=none",
                "--immediate=5",
                "sh",
                "-c",
                script,
                argument);
        try {
            SlurmCommands.Output output = slurm.run(LIMIT, command);
            return output.exit() == 0 ? Optional.of(output.out()) : Optional.empty();
        } catch (SiteException e) {
            LoggerFactory.getLogger(NodeCommands.class).debug("Nothing can be run on {}", node, e);
            return Optional.empty();
        }
    }
}
