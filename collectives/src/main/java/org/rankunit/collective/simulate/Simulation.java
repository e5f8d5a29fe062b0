package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.apiguardian.api.API;
import org.rankunit.collective.Cost;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;

/**
 * How long a schedule takes on a modelled machine.
 *
 * @param seconds until the last rank has ended
 * @param ends seconds until each rank has ended
 * @param events tasks that were run
 * @param busy the share of the time in which sending ports were occupied, in [0, 1], by level: inside servers, between servers, and so on
 * @param ports what the ports, uplinks and downlinks of each server or group have carried; kinds that carried nothing are left out
 * @param links what each rank has sent to each other one, the busiest link first; pairs between which nothing went are left out
 * @param criticalPath the tasks that took time one after the other up to the end, the first one first
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Simulation(
        String algorithm,
        CollectiveCall call,
        double seconds,
        List<Double> ends,
        long events,
        List<Double> busy,
        List<PortUse> ports,
        List<LinkUse> links,
        List<Step> criticalPath) {

    private static final int SHOWN = 8;
    private static final int BUSIEST = 3;

    public Simulation {
        ends = List.copyOf(ends);
        busy = List.copyOf(busy);
        ports = List.copyOf(ports);
        // What is packed stays packed; it has no method that changes it.
        links = links instanceof LinkTable.Uses ? links : List.copyOf(links);
        criticalPath = List.copyOf(criticalPath);
    }

    /**
     * A task of the critical path.
     *
     * @param begin in seconds
     * @param end in seconds
     * @since 0.1
     */
    @API(status = EXPERIMENTAL, since = "0.1")
    public record Step(Task task, double begin, double end) {}

    /**
     * Run all tasks of a schedule.
     *
     * @throws org.rankunit.collective.DeadlockException if streams wait forever; the message names some of them
     */
    public static Simulation of(Schedule schedule, Topology topology) {
        return new Machine(schedule, topology).run();
    }

    /**
     * Compute the time of an algorithm from its formula, if all links are of one kind and nothing contends: {@code steps * latency +
     * bytes / bandwidth}, without reductions.
     */
    public static double formula(Cost cost, LinkModel links) {
        return cost.steps() * links.latency() + cost.bytesSent() / links.bandwidth();
    }

    static List<Step> path(Schedule schedule, Steps steps, int last) {
        List<Step> path = new ArrayList<>();
        for (int step = last; step >= 0; step = steps.before(step)) {
            Task task = schedule.rank(steps.rank(step)).task(steps.task(step));
            path.add(new Step(task, steps.begin(step), steps.end(step)));
        }
        Collections.reverse(path);
        return path;
    }

    /** Describe the result for people. */
    public String report() {
        StringBuilder text = new StringBuilder(algorithm + ", " + call + ": " + micros(seconds));
        double earliest = ends.stream().mapToDouble(each -> each).min().orElse(0);
        text.append("\n  ranks end from ")
                .append(micros(earliest))
                .append(" to ")
                .append(micros(seconds));
        text.append("\n  ports inside servers ").append(percent(busy.get(0)));
        for (int level = 1; level < busy.size() && call.servers().count() > 1; level++) {
            text.append(level == 1 ? ", between servers " : ", at level " + level + " ")
                    .append(percent(busy.get(level)));
        }
        text.append(" busy; ").append(String.format(Locale.ROOT, "%,d", events)).append(" tasks");
        if (!links.isEmpty()) {
            text.append("\n  busiest of ").append(links.size()).append(links.size() == 1 ? " link" : " links");
            for (LinkUse link : links.subList(0, Math.min(BUSIEST, links.size()))) {
                text.append("\n    ").append(link);
            }
        }
        text.append("\n  critical path: ").append(criticalPath.size()).append(" tasks");
        for (int i = 0; i < criticalPath.size(); i++) {
            if (i < SHOWN / 2 || i >= criticalPath.size() - SHOWN / 2) {
                Step step = criticalPath.get(i);
                text.append("\n    ")
                        .append(micros(step.begin()))
                        .append(" to ")
                        .append(micros(step.end()))
                        .append("  ");
                text.append(step.task());
            } else if (i == SHOWN / 2) {
                text.append("\n    ... ").append(criticalPath.size() - SHOWN).append(" more");
            }
        }
        return text.toString();
    }

    private static String micros(double seconds) {
        return String.format(Locale.ROOT, "%.3f us", seconds * 1e6);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }
}
