package org.rankunit.engine.cli.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** How much memory and how many threads the container or job may have: the least that a group around this process allows. */
record ControlGroupCheck(Host host) implements Check {

    private static final long MEMORY = 2L << 30;
    private static final long TASKS = 1024;
    /** What the first version of control groups says for no limit is about this. */
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
        String what = "memory " + (memory.isPresent() ? Amounts.bytes(memory.getAsLong()) : "without a limit")
                + ", processes and threads " + (tasks.isPresent() ? tasks.getAsLong() : "without a limit");
        List<String> advice = new ArrayList<>();
        if (memory.orElse(Long.MAX_VALUE) < MEMORY) {
            advice.add("give it at least " + Amounts.bytes(MEMORY) + " of memory");
        }
        if (tasks.orElse(Long.MAX_VALUE) < TASKS) {
            advice.add("let it have " + TASKS + " processes and threads (docker run --pids-limit)");
        }
        return advice.isEmpty()
                ? Finding.ok(what)
                : Finding.warn(what + ": little for many ranks", "For more ranks " + String.join(", ", advice));
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

    /** The groups around this process, from its own outwards. A container sees its own as the outermost. */
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
