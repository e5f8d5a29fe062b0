package org.rankunit.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rankunit.cli.doctor.check.Check;
import org.rankunit.cli.doctor.check.Finding;
import org.rankunit.cli.doctor.check.Finding.Level;
import org.rankunit.cli.doctor.check.Host;
import org.rankunit.cli.doctor.machine.ControlGroupCheck;
import org.rankunit.cli.doctor.machine.CoresCheck;
import org.rankunit.cli.doctor.machine.FileSystemCheck;
import org.rankunit.cli.doctor.machine.LimitsCheck;
import org.rankunit.cli.doctor.machine.PoolFolderCheck;
import org.rankunit.cli.doctor.machine.SharedMemoryCheck;
import org.rankunit.cli.doctor.machine.SystemCheck;
import org.rankunit.cli.doctor.machine.SystemFolderCheck;
import org.rankunit.cli.doctor.machine.TemporaryFolderCheck;
import org.rankunit.cli.doctor.npu.CannCheck;
import org.rankunit.cli.doctor.npu.DeviceNodesCheck;
import org.rankunit.cli.doctor.npu.DriverCheck;
import org.rankunit.cli.doctor.npu.GarbageCollectorCheck;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.machine.Grant;
import org.rankunit.pool.machine.Machine;

/** Makes all checks, each independently of the results of the others. */
public final class Doctor {

    private final Host host;
    private final Pool pool;

    public Doctor(Host host, Pool pool) {
        this.host = host;
        this.pool = pool;
    }

    /**
     * The pool as configured for this process.
     *
     * @param config empty if the pool could not be set up; the only note then says why
     * @param notes information for people, each a sentence without a full stop
     */
    public record Pool(Optional<PoolConfig> config, Machine machine, Grant grant, List<String> notes) {

        /** Represents a pool that could not be set up. */
        public static Pool none(String why) {
            return new Pool(
                    Optional.empty(),
                    new Machine(List.of(), java.util.Map.of(), "", List.of()),
                    new Grant("", List.of(), false, List.of()),
                    List.of(why));
        }
    }

    /** A finding and its subject. */
    public record Diagnosis(String subject, Finding finding) {}

    /** Makes the checks. */
    public List<Diagnosis> examine() {
        return checks().stream()
                .map(check -> new Diagnosis(check.subject(), look(check)))
                .toList();
    }

    private List<Check> checks() {
        List<Check> checks = new ArrayList<>(List.of(
                new JavaCheck(host),
                new SystemCheck(host),
                NativeLibraryCheck.ofSimulator(),
                new CannCheck(host),
                new DriverCheck(host),
                new DeviceNodesCheck(host),
                new GarbageCollectorCheck(host),
                new InventoryCheck(pool)));
        pool.config().map(PoolConfig::folder).ifPresent(folder -> {
            checks.add(new PoolFolderCheck(pool.config().get()));
            checks.add(new FileSystemCheck(host, folder));
            checks.add(new SystemFolderCheck(host, folder));
        });
        checks.addAll(List.of(
                new SharedMemoryCheck(host),
                new TemporaryFolderCheck(host),
                new LimitsCheck(host),
                new ControlGroupCheck(host),
                new CoresCheck(host)));
        return checks;
    }

    private static Finding look(Check check) {
        try {
            return check.look();
        } catch (RuntimeException e) {
            return Finding.fail("this check could not be made: " + e, "Please report it");
        }
    }

    /** Formats the diagnoses, one per line, each with its advice below, and a summary at the end. */
    public static List<String> lines(List<Diagnosis> diagnoses) {
        int width = diagnoses.stream()
                .mapToInt(each -> each.subject().length())
                .max()
                .orElse(0);
        List<String> lines = new ArrayList<>();
        for (Diagnosis each : diagnoses) {
            String level = each.finding().level().name();
            String what = plain(each.finding().what());
            lines.add(pad(level, 4) + "  " + pad(each.subject(), width) + "  " + what);
            if (!each.finding().advice().isEmpty()) {
                lines.add(" ".repeat(width + 8) + "-> " + plain(each.finding().advice()));
            }
        }
        lines.add(Stream.of(Level.values())
                .map(level -> diagnoses.stream()
                                .filter(each -> each.finding().level() == level)
                                .count() + " " + level)
                .collect(Collectors.joining(", ")));
        return lines;
    }

    private static String plain(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}]+", " ").strip();
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
