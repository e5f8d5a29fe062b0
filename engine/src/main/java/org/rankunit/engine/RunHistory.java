package org.rankunit.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.rankunit.engine.collect.DurationCollector;
import org.rankunit.engine.collect.DurationsFile;
import org.rankunit.engine.collect.OccupancyCollector;
import org.rankunit.engine.collect.ReportCollector;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.config.Shard;
import org.rankunit.engine.group.GroupWatch;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.report.RunClock;
import org.rankunit.engine.report.store.ReportStore;

/**
 * What a run reads from earlier runs and writes for later ones: the durations of tests, and its report. Thread-safe.
 *
 * <p>A shard only reads the durations file, since the file must stay the same in all shards for the whole run. The shard
 * writes its own measurements to a separate file in the output folder.
 */
final class RunHistory {

    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private final Settings settings;
    private final Optional<DurationsFile> file;
    private final Durations durations;
    private final ReportCollector report;
    private final OccupancyCollector occupancy;
    private final DurationCollector measured = new DurationCollector();
    private final Consumer<String> console;

    RunHistory(Settings settings, Consumer<String> console) {
        this.settings = settings;
        this.console = console;
        this.file = settings.durations()
                .file()
                .map(path -> new DurationsFile(path, settings.durations().shared(), console));
        this.durations = file.map(DurationsFile::read).orElse(Durations.NONE);
        RunClock clock = RunClock.start();
        this.report = new ReportCollector(settings.outputFolder(), clock);
        this.occupancy = new OccupancyCollector(clock, report::groupEnded);
        settings.shard().ifPresent(this::tellSplit);
    }

    /** How long tests took before this run. */
    Durations durations() {
        return durations;
    }

    /** The durations that all shards of a run share: none, unless the user named a file. */
    Durations forShards() {
        return settings.durations().shared() ? durations : Durations.NONE;
    }

    void add(TestResult result) {
        report.add(result);
        measured.add(result);
    }

    /** Record how long a group took for all tests of a plan, without a fault. */
    void groupWorked(GroupPlan plan, long nanos) {
        measured.add(plan, nanos);
    }

    /** Receives what becomes of the groups of the run. */
    GroupWatch groups() {
        return occupancy;
    }

    /**
     * Write everything.
     *
     * @param complete whether every test that started also finished
     * @throws IOException if the report cannot be written; failing to write the durations throws nothing
     */
    void write(String version, boolean complete) throws IOException {
        // Do not record durations while debugging.
        if (complete && !settings.isDebugging()) {
            target().ifPresent(target -> target.add(measured.measured(), durations));
        }
        new ReportStore(settings.outputFolder())
                .write(
                        version,
                        settings.platform().map(Platform::id).orElse("auto"),
                        occupancy.execution(),
                        report.entries(),
                        report.pictures());
    }

    private Optional<DurationsFile> target() {
        if (settings.shard().isEmpty()) {
            return file;
        }
        Path own = settings.outputFolder().resolve("durations.json");
        return file.map(shared -> new DurationsFile(own, false, console));
    }

    /** If a test is in no shard, or in two, the user must be able to see whether the shards used the same durations. */
    private void tellSplit(Shard shard) {
        String by = forShards().equals(Durations.NONE)
                ? "numbers of tests and ranks, because no durations are recorded (" + ConfigKey.DURATIONS.key() + ")"
                : settings.durations().file().map(String::valueOf).orElse("") + ", checksum "
                        + DurationsFile.fingerprint(durations) + ", which must be the same in all shards";
        String text =
                "rankunit: shard " + shard.number() + " of " + shard.count() + ": classes are split by " + by + ".";
        if (TOLD.add(text)) {
            console.accept(text);
        }
    }
}
