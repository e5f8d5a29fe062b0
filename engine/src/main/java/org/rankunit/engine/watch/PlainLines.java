package org.rankunit.engine.watch;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Prints a line when something takes long: a test twice its usual time, or a minute if that is unknown; the start of ranks half a
 * minute. A further line follows whenever the time has doubled. The pool itself tells of waits for devices.
 */
final class PlainLines implements View {

    /** Lines of one run; a log must not grow with the time that a run takes. */
    static final int MAX = 40;

    private static final String PREFIX = "rankunit: ";
    private static final long SHORTEST = Duration.ofSeconds(10).toNanos();
    private static final long UNKNOWN = Duration.ofSeconds(60).toNanos();
    private static final long START = Duration.ofSeconds(30).toNanos();

    private final Consumer<String> console;
    private final Map<Long, Long> next = new HashMap<>();
    private int told;

    PlainLines(Consumer<String> console) {
        this.console = console;
    }

    @Override
    public Duration period() {
        return Duration.ofSeconds(1);
    }

    @Override
    public void show(List<GroupStatus> groups) {
        Set<Long> present = groups.stream().map(GroupStatus::key).collect(Collectors.toSet());
        next.keySet().retainAll(present);
        for (GroupStatus group : groups) {
            boolean tells = group.stage() == GroupStatus.Stage.START
                    || (group.stage() == GroupStatus.Stage.RUN && !group.what().isEmpty());
            if (tells && group.nanos() >= next.computeIfAbsent(group.key(), key -> limit(group))) {
                next.put(group.key(), 2 * group.nanos());
                tell(StatusText.late(group));
            }
        }
    }

    private static long limit(GroupStatus group) {
        if (group.stage() == GroupStatus.Stage.START) {
            return START;
        }
        return group.usualNanos().isEmpty()
                ? UNKNOWN
                : Math.max(SHORTEST, 2 * group.usualNanos().getAsLong());
    }

    private void tell(String text) {
        if (told < MAX) {
            console.accept(PREFIX + text);
            told++;
            if (told == MAX) {
                console.accept(PREFIX + "no further slow tests are reported in this run");
            }
        }
    }

    @Override
    public void close() {
        next.clear();
    }
}
