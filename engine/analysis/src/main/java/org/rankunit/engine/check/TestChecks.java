package org.rankunit.engine.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.SimulatorSettings;
import org.rankunit.engine.timeline.RankLog;

/** Checks the tests of a run that ended on simulators. Thread-safe: groups work on separate threads. */
public final class TestChecks {

    /** So many logs are kept open: those of a group of the largest size, and of some smaller ones. */
    private static final int MAX_LOGS = 128;

    private final SimulatorSettings settings;

    private final UnaryOperator<String> lines;

    /** Logs of groups that may run further tests; the one that was used last is the last one. */
    private final Map<Path, RankLog> open = new LinkedHashMap<>(MAX_LOGS, 1, true) {

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, RankLog> eldest) {
            return size() > MAX_LOGS;
        }
    };

    /**
     * Check nothing yet.
     *
     * @param lines replaces places in compiled code by lines, in texts for people
     */
    public TestChecks(SimulatorSettings settings, UnaryOperator<String> lines) {
        this.settings = settings;
        this.lines = lines;
    }

    /**
     * Check a test that has ended.
     *
     * @param logs the log of each rank; empty if nothing is recorded
     * @param uniqueId the id with which the ranks have marked the test
     * @param title the name of the test with its variant
     * @param passed whether no rank failed
     * @return a text for each mistake, and why the test cannot be checked if it passed and must not then; empty if there is
     *     nothing to say
     */
    public List<String> findings(List<Path> logs, String uniqueId, String title, boolean passed) {
        if (settings.checks() == SimulatorSettings.Checks.OFF || logs.isEmpty()) {
            return List.of();
        }
        SimulatorCheck.Result result = SimulatorCheck.of(logs, uniqueId, passed, this::open);
        if (!result.notChecked().isEmpty()) {
            return unchecked(title, result.notChecked(), passed);
        }
        return result.findings().stream().map(lines).toList();
    }

    private List<String> unchecked(String title, String why, boolean passed) {
        if (settings.unchecked() == SimulatorSettings.Unchecked.FAIL) {
            return passed
                    ? List.of("not checked for races: " + why + "\n    A wrong program would pass. "
                            + ConfigKey.SIM_UNCHECKED.key() + "=warn lets the test pass, and "
                            + ConfigKey.SIM_CHECK.key() + "=off checks nothing.")
                    : List.of();
        }
        System.out.println(
                "rankunit: " + title + " was not checked for races (" + ConfigKey.SIM_CHECK.key() + "): " + why);
        return List.of();
    }

    private RankLog open(Path file) throws IOException {
        synchronized (open) {
            RankLog log = open.get(file);
            if (log == null) {
                log = RankLog.open(file);
                open.put(file, log);
            }
            return log;
        }
    }
}
