package org.rankunit.cli.doctor.machine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.rankunit.cli.doctor.check.Amounts;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Host;

/**
 * Checks how much memory and how many threads the container or job may use: the lowest limit of all enclosing groups.
 */
public record ControlGroupCheck(Host host) implements Check {

    private static final long MEMORY = 2L << 30;
    private static final long TASKS = 1024;
    /** Version 1 of control groups reports a value of about this size if there is no limit. */
    private static final long UNLIMITED = 1L << 60;

    private static final String MOUNT = "/sys/fs/cgroup";

    @Override
    public String subject() {
        return "Control group";
    }

    @Override
    public Finding look() {
        OptionalLong memory = least("memory.max", "memory/memory.limit_in_bytes");
        OptionalLong tasks = least("pids.max", "pids/pids.max");
        String what = "memory " + (memory.isPresent() ? Amounts.bytes(memory.getAsLong()) : "unlimited")
                + ", processes and threads " + (tasks.isPresent() ? tasks.getAsLong() : "unlimited");
        List<String> advice = new ArrayList<>();
        if (memory.orElse(Long.MAX_VALUE) < MEMORY) {
            advice.add("give it at least " + Amounts.bytes(MEMORY) + " of memory");
        }
        if (tasks.orElse(Long.MAX_VALUE) < TASKS) {
            advice.add("allow " + TASKS + " processes and threads (docker run --pids-limit)");
        }
        return advice.isEmpty()
                ? Finding.ok(what)
                : Finding.warn(what + ": low for many ranks", "For more ranks, " + String.join(", ", advice));
    }

    private OptionalLong least(String unified, String first) {
        Stream<String> files =
                Stream.concat(groups().map(group -> group + "/" + unified), Stream.of(MOUNT + "/" + first));
        return files.flatMap(file -> host.lines(file).stream())
                .filter(line -> line.matches("\\d{1,18}"))
                .mapToLong(Long::parseLong)
                .filter(limit -> limit < UNLIMITED)
                .min();
    }

    /**
     * Returns the groups that contain this process, innermost first. A container sees its own group as the outermost.
     */
    private Stream<String> groups() {
        Path own = host.lines("/proc/self/cgroup").stream()
                .filter(line -> line.startsWith("0::/"))
                .map(line -> Path.of(MOUNT + line.substring("0::".length())).normalize())
                .findFirst()
                .orElse(Path.of(MOUNT));
        return Stream.iterate(own, group -> group != null && group.startsWith(MOUNT), Path::getParent)
                .map(Path::toString);
    }
}
