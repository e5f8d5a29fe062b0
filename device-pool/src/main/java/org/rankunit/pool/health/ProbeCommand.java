package org.rankunit.pool.health;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;
import org.rankunit.pool.lock.Deadline;

/**
 * Probe a device with a command in a separate process, so that a device that hangs or crashes does not affect this
 * process.
 *
 * <p>The command gets the platform and the id of the device as its last two arguments. Exit status 0 means that the
 * device works. With any other status, the last line of the output says what is wrong. At the time limit the command is
 * killed together with all processes it started. Its standard input is a pipe that is closed when this process ends.
 * Immutable.
 *
 * @param command program and first arguments
 * @param environment variables added to those of this process
 * @param limit how long the command may take
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProbeCommand(List<String> command, Map<String, String> environment, Duration limit)
        implements DeviceProbe {

    private static final int LONGEST_OUTPUT = 64 * 1024;

    /** @throws IllegalArgumentException if there is no command, or the limit is not positive */
    public ProbeCommand {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        if (command.isEmpty() || limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException(
                    "a probe is a command with a positive limit, not " + command + " with " + limit);
        }
    }

    @Override
    public Optional<String> probe(String platform, int device) throws InterruptedException {
        List<String> line = new ArrayList<>(command);
        line.add(platform);
        line.add(String.valueOf(device));
        try {
            // A file rather than a pipe: a child of the command could keep a pipe open after the command ends.
            Path output = Files.createTempFile("rankunit-probe", ".log");
            try {
                return run(line, output);
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            return Optional.of("the probe could not be run: " + e.getMessage());
        }
    }

    private Optional<String> run(List<String> line, Path output) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                return Optional.of("the probe gave no answer within " + Deadline.inWords(limit) + lastLine(output));
            }
            return process.exitValue() == 0
                    ? Optional.empty()
                    : Optional.of("the probe ended with status " + process.exitValue() + lastLine(output));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String lastLine(Path output) {
        try (var in = Files.newInputStream(output)) {
            in.skipNBytes(Math.max(0, Files.size(output) - LONGEST_OUTPUT));
            String text = new String(in.readNBytes(LONGEST_OUTPUT), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(each -> !each.isBlank())
                    .reduce((first, second) -> second)
                    .map(last -> ": " + last.strip())
                    .orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
