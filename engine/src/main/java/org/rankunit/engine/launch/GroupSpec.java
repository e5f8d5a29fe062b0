package org.rankunit.engine.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What all groups of a run have in common.
 *
 * @param logs folder of the ranks' logs
 * @param properties system properties of the ranks
 * @param parameters configuration parameters for Jupiter in the ranks
 */
public record GroupSpec(
        RankCommand command,
        SessionFolder session,
        Path logs,
        Path workingDirectory,
        long windowBytes,
        Duration bootstrapTimeout,
        Duration testTimeout,
        Map<String, String> properties,
        Map<String, String> parameters) {}
