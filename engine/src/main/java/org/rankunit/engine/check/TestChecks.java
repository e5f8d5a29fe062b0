package org.rankunit.engine.check;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.rankunit.engine.config.ConfigKey;
import org.rankunit.engine.config.SimulatorSettings;
import org.rankunit.engine.timeline.RankLog;

/** Checks the tests of a run that ended on simulators. Thread-safe: groups work on separate threads. */
public final class TestChecks {

    /** So many logs are kept open: those of a group of the largest size, and of some smaller ones. */
    private static final int MOST_LOGS = 128;

    private final SimulatorSettings.Checks mode;

    private final UnaryOperator<String> lines;

    /** Each reason is printed once. */
    private final Set<String> printed = ConcurrentHashMap.newKeySet();

    /** Logs of groups that may run further tests; the one that was used last is the last one. */
    private final Map<Path, RankLog> open = new LinkedHashMap<>(MOST_LOGS, 1, true) {

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, RankLog> eldest) {
            return size() > MOST_LOGS;
        }
    };

    /**
     * Check nothing yet.
     *
     * @param lines replaces places in compiled code by lines, in texts for people
     */
    public TestChecks(SimulatorSettings.Checks mode, UnaryOperator<String> lines) {
        this.mode = mode;
        this.lines = lines;
    }

    /**
     * Check a test that has ended.
     *
     * @param logs the log of each rank; empty if nothing is recorded
     * @param uniqueId the id with which the ranks have marked the test
     * @param title the name of the test with its variant
     * @param passed whether no rank failed
     * @return a text for each mistake; empty if there is none, and if the test cannot be checked
     */
    public List<String> findings(List<Path> logs, String uniqueId, String title, boolean passed) {
        if (mode == SimulatorSettings.Checks.OFF || logs.isEmpty()) {
            return List.of();
        }
        SimulatorCheck.Result result = SimulatorCheck.of(logs, uniqueId, passed, this::open);
        if (!result.notChecked().isEmpty() && printed.add(result.notChecked())) {
            System.out.println("rankunit: " + title + " was not checked for races (" + ConfigKey.SIM_CHECK.key() + "): "
                    + result.notChecked());
        }
        return result.findings().stream().map(lines).toList();
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
