package org.rankunit.cli.collective;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.exchange.GoalFile;
import org.rankunit.collective.exchange.LocalCost;
import org.rankunit.collective.exchange.chakra.ChakraTrace;
import org.rankunit.collective.exchange.msccl.MscclFile;
import org.rankunit.collective.schedule.Schedule;

/** Where a schedule is written, and in which formats: the values of {@code --export}. */
public final class Exports {

    private static final String GOAL = "goal";
    private static final String CHAKRA = "chakra";
    private static final String MSCCL = "msccl";

    private record Target(String format, Path place) {}

    private final List<Target> targets;

    private Exports(List<Target> targets) {
        this.targets = targets;
    }

    /**
     * Take apart values such as {@code "goal=ring.goal"}.
     *
     * @throws UsageException if one is something else
     */
    public static Exports of(List<String> values) {
        List<Target> targets = new ArrayList<>();
        for (String value : values) {
            int sign = value.indexOf('=');
            String format = sign < 0 ? value : value.substring(0, sign);
            String place = sign < 0 ? "" : value.substring(sign + 1);
            if (place.isEmpty() || !List.of(GOAL, CHAKRA, MSCCL).contains(format)) {
                throw new UsageException("--export = \"" + value + "\": expected " + GOAL + "=FILE, " + CHAKRA
                        + "=FOLDER or " + MSCCL + "=FILE.");
            }
            targets.add(new Target(format, Path.of(place)));
        }
        return new Exports(targets);
    }

    public boolean isEmpty() {
        return targets.isEmpty();
    }

    /**
     * Write a schedule; returns a line for people for each format.
     *
     * @throws UsageException if a place cannot be written, or a format cannot express the schedule
     */
    public List<String> write(Schedule schedule, LocalCost cost) {
        List<String> lines = new ArrayList<>();
        for (Target target : targets) {
            try {
                lines.add(write(schedule, cost, target));
            } catch (IllegalArgumentException e) {
                throw new UsageException("--export: " + e.getMessage());
            } catch (IOException e) {
                throw new UsageException(
                        "--export: " + target.place() + " cannot be written: " + Reasons.of(e, target.place()));
            }
        }
        return lines;
    }

    private static String write(Schedule schedule, LocalCost cost, Target target) throws IOException {
        if (!target.format().equals(CHAKRA)) {
            Path folder = target.place().toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            if (target.format().equals(GOAL)) {
                GoalFile.write(schedule, cost, target.place());
            } else {
                MscclFile.write(schedule, target.place());
            }
            return "written: " + target.place();
        }
        List<Path> files = ChakraTrace.write(schedule, cost, target.place());
        return "written: " + files.get(0) + (files.size() == 1 ? "" : " to " + files.get(files.size() - 1));
    }
}
