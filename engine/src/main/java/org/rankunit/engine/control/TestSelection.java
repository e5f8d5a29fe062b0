package org.rankunit.engine.control;

import java.util.List;

/**
 * One planned test: what Jupiter is to select for it on the ranks, and the buffers it has.
 *
 * @param uniqueId Jupiter's unique id of the test or template; the ids of everything it runs start with it
 * @param selected the unique ids to select: the test itself, or some of its invocations
 * @param syncPrefix bytes at the start of the window to be filled with zeros before the test
 * @param timeoutMillis how long each test of it may take on all its ranks; 0 for as long as any test
 */
public record TestSelection(
        String uniqueId, List<String> selected, List<BufferSpec> buffers, int syncPrefix, long timeoutMillis) {}
