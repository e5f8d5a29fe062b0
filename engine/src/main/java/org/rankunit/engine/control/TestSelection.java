package org.rankunit.engine.control;

import java.util.List;

/**
 * One planned test: what Jupiter selects for it on the ranks, and what its author declared.
 *
 * @param uniqueId Jupiter's unique id of the test or template; the ids of everything it runs start with it
 * @param selected the unique ids to select: the test itself, or some of its invocations
 * @param buffers the declared buffers, each with its place in memory
 */
public record TestSelection(
        String uniqueId, List<String> selected, List<BufferSpec> buffers, TestDeclaration declaration) {}
