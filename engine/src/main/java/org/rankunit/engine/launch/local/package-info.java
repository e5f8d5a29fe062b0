/** Starts ranks on this machine, inspects their processes, and ends them. */
@NullMarked
package org.rankunit.engine.launch.local;

import org.jspecify.annotations.NullMarked;
