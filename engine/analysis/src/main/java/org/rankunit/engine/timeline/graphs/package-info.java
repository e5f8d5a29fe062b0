/** The runs of task graphs in a test as files: tasks, and what they depend on. */
@NullMarked
package org.rankunit.engine.timeline.graphs;

import org.jspecify.annotations.NullMarked;
