package org.rankunit.engine.timeline.trace;

import java.nio.file.Path;

/**
 * The files in which a rank has recorded a test.
 *
 * @param log its events, and those of other tests of the group
 * @param memory copies of the memory of tasks; it need not exist
 */
public record RecordFiles(Path log, Path memory) {}
