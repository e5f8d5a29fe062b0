/** Starts ranks, inspects their processes, and ends them. */
@NullMarked
package org.rankunit.engine.launch;

import org.jspecify.annotations.NullMarked;
