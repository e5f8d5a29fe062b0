package org.rankunit.engine.prepare;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What goldens are made with in a run.
 *
 * @param project the folder of the module
 * @param outputFolder the folder of the reports
 * @param session a folder of this run, which is removed after it
 * @param cache where results of models are kept
 * @param frameworks entries of the class path that have RankUnit and what it needs
 * @param classPath all entries of the class path of the tests
 * @param parameters those of the run, {@code rankunit.param.<name>}
 * @param limit how long a model may take for a test that has no limit of its own; empty for any time
 * @param update whether golden files are written instead of compared
 * @param console prints a line
 */
public record GoldenSettings(
        Path project,
        Path outputFolder,
        Path session,
        Path cache,
        List<Path> frameworks,
        List<Path> classPath,
        Map<String, String> parameters,
        Optional<Duration> limit,
        boolean update,
        Consumer<String> console) {}
