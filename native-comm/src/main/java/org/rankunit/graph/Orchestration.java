package org.rankunit.graph;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.file.Path;
import org.apiguardian.api.API;

/**
 * A function that makes the tasks of a graph on the device's control processor, as {@code rankunit/orchestration.h}
 * describes.
 *
 * @param library the shared library that has it
 * @param function the name of the function
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Orchestration(Path library, String function) {}
